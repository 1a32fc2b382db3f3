// The command `generate`: writes the files of a module's default export, all of them or none.
import host from 'plumb:host';
import { Format, stdout } from '@jkcfg/std';
import { runValidator } from '@jkcfg/std/validation';
import { runValidators } from 'plumb:validate';
import { contentOf, inspect, kindOf, overwriteMode, pathText, protect } from 'plumb:values';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const ordinal = (n) => {
  const endings = { 1: 'st', 2: 'nd', 3: 'rd' };
  const isTeen = Math.floor(n / 10) % 10 === 1;
  return `${n}${(!isTeen && endings[n % 10]) || 'th'}`;
};

// The properties of an element: its own, and the options of `write`.
const PROPERTIES = ['path', 'value', 'validate', 'format', 'indent', 'overwrite', 'file'];

// A property that is not read, and is probably one that is missing. A validator must not get lost.
const misspelt = (element) => {
  const missing = PROPERTIES.filter((name) => !Object.hasOwn(element, name));
  const others = Object.keys(element).filter((name) => !PROPERTIES.includes(name));
  return others.flatMap((name) => {
    const meant = host.nearest(name, missing);
    return meant === undefined ? [] : [[name, meant]];
  });
};

const notAnArray = (definition) => {
  if (!host.isPlumb) return 'default value is not an array';
  if (!isObject(definition)) return `expected the default export to be an array, found ${kindOf(definition)}`;
  return Object.hasOwn(definition, 'files')
    ? `expected 'files' of the default export to be an array, found ${kindOf(definition.files)}`
    : 'expected the default export to be an array, found an object without \'files\'';
};

// The elements of a definition and the validator of the whole, or what is wrong with it.
const shape = (definition) => {
  const isWhole = isObject(definition) && Array.isArray(definition.files);
  const elements = isWhole ? definition.files : definition;
  if (!Array.isArray(elements)) return { problems: [notAnArray(definition)] };
  const problems = [];
  elements.forEach((element, at) => {
    const holder = isObject(element) ? element : {};
    if (holder.path === undefined && !Object.hasOwn(holder, 'file')) {
      problems.push(`${ordinal(at + 1)} element does not have a 'path' property`);
    }
    if (!Object.hasOwn(holder, 'value')) {
      problems.push(`${ordinal(at + 1)} element does not have a 'value' property`);
    }
    if (!host.isPlumb) return;
    for (const [name, meant] of misspelt(holder)) {
      problems.push(`${ordinal(at + 1)} element has a property '${name}', which is not read; did you mean '${meant}'?`);
    }
  });
  return { problems, elements, whole: isWhole ? definition.validate : undefined };
};

// Rejections are handled only after all values are known, so that none is missed in the meantime.
const realise = async (elements) => {
  const values = await Promise.all(elements.map((element) => element.value));
  return elements.map((element, at) => {
    const { path, file, value, validate, ...options } = element;
    return { path: path ?? file, value: values[at], validate, options };
  });
};

// What is wrong with a format, if anything.
const oddFormat = (format) => {
  if (format === undefined || (typeof format === 'number' && typeof Format[format] === 'string')) return undefined;
  const found = typeof format === 'number' ? 'another number' : kindOf(format);
  return `'format' must be one of std.Format, such as std.Format.YAML, and is ${found}`;
};

// Values that cannot be written to a file, and values that would be lost.
const misfits = (files, toStdout) => {
  const problems = [];
  const seen = new Map();
  files.forEach(({ path, value, options: { format } }, at) => {
    const element = `${ordinal(at + 1)} element`;
    if (typeof path !== 'string') {
      problems.push(`the path of the ${element} is ${kindOf(path)}, not a string`);
      return;
    }
    if (path === '' && !toStdout) problems.push(`the path of the ${element} is empty`);
    const odd = oddFormat(format);
    if (odd !== undefined) problems.push(`${path}: ${odd}`);
    if (value === undefined) problems.push(`${path}: the value is undefined`);
    const place = host.join('.', path.toWellFormed());
    if (seen.has(place) && !toStdout) {
      problems.push(`${path}: the ${element} would replace the ${ordinal(seen.get(place) + 1)}`);
    }
    seen.set(place, at);
  });
  return problems;
};

const isStream = (format) => format === Format.YAMLStream || format === Format.JSONStream;

// An element's own validator gets the whole value; all others get each document of a stream.
const validated = async ({ path, value, validate, options: { format } }, validators) => {
  if (host.isPlumb && (validate !== undefined || validators.length > 0)) protect(value);
  const found = validate === undefined ? [] : await runValidator(validate, value);
  const documents = isStream(format) && Array.isArray(value) ? value : [value];
  for (const document of documents) found.push(...await runValidators(validators, document));
  return { path: String(path), findings: found };
};

const formatOf = ({ path, value, options: { format = Format.FromExtension } }) => {
  if (format !== Format.FromExtension) return format;
  if (typeof value === 'string' || value instanceof String) return Format.Raw;
  switch (path.split('.').pop()) {
  case 'yaml': case 'yml': return Format.YAML;
  case 'hcl': case 'tf': return Format.HCL;
  default: return Format.JSON;
  }
};

const STREAMS = new Map([
  [Format.YAML, Format.YAMLStream],
  [Format.YAMLStream, Format.YAMLStream],
  [Format.JSON, Format.JSONStream],
  [Format.JSONStream, Format.JSONStream],
]);

// Prints the values of all files; returns what cannot be written.
const take = (files, toStdout) => {
  const problems = [];
  for (const file of files) {
    const { path, value, format, options: { indent = 2 } } = file;
    const content = contentOf(value, format === Format.Raw);
    const stream = toStdout ? STREAMS.get(format) : undefined;
    file.taken = stream === undefined
      ? host.take(content, inspect, toStdout ? '' : String(path), [format, indent])
      : host.takePart(content, inspect, stream, isStream(format));
    if (typeof file.taken === 'string') problems.push(`${path}: ${file.taken}`);
  }
  return problems;
};

// Writes all files to standard output, or returns why they cannot be printed together.
const print = (files) => {
  const formats = files.map(({ format }) => format);
  const streams = new Set(formats.map((format) => STREAMS.get(format) ?? format));
  const areStreams = formats.every((format) => STREAMS.has(format));
  if (streams.size > 1 || (!areStreams && files.length > 1)) {
    const seen = [...new Set(formats)].sort((left, right) => left - right).map((it) => Format[it]);
    return [`stdout requires compatible formats, but have seen ${seen.join(',')}`];
  }
  const numbers = files.map(({ taken }) => taken);
  if (areStreams) host.printParts(numbers, [...streams][0]);
  else host.writeTaken(numbers[0], '', 1);
  return [];
};

const write = ({ taken, path, options: { overwrite } }, fallback) => {
  const place = pathText(path, stdout, 'the path to write to');
  host.writeTaken(taken, place, overwriteMode(overwrite ?? fallback));
};

// Executes `definition`. Resolves to the findings, in the form that the host expects.
export async function generate(definition, { validators, toStdout, overwrite, writeFile = write }) {
  const given = await (typeof definition === 'function' ? definition() : definition);
  const { problems, elements, whole } = shape(given);
  if (problems.length > 0) return { problems, showsHelp: true };
  const files = await realise(elements);
  const odd = host.isPlumb ? misfits(files, toStdout) : [];
  if (odd.length > 0) return { problems: odd };
  for (const file of files) {
    file.format = toStdout ? formatOf(file) : file.options.format ?? Format.FromExtension;
  }
  // The written value is read before validators run, so they cannot change it. In jk they can.
  if (host.isPlumb) {
    const unwritable = take(files, toStdout);
    if (unwritable.length > 0) return { problems: unwritable };
  }
  const reports = await Promise.all(files.map((file) => validated(file, validators)));
  if (whole !== undefined) {
    const values = files.map(({ value }) => value);
    if (host.isPlumb) protect(values);
    reports.push({ findings: await runValidator(whole, values) });
  }
  const failed = reports.filter(({ findings }) => findings.length > 0);
  if (failed.length > 0) return { reports: failed };
  if (!host.isPlumb) take(files, toStdout);
  if (toStdout) return files.length === 0 ? {} : { problems: print(files) };
  for (const file of files) writeFile(file, overwrite);
  return {};
}
