// `@jkcfg/std/debug`: returns its arguments, for tests of the interface to the host.
// Bytes arrive as an array of numbers.
const passed = (arg) => (arg instanceof Uint8Array ? Array.from(arg) : arg);
const copy = (args) => JSON.parse(JSON.stringify(args.map(passed)));

export async function echo(...args) {
  return copy(args);
}

export function echoSync(...args) {
  return copy(args);
}
