// `@jkcfg/std/validation`: the results of validators, and how to combine validators.
import host from 'plumb:host';
import { kindOf } from 'plumb:values';

const isFinding = (value) => typeof value === 'object' && value !== null && 'msg' in value;
const described = (value) => {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
};
// Shows only the type, because the value may be secret. jk shows the value.
const unrecognised = (value) => {
  const found = host.isPlumb
    ? `${kindOf(value)}; return 'ok' for a valid value, and else a text, { msg, path } or an array of these`
    : described(value);
  return { msg: `unrecognised result from validation function: ${found}` };
};

// An empty text means the same as `false`.
const NOT_VALID = 'value not valid';
const worded = (msg) => (msg === '' && host.isPlumb ? NOT_VALID : msg);

const finding = (value) => {
  if (typeof value === 'string') return { msg: worded(value) };
  if (isFinding(value)) {
    const { msg, path, start, end, held } = value;
    return { msg: worded(msg), path, start, end, held };
  }
  return unrecognised(value);
};

// The findings in a result: none for a valid value.
export function findings(answer) {
  if (answer === 'ok' || answer === true) return [];
  if (answer === false) return [{ msg: NOT_VALID }];
  if (Array.isArray(answer)) return answer.map(finding);
  return [finding(answer)];
}

// The findings of one validator about one value. An exception is a finding with its place.
export async function runValidator(validator, value) {
  try {
    if (typeof validator !== 'function') {
      return [{ msg: `'validate' must be a function, and is ${kindOf(validator)}` }];
    }
    return findings(await validator(value));
  } catch (thrown) {
    return [{ msg: host.describe(thrown), held: host.failed(thrown) }];
  }
}

// Combines several validators into one, which returns the findings of all.
export function all(...validators) {
  return async (value) => {
    const found = await Promise.all(validators.flat().map((validator) => runValidator(validator, value)));
    const findings = found.flat();
    return findings.length === 0 ? 'ok' : findings;
  };
}
