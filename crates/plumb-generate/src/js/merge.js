// `@jkcfg/std/merge`: merges two values, with rules for each field.

const kindOf = (value) => (Array.isArray(value) ? 'array' : typeof value);
const isObject = (value) => value !== null && kindOf(value) === 'object';

const demand = (holds, strategy, what) => {
  if (!holds) throw new Error(`${strategy}: ${what}`);
};

// A rule for one field: a function, or an object with rules for a nested merge.
const strategyFor = (rules, key) => {
  const rule = rules !== undefined && rules !== null ? rules[key] : undefined;
  if (rule === undefined) return merge;
  if (typeof rule === 'function') return rule;
  demand(isObject(rule), 'merge', `a rule must be a function or an object, and that of '${key}' is a ${typeof rule}`);
  return deep(rule);
};

const mergeFields = (base, top, rules) => {
  const merged = { ...base };
  for (const [key, value] of Object.entries(top)) {
    merged[key] = strategyFor(rules, key)(base[key], value);
  }
  return merged;
};

export function deep(rules) {
  return (base, top) => {
    demand(isObject(base) && isObject(top), 'deep', 'both values must be objects');
    return mergeFields(base, top, rules);
  };
}

export function first() {
  return (base) => base;
}

export function replace() {
  return (base, top) => top;
}

export function deepWithKey(key, rules) {
  return (base, top) => {
    demand(Array.isArray(base) && Array.isArray(top), 'deepWithKey', 'both values must be arrays');
    const places = new Map();
    base.forEach((item, at) => {
      if (!places.has(item[key])) places.set(item[key], at);
    });
    const merged = [...base];
    for (const item of top) {
      const at = places.get(item[key]);
      if (at === undefined) merged.push(item);
      else merged[at] = mergeFields(base[at], item, rules);
    }
    return merged;
  };
}

export function merge(base, top, rule) {
  if (base === undefined) return top;
  demand(
    typeof base === typeof top, 'merge',
    `cannot combine values of types ${typeof base} and ${typeof top}`,
  );
  if (typeof base === 'object' && !Array.isArray(base)) return mergeFields(base, top ?? {}, rule);
  return typeof rule === 'function' ? rule(base, top) : top;
}
