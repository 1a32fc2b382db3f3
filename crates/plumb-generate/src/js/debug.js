// `@jkcfg/std/debug`: gives back what it is given, for tests of the machinery.
const copy = (args) => JSON.parse(JSON.stringify(args));

export async function echo(...args) {
  return copy(args);
}

export function echoSync(...args) {
  return copy(args);
}
