// The commands. Each gets the namespaces of the modules that the user named, and reports its findings
// to the host.
import host from 'plumb:host';
import { Format } from '@jkcfg/std';
import { generate } from 'plumb:generate';
import { heldBy, isForHost, runValidators } from 'plumb:validate';
import { inspect, kindOf } from 'plumb:values';

// A module that is not what the command expects; the message says why.
class Unfit extends Error {}

const functionOf = (namespace, what) => {
  const exported = namespace.default;
  if (exported === undefined) throw new Unfit(`the ${what} has no default export`);
  if (typeof exported !== 'function') {
    throw new Unfit(`the default export of the ${what} must be a function, and is ${kindOf(exported)}`);
  }
  return exported;
};

const validatorsOf = (modules) => modules.map((it) => functionOf(it, 'validation module'));

const isStream = (format) => format === Format.YAMLStream || format === Format.JSONStream;

// The values of a file that was named on the command line.
const input = (path) => {
  return { format: host.inputFormat(path), values: host.input(path) };
};

async function generateCommand(script, options, validators) {
  const { toStdout, overwrite } = options;
  if (script.default === undefined) {
    return { problems: ['the script has no default export'], showsHelp: true };
  }
  return generate(script.default, { toStdout, overwrite, validators: validatorsOf(validators) });
}

async function transformCommand(script, options, validators) {
  const { toStdout, overwrite, isUnconfined, files } = options;
  const change = functionOf(script, 'script');
  const elements = files.map((path) => {
    const { format, values } = input(path);
    const changed = Promise.all(values.map(async (value) => {
      const result = await change(value);
      return result === undefined ? value : result;
    }));
    const value = isStream(format) ? changed : changed.then(([only]) => only);
    return { path, value, format };
  });
  const writeFile = isUnconfined
    ? ({ taken, path }) => host.writeInput(taken, path)
    : undefined;
  return generate(elements, { toStdout, overwrite, writeFile, validators: validatorsOf(validators) });
}

async function validateCommand(script, options, validators) {
  const functions = validatorsOf(validators);
  if (script !== undefined) functions.unshift(functionOf(script, 'script'));
  const reports = await Promise.all(options.files.map(async (path) => {
    const { values } = input(path);
    const found = await Promise.all(values.map(async (value, at) => {
      // The host checks the file, whatever the validators change in the value.
      const check = isForHost(value) ? () => heldBy(host.checkInput(path, at)) : () => [];
      const findings = await runValidators(functions, value, check);
      return findings.map((finding) => ({ ...finding, document: at }));
    }));
    return { path, findings: found.flat() };
  }));
  return { reports };
}

// Passes the result of a command to the host. The promise itself resolves to undefined, so that no
// script can make the result look like a promise.
const reported = (command) => async (...args) => {
  let answer;
  try {
    answer = await command(...args);
  } catch (thrown) {
    if (!(thrown instanceof Unfit)) throw thrown;
    answer = { problems: [thrown.message] };
  }
  host.conclude(answer, inspect);
};

export const commands = {
  generate: reported(generateCommand),
  transform: reported(transformCommand),
  validate: reported(validateCommand),
};
