// One value before all judges: validators of modules, then what the host checks by itself (JSON
// Schemas, and rules in other languages).
import host from 'plumb:host';
import { judge } from '@jkcfg/std/validation';

// Taken before any script runs.
const { parse, stringify } = JSON;

// Only values that name a schema are worth a copy for the host.
const mayNameSchema = (value) => typeof value === 'object' && value !== null
  && (typeof value.$schema === 'string' || typeof value.toJSON === 'function');

export const isForHost = (value) => value !== undefined
  && (host.checksAll || (host.isPlumb && mayNameSchema(value)));

const check = (value) => {
  if (!isForHost(value)) return [];
  return parse(host.check(stringify(value) ?? 'null'));
};

export async function judgeAll(validators, value, checkOfHost = check) {
  // Before any validator can change what the value makes of itself.
  const byHost = checkOfHost(value);
  const found = [];
  for (const validator of validators) found.push(...await judge(validator, value));
  found.push(...byHost);
  return found;
}
