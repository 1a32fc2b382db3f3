// Prepares values for the host, which reads them directly.
import host from 'plumb:host';

// Saved before any script runs.
const { freeze, keys, hasOwn } = Object;
const { isView } = ArrayBuffer;
const tagOf = Function.prototype.call.bind(Object.prototype.toString);

// A value by its kind, for messages: `an array`, `null`, `a function`.
export function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const REMEDIES = {
  Map: 'a Map; write Object.fromEntries(map)',
  Set: 'a Set; write [...set]',
  WeakMap: 'a WeakMap',
  WeakSet: 'a WeakSet',
  Promise: 'a promise; await it first',
  RegExp: 'a regular expression; write its source',
  Error: 'an error; write its message',
  ArrayBuffer: 'an ArrayBuffer; write an array of numbers',
  SharedArrayBuffer: 'an ArrayBuffer; write an array of numbers',
};

// The values that an object may wrap, each with the method that returns it.
const WRAPPED = {
  Boolean: Function.prototype.call.bind(Boolean.prototype.valueOf),
  Number: Function.prototype.call.bind(Number.prototype.valueOf),
  String: Function.prototype.call.bind(String.prototype.valueOf),
};

const unwrapped = (object, name) => {
  try {
    return [WRAPPED[name](object)];
  } catch {
    // It only claims to be one.
    return undefined;
  }
};

// Classifies an object: a text that says why it is not data, an array with the value that it wraps,
// or undefined for an ordinary object.
export function inspect(object) {
  const name = tagOf(object).slice(8, -1);
  if (isView(object)) return `expected data, found a ${name}; write an array of numbers`;
  if (name === 'Date') return 'expected a date, found one that is not valid';
  if (hasOwn(WRAPPED, name)) return unwrapped(object, name);
  return hasOwn(REMEDIES, name) ? `expected data, found ${REMEDIES[name]}` : undefined;
}

// Returns what is written for a value: the value itself, or the text of raw text.
export function contentOf(value, isRaw) {
  if (value === undefined) throw new TypeError('cannot write undefined value');
  if (isRaw) return String(value.toString()).toWellFormed();
  const type = typeof value;
  if (!host.isPlumb && (type === 'function' || type === 'symbol')) throw new TypeError(`cannot write a ${type}`);
  return value;
}

// The number of an overwrite mode. Scripts may also pass a boolean.
export function overwriteMode(overwrite) {
  return typeof overwrite === 'boolean' ? Number(overwrite) : overwrite;
}

// A path in the host's form. `standard` is the symbol for standard input or output.
export function pathText(path, standard, what) {
  if (path === standard) return '';
  if (typeof path !== 'string') throw new TypeError(`${what} must be a string, not a ${typeof path}`);
  return path.toWellFormed();
}

// Freezes a value and everything in it.
export function protect(value) {
  const seen = new Set();
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    const isObject = typeof next === 'object' && next !== null;
    if (!isObject || isView(next) || seen.has(next)) continue;
    seen.add(next);
    try {
      freeze(next);
      for (const key of keys(next)) pending.push(next[key]);
    } catch {
      // It cannot be frozen. The written value was read before.
    }
  }
}
