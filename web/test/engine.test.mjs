// The engine in Node.js, through the package that is published. Usage: node --test test/engine.test.mjs
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { targetOf, usedBy } from '../commands.mjs';
import { load, loadGenerators } from '../dist-package/node.js';
import { examples } from '../examples.mjs';

const plumb = await load();
const generators = await loadGenerators();
const SCHEMA = `#@data/values-schema
---
#@schema/title "Port of the service"
#@schema/validation min=1, max=65535
port: 80
#@schema/desc "Where it runs"
place:
  region: eu
  #@schema/secret
  key: ""
`;
const TEMPLATE = '#@ load("@ytt:data", "data")\nname: web\nport: #@ data.values.port\n';
const files = { 'schema.yml': SCHEMA, 'config.yml': TEMPLATE };
const set = (path, value, flag = 'data-value-yaml') => ({ values: [{ flag, path, value }] });

test('render: output, its map, data values and the report', () => {
  const { output, values, report, target, targets } = plumb.render(files);
  assert.equal(output.yaml, 'name: web\nport: 80\n');
  assert.equal(output.json, '{"name":"web","port":80}\n');
  assert.deepEqual(output.map, [[1, 1, 'config.yml', 2], [2, 2, 'config.yml', 3]]);
  assert.deepEqual(output.files.map((it) => it.path), ['config.yml']);
  assert.match(values, /^port: 80$/m);
  assert.equal(report.ending, 'fine');
  assert.deepEqual([target, targets], ['playground', ['playground']]);
});

test('render: the form has types, rules and values of the engine', () => {
  const { form } = plumb.render(files, set('port', '8080'));
  const fields = form.sections.flatMap((it) => it.fields);
  const port = fields.find((it) => it.path === 'port');
  assert.equal(port.input, 'number');
  assert.equal(port.title, 'Port of the service');
  assert.equal(port.value, '8080');
  assert.ok(port.rules.length > 0);
  assert.equal(fields.find((it) => it.path === 'place.region').flag, 'data-value');
  const key = plumb.render(files, set('place.key', 's3cr3t', 'data-value')).form.sections.flatMap((it) => it.fields).find((it) => it.path === 'place.key');
  assert.deepEqual([key.input, key.value], ['secret', null]);
});

test('a broken rule is a finding, with the path of the value, and without the value', () => {
  const answer = plumb.render(files, set('port', '70000'));
  const [finding] = answer.report.findings;
  assert.equal(answer.output, null);
  assert.equal(finding.code, 'validation/rule-broken');
  assert.equal(finding.subject.path, 'port');
  assert.ok(!JSON.stringify(answer.report).includes('70000'));
  assert.deepEqual(plumb.check(files, set('port', '70000')), answer.report);
});

test('targets: by name, by keys, and of the project file', () => {
  const project = { ...files, 'plumb.yml': 'targets:\n  a: {file: [schema.yml, config.yml]}\n  b: {extends: a, data-value-yaml: [port=81]}\n' };
  assert.match(plumb.render(project).output.yaml, /port: 80/);
  assert.match(plumb.render(project, { target: 'b' }).output.yaml, /port: 81/);
  assert.match(plumb.render(project, { target: 'b', ...set('port', '82') }).output.yaml, /port: 82/);
  assert.equal(plumb.render(project, { target: 'c' }).report.ending, 'findings');
  const given = plumb.render(project, { target: { file: ['schema.yml', 'config.yml'], 'data-value-yaml': 'port=83' } });
  assert.match(given.output.yaml, /port: 83/);
  assert.equal(plumb.render(files, { target: { fiel: ['.'] } }).report.ending, 'findings');
});

test('schemas are exported, files are formatted, codes are explained', () => {
  assert.match(plumb.exportSchema(files, 'json-schema').text, /maximum: 65535/);
  assert.match(plumb.exportSchema(files, 'openapi-v3').text, /openapi: 3/);
  assert.match(plumb.exportSchema(files, 'crd').text, /kind: CustomResourceDefinition/);
  assert.equal(plumb.print(files, 'output', 'json').text, '{"name":"web","port":80}\n');
  assert.match(plumb.print(files, 'output', 'pos').text, /config.yml:3/);
  assert.equal(plumb.print(files, 'files', 'yaml').text, '- config.yml\n- schema.yml\n');
  assert.match(plumb.print(files, 'data-values', 'yaml', set('port', '81')).text, /^port: 81$/m);
  assert.match(plumb.print(files, 'output', 'xml').misuse, /xml/);
  assert.equal(plumb.format('a.yml', 'a:   1 # one\n').text, 'a: 1 # one\n');
  assert.equal(plumb.format('a.yml', 'a: [').report.ending, 'findings');
  assert.match(plumb.explain('validation/rule-broken'), /^# /);
  assert.equal(plumb.explain('no/such-code'), undefined);
});

test('standard input is what a target reads that names it', () => {
  const read = (target, stdin, texts = {}) => plumb.render(texts, { target, stdin });
  assert.equal(read({ file: ['-'] }, 'a: #@ 1 + 1\n').output.yaml, 'a: 2\n');
  assert.deepEqual(read({ file: 'x.txt=-' }, '(@= "b" @)').output.files, [{ path: 'x.txt', text: 'b', map: [[1, 1, '/dev/stdin', 1]] }]);
  assert.match(read({ file: ['schema.yml', 'config.yml'], 'data-values-file': ['-'] }, 'port: 81\n', files).output.yaml, /port: 81/);
  const other = { 'a.yml': '#@ load("@ytt:data", "data")\n#@data/values\n---\nv: ""\n', 'b.yml': '#@ load("@ytt:data", "data")\nv: #@ data.values.v\n' };
  assert.equal(read({ file: ['a.yml', 'b.yml'], 'data-value-file': ['v=-'] }, 'text', other).output.yaml, 'v: text\n');
  assert.equal(plumb.render({}, { target: { file: ['-'] } }).report.ending, 'findings');
});

const GENERATOR = `import * as param from '@jkcfg/std/param';
interface Web { port: number }
const web: Web = { port: param.Number('port', 80) };
console.log('made');
export default [{ path: 'web.yaml', value: web, validate: (it: Web) => it.port < 100 || 'expected a port below 100' }];
`;

test('generators: files, what was printed, and findings', () => {
  const generate = (parameter = []) => generators.generate({ 'web.ts': GENERATOR }, { target: { generate: 'web.ts', parameter } });
  const { output, report, printed, targets } = generate();
  assert.deepEqual(output.files, [{ path: 'web.yaml', text: 'port: 80\n' }]);
  assert.equal(output.yaml, 'port: 80\n');
  assert.deepEqual([report.ending, printed, targets], ['fine', ['made'], ['playground']]);
  const refused = generate(['port=8080']);
  assert.equal(refused.output, null);
  assert.equal(refused.report.findings[0].code, 'generate/invalid-value');
  const broken = generators.generate({ 'a.js': 'export default nothing;' }, { target: { generate: 'a.js' } });
  assert.equal(broken.report.findings[0].code, 'generate/exception');
  const project = { 'web.ts': GENERATOR, 'a.yml': 'a: 1\n', 'plumb.yml': 'targets:\n  a: {file: [a.yml]}\n  web: {generate: web.ts, output-directory: out}\n' };
  assert.deepEqual(generators.generate(project, { target: 'web' }).output.files.map((it) => it.path), ['web.yaml']);
  const other = generators.generate(project);
  assert.deepEqual([other.targets, other.target, other.output], [['a', 'web'], 'a', undefined]);
});

const DEEP_SCRIPTS = {
  'calls': 'const f = (n) => f(n + 1) + 1; export default f(0);',
  'calls of methods': 'class A { get x() { return this.x; } } export default new A().x;',
  'parentheses': `export default ${'('.repeat(5000)}1${')'.repeat(5000)};`,
  'arrays': `export default ${'['.repeat(5000)}1${']'.repeat(5000)};`,
  'a value': 'let x = []; for (let i = 0; i < 100000; i++) x = [x]; export default [{ path: "a.yaml", value: x }];',
  'a value within the limit': 'let x = []; for (let i = 0; i < 400; i++) x = [x]; export default [{ path: "a.yaml", value: x }];',
  'JSON': 'export default JSON.parse("[".repeat(100000) + "]".repeat(100000));',
  'a text of JSON': 'let x = []; for (let i = 0; i < 100000; i++) x = [x]; export default JSON.stringify(x);',
  'regular expressions': 'export default new RegExp("(".repeat(10000) + ")".repeat(10000));',
  'matching': 'export default /^(a|b)*$/.test("a".repeat(1000000));',
  'sorting': 'const f = () => [2, 1].sort(f); export default f();',
  'memory': 'const x = []; for (;;) x.push("a".repeat(1 << 20) + x.length); export default x;',
  'templates': `export default ${'`${'.repeat(2000)}1${'}`'.repeat(2000)};`,
  'types': `let x: ${'Array<'.repeat(2000)}1${'>'.repeat(2000)}; export default [];`,
};

for (const [name, script] of Object.entries(DEEP_SCRIPTS)) {
  for (const path of ['a.js', 'a.ts']) {
    test(`deep scripts: ${name} in ${path}`, () => {
      assert.ok(generators.generate({ [path]: script }, { target: { generate: path } }).report);
    });
  }
}

test('machines have a verdict', () => {
  const machine = (cores) => `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: small
  annotations:
    vm.kubevirt.io/validations: |
      [{"name": "cores", "rule": "integer", "min": 2, "message": "expected 2 cores",
        "path": "jsonpath::.spec.template.spec.domain.cpu.cores"}]
spec: {template: {spec: {domain: {cpu: {cores: ${cores}}}}}}
`;
  const refused = plumb.vmCheck({ 'vm.yaml': machine(1) }, ['vm.yaml']);
  assert.equal(refused.verdict.isAccepted, false);
  assert.equal(refused.verdict.broken[0].rule, 'cores');
  assert.equal(plumb.vmCheck({ 'vm.yaml': machine(4) }, ['vm.yaml']).verdict.isAccepted, true);
});

test('a request that is wrong is a value too', () => {
  assert.match(plumb.render({ 'a.yml': 1 }).misuse, /request is not valid/);
  assert.equal(plumb.render({}, { target: { file: ['a.yml'] } }).report.ending, 'findings');
});

/** Deep input in each place where something recurses over it. */
const DEEP = {
  'flow of YAML': { 'a.yml': `a: ${'['.repeat(5000)}${']'.repeat(5000)}\n` },
  'blocks of YAML': { 'a.yml': Array.from({ length: 1500 }, (_, at) => `${' '.repeat(at)}a:`).join('\n') },
  'YAML within the limit': { 'a.yml': `a: ${'['.repeat(490)}${']'.repeat(490)}\n` },
  'parentheses': { 'a.yml': `a: #@ ${'('.repeat(5000)}1${')'.repeat(5000)}\n` },
  'lists of code': { 'a.yml': `a: #@ ${'['.repeat(240)}1${']'.repeat(240)}\n` },
  'calls': { 'a.yml': '#@ def f(n):\n#@   return f(n + 1)\n#@ end\na: #@ f(0)\n' },
  'calls through native functions': { 'a.yml': '#@ def f(n):\n#@   return sorted([1, 2], key=f)\n#@ end\na: #@ f(0)\n' },
  'a value that code nests': { 'a.yml': '#@ def f():\n#@   x = []\n#@   for i in range(100000):\n#@     x = [x]\n#@   end\n#@   return x\n#@ end\na: #@ f()\n' },
  'a value that code nests within the limit': { 'a.yml': '#@ def f():\n#@   x = []\n#@   for i in range(450):\n#@     x = [x]\n#@   end\n#@   return x\n#@ end\na: #@ f()\n' },
  'JSON': { 'a.yml': `#@ load("@ytt:json", "json")\na: #@ json.decode("[" * 100000 + "]" * 100000)\n` },
  'JSON within the limit': { 'a.yml': `#@ load("@ytt:json", "json")\na: #@ json.decode("[" * 450 + "]" * 450)\n` },
  'YAML in code': { 'a.yml': `#@ load("@ytt:yaml", "yaml")\na: #@ yaml.decode("[" * 450 + "]" * 450)\n` },
  'TOML': { 'a.yml': `#@ load("@ytt:toml", "toml")\na: #@ toml.decode("a = " + "[" * 450 + "]" * 450)\n` },
  'regular expressions': { 'a.yml': `#@ load("@ytt:regexp", "regexp")\na: #@ regexp.match("(" * 900 + "a" + ")" * 900, "a")\n` },
  'schemas': { 'schema.yml': `#@data/values-schema\n---\na: ${'{a: '.repeat(450)}1${'}'.repeat(450)}\n`, 'a.yml': 'b: 1\n' },
  'overlays': { 'a.yml': `a: ${'{a: '.repeat(450)}1${'}'.repeat(450)}\n`, 'o.yml': `#@ load("@ytt:overlay", "overlay")\n#@overlay/match by=overlay.all\n---\na: ${'{a: '.repeat(450)}2${'}'.repeat(450)}\n` },
  'libraries': { 'a.yml': 'a: 1\n', '_ytt_lib/x/a.yml': 'b: 1\n' },
};

for (const [name, deep] of Object.entries(DEEP)) {
  test(`deep input: ${name}`, () => {
    assert.ok(plumb.render(deep).report);
    for (const [path, text] of Object.entries(deep)) assert.ok(plumb.format(path, text).report);
    assert.ok(plumb.exportSchema(deep, 'json-schema').report);
    const server = plumb.languageServer();
    const send = (message) => JSON.parse(server.handle(JSON.stringify({ jsonrpc: '2.0', ...message })));
    send({ id: 1, method: 'initialize', params: { capabilities: {} } });
    for (const [path, text] of Object.entries(deep)) {
      const uri = `file:///work/${path}`;
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 0, text } } });
      assert.ok(Array.isArray(JSON.parse(server.check())));
      for (const method of ['documentSymbol', 'semanticTokens/full', 'foldingRange', 'formatting']) {
        const [answer] = send({ id: 2, method: `textDocument/${method}`, params: { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } } });
        assert.equal(answer.error, undefined, `${method}: ${JSON.stringify(answer.error)}`);
      }
    }
    server.free();
  });
}

test('memory and steps are limited', () => {
  const memory = plumb.render({ 'a.yml': '#@ def f():\n#@   x = "aaaaaaaa"\n#@   for i in range(60):\n#@     x = x + x\n#@   end\n#@   return x\n#@ end\na: #@ f()\n' });
  assert.equal(memory.report.findings[0].code, 'template/limit');
  const steps = plumb.render({ 'a.yml': '#@ def f():\n#@   for i in range(100000000):\n#@     x = i\n#@   end\n#@ end\na: #@ f()\n' }, { target: { file: ['a.yml'], 'step-limit': '1000000' } });
  assert.equal(steps.report.findings[0].code, 'template/limit');
});

test('the language server answers over files in memory', () => {
  const server = plumb.languageServer();
  const send = (message) => JSON.parse(server.handle(JSON.stringify({ jsonrpc: '2.0', ...message })));
  send({ id: 1, method: 'initialize', params: { capabilities: {} } });
  const all = { ...files, 'config.yml': TEMPLATE.replace('values.port', 'values.prot'), 'plumb.yml': plumb.projectFile(files) };
  for (const [path, text] of Object.entries(all)) {
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri: `file:///work/${path}`, languageId: 'yaml', version: 0, text } } });
  }
  assert.equal(server.hasCheck(), true);
  const published = JSON.parse(server.check()).find((it) => it.params.uri.endsWith('config.yml'));
  assert.equal(published.params.diagnostics.length, 1);
  const textDocument = { uri: 'file:///work/config.yml' };
  const [{ range }] = published.params.diagnostics;
  const [{ result }] = send({ id: 2, method: 'textDocument/codeAction', params: { textDocument, range, context: { diagnostics: [] } } });
  assert.equal(result[0].title, 'Replace by `port`');
  server.free();
});

const root = new URL('..', new URL('..', import.meta.url)).pathname;
const all = examples(root);

test('examples: each one runs, and those in examples/ are fine', () => {
  for (const { id, files: texts, target, group } of all) {
    const answer = target?.generate ? generators.generate(texts, { target }) : plumb.render(texts, { target });
    assert.equal(answer.misuse, undefined, id);
    assert.ok(answer.output || answer.verdict || answer.report.findings.length > 0, id);
    const isFine = group !== 'Examples' || id === 'machines';
    assert.ok(isFine || answer.report.summary.errors === 0, `${id}: ${JSON.stringify(answer.report.findings)}`);
  }
});

/** All pages of the manual; reference pages are links to case files. */
function pagesBelow(directory) {
  return readdirSync(directory).sort().flatMap((name) => {
    const path = `${directory}/${name}`;
    if (statSync(path).isDirectory()) return pagesBelow(path);
    return name.endsWith('.md') ? [path] : [];
  });
}

/** The links of a page, as its script makes them. */
const linksOf = new Function('document', `${readFileSync(`${root}docs/theme/playground.js`, 'utf8')}; return linksOf;`)({ querySelectorAll: () => [], querySelector: () => null });

function blocksOf(text) {
  const found = text.matchAll(/^(?:## (.*)|```([^\n]*)\n([\s\S]*?)^```)$/gm);
  return [...found].map(([, heading, info = '', body = '']) => ({ heading, file: /\bfile=(\S+)/.exec(info)?.[1], console: info === 'console', text: body }));
}

test('manual: every console that can be run has a link, and every link renders or shows its findings', () => {
  let n = 0;
  for (const page of pagesBelow(`${root}docs/src`)) {
    const blocks = blocksOf(readFileSync(page, 'utf8'));
    const commands = blocks.filter((it) => it.console).map((it) => it.text.split('\n')[0]);
    const links = linksOf('', blocks);
    assert.equal(links.length, commands.length);
    links.forEach((link, at) => {
      const target = targetOf(commands[at]);
      const hasFiles = blocks.some((it) => it.file);
      assert.ok(link || !target || !hasFiles, `${page}: ${commands[at]} can be run, but is not linked`);
      if (!link) return;
      assert.ok(target, `${page}: ${commands[at]} is linked, but cannot be run`);
      const used = usedBy(target, link.files);
      const answer = target.generate ? generators.generate(used, { target }) : plumb.render(used, { target });
      assert.equal(answer.misuse, undefined, page);
      assert.ok(answer.output || answer.verdict || answer.report.findings.length > 0, `${page}: ${commands[at]}`);
      n += 1;
    });
  }
  console.log(`${n} links`);
  assert.ok(n > 300, String(n));
});
