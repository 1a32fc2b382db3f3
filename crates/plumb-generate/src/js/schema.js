// `@jkcfg/std/schema`: validation with JSON Schema.
import host from 'plumb:host';

const outcome = (text) => {
  const found = JSON.parse(text);
  return found.length === 0 ? 'ok' : found;
};
const json = (value) => JSON.stringify(value) ?? 'null';

export function validateWithObject(value, schema) {
  return outcome(host.validateWithObject(json(value), json(schema)));
}

export async function validateWithFile(value, path) {
  return outcome(host.validateWithFile(json(value), String(path).toWellFormed()));
}

export async function validateWithResource(value, path, moduleRef) {
  return outcome(host.validateWithFile(json(value), String(path).toWellFormed(), moduleRef));
}
