// Values on their way to a file: what would get lost there is refused. Called as jk, it gets lost.
import host from 'plumb:host';

// Taken before any script runs.
const { stringify } = JSON;
const { isArray } = Array;
const { freeze, getPrototypeOf, keys, prototype: plain } = Object;
const { isFinite } = Number;
const { isView } = ArrayBuffer;
const tagOf = Function.prototype.call.bind(Object.prototype.toString);

// A value that no file can hold; the message says where it is and what to do.
export class Unwritable extends TypeError {
  get name() { return 'TypeError'; }
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

// The class of an object as the language knows it, such as `Map`.
const classOf = (object) => tagOf(object).slice(8, -1);

const misfit = (value, original) => {
  switch (typeof value) {
  case 'number': return isFinite(value) ? undefined : `expected a finite number, found ${value}`;
  case 'bigint': return 'expected data, found a BigInt; write Number(…) or String(…) of it';
  case 'symbol': return 'expected data, found a symbol';
  case 'function': return 'expected data, found a function; call it, or leave it out';
  case 'object': {
    if (value === null) {
      return original instanceof Date ? 'expected a date, found one that is not valid' : undefined;
    }
    const name = classOf(value);
    if (isView(value)) return `expected data, found a ${name}; write an array of numbers`;
    return Object.hasOwn(REMEDIES, name) ? `expected data, found ${REMEDIES[name]}` : undefined;
  }
  default: return undefined;
  }
};

// Whether a value has anything in it that is not plain data, or that says by itself what it is
// as JSON. It has no cycles.
const mayMislead = (value) => {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    switch (typeof next) {
    case 'string': case 'boolean': case 'undefined':
      break;
    case 'number':
      if (!isFinite(next)) return true;
      break;
    case 'object':
      if (next === null) break;
      if (typeof next.toJSON === 'function') return true;
      if (isArray(next)) {
        for (let at = 0; at < next.length; at += 1) pending.push(next[at]);
        break;
      }
      if (getPrototypeOf(next) !== plain && classOf(next) !== 'Object') return true;
      for (const key of keys(next)) pending.push(next[key]);
      break;
    default:
      return true;
    }
  }
  return false;
};

const isName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const below = (path, holder, key) => {
  if (isArray(holder)) return `${path}[${key}]`;
  if (!isName.test(key)) return `${path}[${stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};

// Says where the first misfit is and what it is; undefined if there is none.
const firstMisfit = (value) => {
  let found;
  const holders = [];
  try {
    stringify(value, function see(key, it) {
      while (holders.length > 1 && holders[holders.length - 1].object !== this) holders.pop();
      const path = holders.length === 0 ? '' : below(holders[holders.length - 1].path, this, key);
      if (found === undefined) {
        const words = misfit(it, this[key]);
        if (words !== undefined) found = `${path === '' ? 'the value' : `\`${path}\``}: ${words}`;
      }
      if (found !== undefined) return null;
      if (typeof it === 'object' && it !== null) holders.push({ object: it, path });
      return it;
    });
  } catch {
    // What is wrong with it is said where it is written.
  }
  return found;
};

const refuse = (value) => {
  const words = firstMisfit(value);
  if (words !== undefined) throw new Unwritable(`cannot write ${words}`);
};

const jsonOf = (value) => {
  let text;
  try {
    text = stringify(value);
  } catch (thrown) {
    if (host.isPlumb) refuse(value);
    throw thrown;
  }
  if (host.isPlumb && (text === undefined || mayMislead(value))) refuse(value);
  if (text === undefined) throw new TypeError(`cannot write a ${typeof value}`);
  return text;
};

// What crosses to the host: JSON, which escapes halves of characters, or raw text itself.
export function textOf(value, isRaw) {
  if (value === undefined) throw new TypeError('cannot write undefined value');
  return isRaw ? String(value.toString()).toWellFormed() : jsonOf(value);
}

// The number of a way to overwrite files; scripts may give a boolean.
export function overwriteMode(overwrite) {
  return typeof overwrite === 'boolean' ? Number(overwrite) : overwrite;
}

// A path as the host has it; `standard` is the symbol that stands for standard input or output.
export function pathText(path, standard, what) {
  if (path === standard) return '';
  if (typeof path !== 'string') throw new TypeError(`${what} must be a string, not a ${typeof path}`);
  return path.toWellFormed();
}

// Keeps a value from being changed, with all that is in it.
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
      // It has a mind of its own; what is written was taken before.
    }
  }
}
