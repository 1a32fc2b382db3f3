// The package for browsers and everything else that has `fetch`.
import { Plumb } from '../src/api';

export * from '../src/api';

/** Starts the engine. It can be started once in a page or worker. */
export async function load(): Promise<Plumb> {
  const response = await fetch(new URL('engine.wasm', import.meta.url));
  return Plumb.load(await response.arrayBuffer());
}
