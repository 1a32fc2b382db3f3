// Modules that bundle.mjs makes.
declare module 'worker:' {
  const text: string;
  export default text;
}

declare module 'examples:' {
  import type { Saved } from './project';
  /** Projects to begin with. The first one is shown by default. */
  const examples: (Saved & { id: string; group: string })[];
  export default examples;
}
