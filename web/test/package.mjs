// Uses the package as its readers do: by its name. Runs in Node.js, Deno and Bun.
import assert from 'node:assert/strict';
import { load, loadGenerators } from 'plumb-config';

const plumb = await load();
const { output, report } = plumb.render({ 'a.yml': 'a: #@ 1 + 1\n' });
assert.equal(output.yaml, 'a: 2\n');
assert.equal(report.ending, 'fine');
const stdin = plumb.render({}, { target: { file: ['-'] }, stdin: 'b: #@ 2 + 2\n' });
assert.equal(stdin.output.yaml, 'b: 4\n');

const generators = await loadGenerators();
const script = 'type Port = number;\nconst port: Port = 80;\nexport default [{ path: "web.yaml", value: { port } }];\n';
const generated = generators.generate({ 'web.ts': script }, { target: { generate: 'web.ts' } });
assert.deepEqual(generated.output.files, [{ path: 'web.yaml', text: 'port: 80\n' }]);

const runtime = globalThis.Deno ? `Deno ${Deno.version.deno}` : globalThis.Bun ? `Bun ${Bun.version}` : `Node.js ${process.version}`;
console.log(`plumb-config ${plumb.version} renders and generates in ${runtime}`);
