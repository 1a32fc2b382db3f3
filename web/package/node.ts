// The package for Node.js, Deno and Bun, which read the engine from its file.
import { readFile } from 'node:fs/promises';
import { Plumb } from '../src/api';

export * from '../src/api';

/** Starts the engine. It can be started once in a process or worker. */
export async function load(): Promise<Plumb> {
  return Plumb.load(await readFile(new URL('engine.wasm', import.meta.url)));
}
