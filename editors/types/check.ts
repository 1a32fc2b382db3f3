// Compiled by .ci/editors: uses every module, and must have no type errors.
import { Encoding, Format, Overwrite, log, parse, print, read, stdin, stdout, stringify, write } from '@jkcfg/std';
import * as param from '@jkcfg/std/param';
import { dir, info, join, walk } from '@jkcfg/std/fs';
import { deep, deepWithKey, first, merge, replace } from '@jkcfg/std/merge';
import { validateWithFile, validateWithObject } from '@jkcfg/std/schema';
import { Validator, all } from '@jkcfg/std/validation';
import { read as readResource } from '@jkcfg/std/resource';

const name: string = param.String('name', 'web');
const replicas: number = param.Number('replicas', 2);
const debug: boolean | undefined = param.Boolean('debug');

const base = { metadata: { name }, spec: { replicas, containers: [{ name, image: 'nginx' }] } };
const merged = merge(base, { spec: { paused: debug } }, deep({ spec: { containers: deepWithKey('name') } }));
write(merged, 'deployment.yaml', { format: Format.YAML, overwrite: Overwrite.Write });
write(merge(1, 2, replace()), stdout);
print(first()(1, 2));
log(stringify(parse('{}', Format.JSON)));

export const validator: Validator = all((value) => (value.kind ? 'ok' : { msg: 'expected a kind', path: 'kind' }));

export default async function main(): Promise<void> {
  const text: string = await read('a.txt', { encoding: Encoding.String });
  const bytes: Uint8Array = await read(stdin, { encoding: Encoding.Bytes });
  const sizes = [text.length, bytes.length, ...Array.from(walk('.'), (it) => it.path.length)];
  log([sizes, dir('.').files.length, info(join('.', 'a.txt')).isdir, await readResource('b.json')]);
  log([validateWithObject({}, { type: 'object' }), await validateWithFile({}, 'schema.json')]);
}
