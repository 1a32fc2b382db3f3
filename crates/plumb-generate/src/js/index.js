// `@jkcfg/std`: reading, writing, parsing and printing values.
import host from 'plumb:host';
import { contentOf, inspect, overwriteMode, pathText } from 'plumb:values';

const enumeration = (...names) => {
  const members = {};
  names.forEach((name, number) => {
    members[name] = number;
    members[number] = name;
  });
  return Object.freeze(members);
};

export const Format = enumeration('FromExtension', 'JSON', 'YAML', 'Raw', 'YAMLStream', 'JSONStream', 'HCL');
export const Overwrite = enumeration('Skip', 'Write', 'Err');
export const Encoding = enumeration('Bytes', 'String', 'JSON');

export const stdin = Symbol('<stdin>');
export const stdout = Symbol('<stdout>');

export function write(value, path = stdout, options = {}) {
  const { format = Format.FromExtension, indent = 2, overwrite = Overwrite.Write } = options;
  const content = contentOf(value, format === Format.Raw);
  const place = pathText(path, stdout, 'the path to write to');
  host.write(content, inspect, place, [format, indent, overwriteMode(overwrite)]);
}

export function print(...args) {
  const [value, options] = args;
  if (args.length === 0) host.print('\n');
  else if (value === undefined) host.print('undefined\n');
  else write(value, stdout, options);
}

export function log(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  host.log(`${text}\n`.toWellFormed());
}

// Asynchronous to the script, in the order of the calls.
export async function read(path = stdin, options = {}) {
  const { encoding = Encoding.JSON, format = Format.FromExtension, module } = options;
  return host.read(pathText(path, stdin, 'the path to read'), encoding, format, module);
}

export function parse(text, format = Format.JSON) {
  return host.parse(String(text).toWellFormed(), format);
}

export function stringify(value, format = Format.JSON) {
  return host.stringify(contentOf(value, false), inspect, format);
}
