// One value before all judges: validators of modules, then what the host checks by itself (JSON
// Schemas, and rules in other languages).
import host from 'plumb:host';
import { judge } from '@jkcfg/std/validation';

export async function judgeAll(validators, value) {
  const found = [];
  for (const validator of validators) found.push(...await judge(validator, value));
  if (host.checks && typeof value !== 'string' && value !== undefined) {
    found.push(...JSON.parse(host.check((JSON.stringify(value) ?? 'null').toWellFormed())));
  }
  return found;
}
