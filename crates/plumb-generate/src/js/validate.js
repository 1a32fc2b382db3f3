// Runs all validators on one value: those of modules, then those of the host (JSON Schemas, and
// rules in other languages).
import host from 'plumb:host';
import { runValidator } from '@jkcfg/std/validation';
import { inspect } from 'plumb:values';

// The host only needs a copy of values that name a schema.
const mayNameSchema = (value) => typeof value === 'object' && value !== null
  && (typeof value.$schema === 'string' || typeof value.toJSON === 'function');

export const isForHost = (value) => value !== undefined
  && (host.checksAll || (host.isPlumb && mayNameSchema(value)));

// Findings of the host by their numbers.
export const heldBy = (numbers) => numbers.map((held) => ({ held }));

const check = (value) => (isForHost(value) ? heldBy(host.check(value, inspect)) : []);

export async function runValidators(validators, value, checkOfHost = check) {
  // Read before any validator can change the value.
  const byHost = checkOfHost(value);
  const found = [];
  for (const validator of validators) found.push(...await runValidator(validator, value));
  found.push(...byHost);
  return found;
}
