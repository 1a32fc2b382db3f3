// `console`: lets the author of a script see what it does. All output goes to standard error.
import host from 'plumb:host';

const shown = (value) => {
  switch (typeof value) {
  case 'string': return value;
  case 'bigint': return `${value}n`;
  case 'function': return `[Function: ${value.name || 'anonymous'}]`;
  case 'object': break;
  default: return String(value);
  }
  if (value instanceof Error) return host.describe(value);
  if (value instanceof Map) return `Map ${shown([...value])}`;
  if (value instanceof Set) return `Set ${shown([...value])}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
};

// As usual, `%s` and similar directives in the first text are replaced by the next argument.
const formatted = (first, rest) => {
  if (typeof first !== 'string') return [first, ...rest];
  const left = [...rest];
  const text = first.replace(/%([sdifjoOc%])/g, (whole, letter) => {
    if (letter === '%') return '%';
    if (left.length === 0) return whole;
    const next = left.shift();
    switch (letter) {
    case 'd': return typeof next === 'bigint' ? shown(next) : String(Number(next));
    case 'i': return String(parseInt(next, 10));
    case 'f': return String(parseFloat(next));
    case 'c': return '';
    default: return shown(next);
    }
  });
  return [text, ...left];
};

const say = (...args) => {
  const [first, ...rest] = args;
  const words = args.length === 0 ? [] : formatted(first, rest);
  host.log(`${words.map(shown).join(' ')}\n`.toWellFormed());
};

globalThis.console = {
  debug: say, error: say, info: say, log: say, warn: say,
};
