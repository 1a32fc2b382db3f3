// The package for Node.js, Deno and Bun, which read the modules from files.
import { readFile } from 'node:fs/promises';
import { Generators, Plumb } from '../src/api';

export * from '../src/api';

const bytes = (name: string) => readFile(new URL(name, import.meta.url));

export async function load(): Promise<Plumb> {
  return Plumb.load(await bytes('engine.wasm'));
}

export async function loadGenerators(): Promise<Generators> {
  return Generators.load(await bytes('generators.wasm'));
}
