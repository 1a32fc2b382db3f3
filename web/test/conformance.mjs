// The conformance corpora in the engine and in the native program: same output, same report.
// Usage: node test/conformance.mjs PLUMB CORPORA
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { load } from '../dist-package/node.js';
import { targetOfWords } from '../commands.mjs';

const [program, corpora] = process.argv.slice(2);
const plumb = await load();
const counts = { same: 0, differ: 0 };
const leftOut = new Map();

/** Why a case cannot run in the engine. */
function obstacle({ args, files, env, links }, asked) {
  if (files['vm.yaml'] === '') return 'admission reviews, which the playground does not have';
  const words = args.join(' ');
  if (Object.keys(env ?? {}).length > 0 || /-env/.test(words)) return 'environment';
  if (links || Object.values(files).some((it) => typeof it !== 'string')) return 'links, and files that are not text';
  if (/https?:\/\//.test(words)) return 'network';
  if (/(^|[ =])(\/|\.\.)/.test(words)) return 'files outside';
  if (/--bulk-|--dangerous-emptied/.test(words)) return 'input and output for other programs (--bulk-in, --dangerous-emptied-output-directory)';
  if (!asked) return 'wrong command lines, and those without templates';
  return undefined;
}

/** The flags that say what is printed, each with the name of what it sets. */
const PRINTED = { o: 'output', output: 'output', 'output-files': 'directory' };
const INSPECTED = { 'data-values-inspect': 'data-values', 'data-values-schema-inspect': 'schema', 'files-inspect': 'files' };

/** What a command line asks for: a target, and what is printed of it. Returns nothing if it is wrong. */
function askedBy(args) {
  if (args.includes('')) return undefined;
  if (args[0] === 'fmt') {
    const paths = args.slice(1).filter((it) => it !== '-f');
    return args.length === 1 + 2 * paths.length && paths.every((it) => !it.startsWith('-')) ? { kind: 'fmt', paths } : undefined;
  }
  const rest = [];
  const said = { output: [], directory: [], inspected: [] };
  const words = [...args];
  while (words.length > 0) {
    const word = words.shift();
    const [, name, joined] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (INSPECTED[name]) said.inspected.push(INSPECTED[name]);
    else if (PRINTED[name]) said[PRINTED[name]].push(joined ?? words.shift());
    else if (word.startsWith('-f') && word.length > 2) rest.push('-f', word.slice(2));
    else rest.push(word);
  }
  const types = said.output.flatMap((it) => it.split(','));
  const format = types.find((it) => ['yaml', 'json', 'pos'].includes(it)) ?? 'yaml';
  const target = targetOfWords(rest);
  if (!target) return undefined;
  if (said.directory.length > 0) return { kind: 'files', target: { ...target, 'output-files': said.directory.at(-1) }, directory: said.directory.at(-1) };
  // If several things are asked for, the broadest one is printed.
  const what = ['files', 'schema', 'data-values'].find((it) => said.inspected.includes(it));
  if (what === 'schema') return { kind: 'print', target, format, what: types.find((it) => ['openapi-v3', 'json-schema', 'crd'].includes(it)) ?? 'none' };
  if (what || format !== 'yaml') return { kind: 'print', target, format, what: what ?? 'output' };
  return { kind: 'render', target };
}

/** What the engine prints or writes, and reports. */
function engine({ files, stdin }, asked) {
  const { kind, target } = asked;
  const options = { target, stdin: stdin ?? '' };
  if (kind === 'print') {
    const { text, report } = plumb.print(files, asked.what, asked.format, options);
    return { text, findings: report.findings };
  }
  if (kind === 'fmt') {
    const below = (path) => Object.keys(files).filter((it) => /\.ya?ml$/.test(it) && (path === '.' || it.startsWith(`${path}/`))).sort();
    const all = asked.paths.flatMap((path) => (path in files ? [path] : below(path))).map((path) => plumb.format(path, files[path]));
    return { text: all.map((it) => it.text).join(''), findings: all.flatMap((it) => it.report.findings) };
  }
  const { output, report } = plumb.render(files, options);
  const written = Object.fromEntries((output?.files ?? []).map((it) => [it.path, it.text]));
  return { text: output?.yaml, written, findings: report.findings };
}

/** What the program prints, writes and reports, in a directory of its own. */
function native({ args, files, stdin }, { directory: written }) {
  const directory = mkdtempSync(join(tmpdir(), 'plumb-conformance-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const report = join(directory, '..', `${directory.split('/').at(-1)}.json`);
  const { stdout, status } = spawnSync(program, [...args, `--report=json=${report}`], { cwd: directory, encoding: 'utf8', input: stdin ?? '' });
  let findings = null;
  try {
    findings = JSON.parse(readFileSync(report, 'utf8')).findings;
  } catch {
    // A wrong command line has no report.
  }
  const out = written && status === 0 ? texts(join(directory, written)) : {};
  // What was there before, and is still the same.
  for (const path of Object.keys(out)) {
    if (files[join(written, path)] === out[path]) delete out[path];
  }
  rmSync(directory, { recursive: true });
  rmSync(report, { force: true });
  return { stdout, status, findings, written: out };
}

/** The texts of all files below a directory. */
function texts(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  return Object.fromEntries(entries.map((it) => join(it.parentPath ?? it.path, it.name)).map((path) => [path.slice(directory.length + 1), readFileSync(path, 'utf8')]));
}

/**
 * Findings without their places, each once: flags are lines of a project file here, whose findings are merged. What is
 * about printing, or about the directory that paths start from, is left out.
 */
function compared(findings) {
  const texts = findings
    .filter(({ code }) => code !== 'output/text-not-shown')
    .map(({ code, severity, message, help }) => JSON.stringify([code, severity, message, help.filter((it) => !it.startsWith('paths start'))]));
  return [...new Set(texts)];
}

for (const corpus of ['ytt', 'vm']) {
  for (const suite of readdirSync(join(corpora, corpus)).filter((it) => it.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(corpora, corpus, suite), 'utf8').split('\n').filter(Boolean)) {
      const read = JSON.parse(line);
      const it = corpus === 'ytt' ? read : ofMachine(read);
      const asked = askedBy(it.args);
      const why = obstacle(it, asked);
      if (why) {
        leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
        continue;
      }
      const expected = native(it, asked);
      if (expected.findings?.some(({ code }) => code === 'cli/misuse')) {
        leftOut.set('wrong command lines', (leftOut.get('wrong command lines') ?? 0) + 1);
        continue;
      }
      const found = engine(it, asked);
      const isPrinted = corpus === 'vm' || expected.status !== 0
        || (asked.kind === 'files' ? isSame(found.written, expected.written) : found.text === expected.stdout);
      const isReported = !expected.findings || String(compared(found.findings)) === String(compared(expected.findings));
      if (isPrinted && isReported) counts.same += 1;
      else {
        counts.differ += 1;
        console.log(`differs: ${suite} ${it.name}`);
        if (!isPrinted) console.log(JSON.stringify([expected.stdout.slice(0, 300), found.text?.slice(0, 300), expected.written, found.written]));
        if (!isReported) console.log(JSON.stringify([compared(expected.findings).slice(0, 2), compared(found.findings).slice(0, 2)]));
      }
    }
  }
}

/** Whether two sets of files are the same. */
function isSame(one, other) {
  const sorted = (it) => JSON.stringify(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}

/** A machine and its template as files and arguments. */
function ofMachine({ name, vm, template, templates }) {
  const files = { 'vm.yaml': vm ?? '' };
  const all = template ? [template] : Array.isArray(templates) ? templates : Object.values(templates ?? {});
  all.forEach((text, at) => { files[`templates/t${at}.yaml`] = text; });
  return { name, files, args: ['vm', 'check', ...(all.length > 0 ? ['--template', 'templates'] : []), 'vm.yaml'] };
}

for (const [why, count] of leftOut) console.log(`${count} left out: ${why}`);
console.log(`${counts.same} the same, ${counts.differ} differ`);
process.exitCode = counts.differ === 0 && counts.same > 0 ? 0 : 1;
