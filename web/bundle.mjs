// Bundles the page into dist/, and the package into dist-package/: node bundle.mjs. The engine must be in build/ (see README.md).
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { examples } from './examples.mjs';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const common = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };

async function workerText() {
  const { outputFiles } = await build({ ...common, entryPoints: [join(here, 'src/worker.ts')], write: false, format: 'iife' });
  return outputFiles[0].text;
}

/** Modules that have no file: the worker as text, and the examples. */
const virtual = {
  name: 'virtual',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(worker|examples):$/ }, ({ path }) => ({ path, namespace: 'virtual' }));
    onLoad({ filter: /^worker:$/, namespace: 'virtual' }, async () => ({ contents: await workerText(), loader: 'text' }));
    onLoad({ filter: /^examples:$/, namespace: 'virtual' }, () => ({ contents: JSON.stringify(examples(join(here, '..'))), loader: 'json' }));
  },
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
await build({
  ...common, entryPoints: { app: join(here, 'src/main.ts'), style: join(here, 'src/style.css') }, outdir: dist, format: 'esm',
  plugins: [virtual],
});
copyFileSync(join(here, 'build/engine_bg.wasm'), join(dist, 'engine.wasm'));
// The styles that the editor makes are allowed by this word, which is of this build.
const nonce = createHash('sha256').update(readFileSync(join(dist, 'app.js'))).digest('base64url').slice(0, 16);
writeFileSync(join(dist, 'index.html'), readFileSync(join(here, 'src/index.html'), 'utf8').replaceAll('NONCE', nonce));

const packed = join(here, 'dist-package');
rmSync(packed, { recursive: true, force: true });
await build({
  ...common, minify: false, entryPoints: ['index', 'node'].map((it) => join(here, `package/${it}.ts`)), outdir: packed,
  format: 'esm', platform: 'neutral', external: ['node:*'],
});
for (const name of ['package.json', 'README.md']) copyFileSync(join(here, 'package', name), join(packed, name));
copyFileSync(join(here, 'build/engine_bg.wasm'), join(packed, 'engine.wasm'));
// The types of the engine's own classes are those of its JavaScript side.
const types = readFileSync(join(here, 'src/api.ts'), 'utf8');
writeFileSync(join(packed, 'index.d.ts'), declarations(types));

/** The declarations of the API: what it exports, without code. */
function declarations(text) {
  const made = ts.transpileDeclaration(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 } });
  const engine = readFileSync(join(here, 'build/engine.d.ts'), 'utf8');
  const server = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*export class LanguageServer \{[\s\S]*?\n\}/.exec(engine)[0];
  const load = '/** Starts the engine. It can be started once in a process, page or worker. */\nexport declare function load(): Promise<Plumb>;\n';
  return `${made.outputText.replace(/^import .*\n/gm, '')}\n${server}\n${load}`;
}
