// Makes the language hermetic: the result of a script depends only on its inputs.
// Runs once, before any module, and only changes globals.
export default ({ fixesClock, marksErrors }) => {
  delete globalThis.performance;
  globalThis.global = {};

  // Mulberry32 from a fixed seed: the same numbers on every machine and in every run.
  let seed = 0x9e3779b9;
  Math.random = function random() {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  // Marks errors that code of a script creates: the author wrote their messages. Other messages come
  // from the engine or the host, and may quote values.
  if (marksErrors) {
    const mark = Symbol.for('plumb:author');
    const { construct, apply } = Reflect;
    const { defineProperty, setPrototypeOf } = Object;
    const { split, slice, join, findLastIndex } = {
      split: Function.prototype.call.bind(String.prototype.split),
      slice: Function.prototype.call.bind(Array.prototype.slice),
      join: Function.prototype.call.bind(Array.prototype.join),
      findLastIndex: Function.prototype.call.bind(Array.prototype.findLastIndex),
    };
    const includes = Function.prototype.call.bind(String.prototype.includes);
    const marked = (error) => {
      defineProperty(error, mark, { value: true });
      const { stack } = error;
      if (typeof stack === 'string') {
        // The script did not make the calls of this function.
        const lines = split(stack, '\n');
        const ours = findLastIndex(lines, (line) => includes(line, '(plumb:prelude:'));
        defineProperty(error, 'stack', {
          value: join(slice(lines, ours + 1), '\n'), writable: true, configurable: true,
        });
      }
      return error;
    };
    let base;
    for (const name of ['Error', 'AggregateError', 'EvalError', 'InternalError', 'RangeError', 'ReferenceError',
      'SuppressedError', 'SyntaxError', 'TypeError', 'URIError']) {
      const native = globalThis[name];
      if (native === undefined) continue;
      const marking = new Proxy(native, {
        apply: (target, self, args) => marked(apply(target, self, args)),
        construct: (target, args, made) => marked(construct(target, args, made)),
      });
      if (base !== undefined) setPrototypeOf(native, base);
      base ??= marking;
      defineProperty(native.prototype, 'constructor', { value: marking, writable: true, configurable: true });
      defineProperty(globalThis, name, { value: marking, writable: true, configurable: true });
    }
  }

  if (!fixesClock) return;

  const NOW = 0;
  const Native = Date;
  const isZoned = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)\s*(?:\(.*\))?$/i;
  const isDateOnly = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/;
  // A text without a zone would be read in the zone of the machine.
  const parse = (text) => {
    const asIs = Native.parse(text);
    if (isZoned.test(text) || isDateOnly.test(text)) return asIs;
    const inUtc = Native.parse(`${text}Z`);
    return Number.isNaN(inUtc) ? asIs : inUtc;
  };
  const instant = (parts) => {
    if (parts.length === 0) return NOW;
    if (parts.length > 1) return Native.UTC(...parts);
    const [part] = parts;
    if (part instanceof Native) return part.getTime();
    const primitive = typeof part === 'object' && part !== null ? part[Symbol.toPrimitive]?.('default') ?? part.valueOf() : part;
    return typeof primitive === 'string' ? parse(primitive) : Number(primitive);
  };
  function FixedDate(...parts) {
    if (new.target === undefined) return new FixedDate().toString();
    return Reflect.construct(Native, [instant(parts)], new.target);
  }
  Object.defineProperty(FixedDate, 'name', { value: 'Date' });
  Object.defineProperty(FixedDate, 'length', { value: 7 });
  FixedDate.prototype = Native.prototype;
  Object.defineProperty(Native.prototype, 'constructor', {
    value: FixedDate, writable: true, configurable: true,
  });
  FixedDate.now = function now() { return NOW; };
  FixedDate.UTC = Native.UTC;
  FixedDate.parse = function (text) { return parse(String(text)); };

  // The local zone is UTC.
  const fields = ['Date', 'Day', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds'];
  const proto = Native.prototype;
  for (const field of fields) {
    proto[`get${field}`] = proto[`getUTC${field}`];
    if (field !== 'Day') proto[`set${field}`] = proto[`setUTC${field}`];
  }
  proto.getTimezoneOffset = function getTimezoneOffset() { return 0; };
  const day = (date) => {
    const [name, number, month, year] = date.toUTCString().replace(',', '').split(' ');
    return `${name} ${month} ${number} ${year}`;
  };
  const time = (date) => `${date.toUTCString().split(' ')[4]} GMT+0000 (UTC)`;
  const shown = (show) => function () {
    return Number.isNaN(this.getTime()) ? 'Invalid Date' : show(this);
  };
  proto.toDateString = shown(day);
  proto.toTimeString = shown(time);
  proto.toString = shown((date) => `${day(date)} ${time(date)}`);
  proto.toLocaleDateString = shown((date) => date.toISOString().slice(0, 10));
  proto.toLocaleTimeString = shown((date) => date.toISOString().slice(11, 19));
  proto.toLocaleString = shown((date) => date.toISOString().slice(0, 19).replace('T', ' '));
  globalThis.Date = FixedDate;
};
