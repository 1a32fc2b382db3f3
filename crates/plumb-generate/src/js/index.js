// `@jkcfg/std`: reading, writing, parsing and printing values.
import host from 'plumb:host';
import { overwriteMode, pathText, textOf } from 'plumb:values';

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
  const { format = Format.FromExtension, indent = 2, overwrite = Overwrite.Write, module } = options;
  const text = textOf(value, format === Format.Raw);
  host.write(text, pathText(path, stdout, 'the path to write to'), format, indent, overwriteMode(overwrite), module);
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
  const content = host.read(pathText(path, stdin, 'the path to read'), encoding, format, module);
  return encoding === Encoding.JSON ? JSON.parse(content) : content;
}

export function parse(text, format = Format.JSON) {
  return JSON.parse(host.parse(String(text).toWellFormed(), format));
}

export function stringify(value, format = Format.JSON) {
  return host.stringify(textOf(value, false), format);
}
