// The conformance corpora in the engine and in the native program: same output, same report.
// Usage: node test/conformance.mjs PLUMB CORPORA
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { load } from '../dist-package/node.js';
import { targetOfWords } from '../examples.mjs';

const [program, corpora] = process.argv.slice(2);
const plumb = await load();
const counts = { same: 0, differ: 0 };
const leftOut = new Map();

/** Why a case cannot run in the engine. */
function obstacle({ args, files, stdin, env, links }) {
  if (files['vm.yaml'] === '') return 'admission reviews';
  const words = args.join(' ');
  if (stdin || / -( |$)|=-( |$)/.test(`${words} `)) return 'standard input';
  if (Object.keys(env ?? {}).length > 0 || /-env/.test(words)) return 'environment';
  if (links || /https?:\/\//.test(words)) return 'links or network';
  if (/(^|[ =])(\/|\.\.)/.test(words)) return 'files outside';
  if (Object.values(files).some((it) => typeof it !== 'string')) return 'files that are not text';
  if ('plumb.yml' in files) return 'a project file';
  if (args.includes('')) return 'wrong command lines';
  if (!targetOfWords(args)) return 'other commands and output';
  return undefined;
}

/** What the program prints and reports, in a directory of its own. */
function native({ args, files }) {
  const directory = mkdtempSync(join(tmpdir(), 'plumb-conformance-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const report = join(directory, '..', `${directory.split('/').at(-1)}.json`);
  const { stdout, status } = spawnSync(program, [...args, `--report=json=${report}`], { cwd: directory, encoding: 'utf8' });
  let findings = null;
  try {
    findings = JSON.parse(readFileSync(report, 'utf8')).findings;
  } catch {
    // A wrong command line has no report.
  }
  rmSync(directory, { recursive: true });
  rmSync(report, { force: true });
  return { stdout, status, findings };
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
      const why = obstacle(it);
      if (why) {
        leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
        continue;
      }
      const expected = native(it);
      if (expected.findings?.some(({ code }) => code === 'cli/misuse')) {
        leftOut.set('wrong command lines', (leftOut.get('wrong command lines') ?? 0) + 1);
        continue;
      }
      const { output, report } = plumb.render(it.files, { target: targetOfWords(it.args) });
      const isPrinted = corpus === 'vm' || expected.status !== 0 || output?.yaml === expected.stdout;
      const isReported = !expected.findings || String(compared(report.findings)) === String(compared(expected.findings));
      if (isPrinted && isReported) counts.same += 1;
      else {
        counts.differ += 1;
        console.log(`differs: ${suite} ${it.name}`);
        if (!isPrinted) console.log(JSON.stringify([expected.stdout.slice(0, 300), output?.yaml?.slice(0, 300)]));
        if (!isReported) console.log(JSON.stringify([compared(expected.findings).slice(0, 2), compared(report.findings).slice(0, 2)]));
      }
    }
  }
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
