// `@jkcfg/std/param`: the parameters of the command line.
import host from 'plumb:host';

const tree = host.parameters();
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (object, key) => (globalThis.Object.hasOwn(object, key) ? object[key] : undefined);

// The value at a dotted path. Null counts as missing.
const lookup = (path) => {
  let value = tree;
  if (path === '') return value;
  for (const key of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = own(value, key);
  }
  return value ?? undefined;
};

// Throws. The host composes the message: the value may be secret.
const mistyped = (path, value, type) => host.mistyped(`${path}`.toWellFormed(), JSON.stringify(value), type);

const copy = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const overlay = (base, top) => {
  const merged = { ...base };
  for (const [key, value] of globalThis.Object.entries(top)) {
    merged[key] = isObject(value) && isObject(own(merged, key)) ? overlay(merged[key], value) : value;
  }
  return merged;
};

const TRUE = ['1', 't', 'T', 'true', 'True', 'TRUE'];
const FALSE = ['0', 'f', 'F', 'false', 'False', 'FALSE'];
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

function boolean(path, fallback) {
  const value = lookup(path);
  if (value === undefined) return fallback;
  if (typeof value === 'boolean') return value;
  if (TRUE.includes(value)) return true;
  if (FALSE.includes(value)) return false;
  return mistyped(path, value, 'bool');
}

function number(path, fallback) {
  const value = lookup(path);
  if (value === undefined) return fallback;
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    if (DECIMAL.test(value)) return globalThis.Number(value);
    const infinite = INFINITE.exec(value);
    if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
    if (/^nan$/i.test(value)) return NaN;
  }
  return mistyped(path, value, 'float64');
}

function string(path, fallback) {
  const value = lookup(path);
  if (value === undefined) return fallback;
  if (typeof value === 'string') return value;
  return mistyped(path, value, 'string');
}

function object(path, fallback) {
  const value = lookup(path);
  if (value === undefined) return fallback;
  if (!isObject(value)) return mistyped(path, value, 'Params');
  return overlay(isObject(fallback) ? copy(fallback) : {}, copy(value));
}

export function all() {
  return copy(tree);
}

export { boolean as Boolean, number as Number, string as String, object as Object };
export const param = { all, Boolean: boolean, Number: number, String: string, Object: object };
