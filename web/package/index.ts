// The package for browsers and everything else that has `fetch`.
import { Generators, Plumb } from '../src/api';

export * from '../src/api';

const bytes = async (name: string) => (await fetch(new URL(name, import.meta.url))).arrayBuffer();

export async function load(): Promise<Plumb> {
  return Plumb.load(await bytes('engine.wasm'));
}

export async function loadGenerators(): Promise<Generators> {
  return Generators.load(await bytes('generators.wasm'));
}
