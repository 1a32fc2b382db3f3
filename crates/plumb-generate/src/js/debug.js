// `@jkcfg/std/debug`: gives back what it is given, for tests of the machinery.
// Bytes arrive as an array of numbers.
const passed = (arg) => (arg instanceof Uint8Array ? Array.from(arg) : arg);
const copy = (args) => JSON.parse(JSON.stringify(args.map(passed)));

export async function echo(...args) {
  return copy(args);
}

export function echoSync(...args) {
  return copy(args);
}
