// `@jkcfg/std/schema`: validation with JSON Schema.
import host from 'plumb:host';
import { inspect } from 'plumb:values';

const outcome = (found) => (found.length === 0 ? 'ok' : found.map(([msg, path]) => ({ msg, path })));

export function validateWithObject(value, schema) {
  return outcome(host.validateWithObject(value, schema, inspect));
}

export async function validateWithFile(value, path) {
  return outcome(host.validateWithFile(value, inspect, String(path).toWellFormed()));
}

export async function validateWithResource(value, path, moduleRef) {
  return outcome(host.validateWithFile(value, inspect, String(path).toWellFormed(), moduleRef));
}
