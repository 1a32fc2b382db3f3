// Bundles the page into dist/, and the package into dist-package/: node bundle.mjs. The engine must be in build/ (see README.md).
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import ts from 'typescript';
import { examples } from './examples.mjs';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const common = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning', metafile: true, alias: { env: join(here, 'src/env.ts') } };

/** The sources of everything that was bundled into the page. */
const sources = new Set();

async function bundled(options) {
  const result = await build({ ...common, ...options });
  for (const path of Object.keys(result.metafile.inputs)) sources.add(path);
  return result;
}

async function workerText() {
  const { outputFiles } = await bundled({ entryPoints: [join(here, 'src/worker.ts')], write: false, format: 'iife' });
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
await bundled({
  entryPoints: { app: join(here, 'src/main.ts'), style: join(here, 'src/style.css') }, outdir: dist, format: 'esm', plugins: [virtual],
});
const MODULES = ['engine', 'generators'];
for (const name of MODULES) copyFileSync(join(here, `build/${name}_bg.wasm`), join(dist, `${name}.wasm`));
// The styles that the editor makes are allowed by this word, which is of this build.
const nonce = createHash('sha256').update(readFileSync(join(dist, 'app.js'))).digest('base64url').slice(0, 16);
writeFileSync(join(dist, 'index.html'), readFileSync(join(here, 'src/index.html'), 'utf8').replaceAll('NONCE', nonce));
writeFileSync(join(dist, 'licences.txt'), licences());
compress();

const packed = join(here, 'dist-package');
rmSync(packed, { recursive: true, force: true });
await build({
  ...common, minify: false, entryPoints: ['index', 'node'].map((it) => join(here, `package/${it}.ts`)), outdir: packed,
  format: 'esm', platform: 'neutral', external: ['node:*'],
});
for (const name of ['package.json', 'README.md']) copyFileSync(join(here, 'package', name), join(packed, name));
copyFileSync(join(here, '../LICENSE'), join(packed, 'LICENSE'));
for (const name of MODULES) copyFileSync(join(here, `build/${name}_bg.wasm`), join(packed, `${name}.wasm`));
// The types of the engine's own classes are those of its JavaScript side.
const types = readFileSync(join(here, 'src/api.ts'), 'utf8');
writeFileSync(join(packed, 'index.d.ts'), declarations(types));

/** The licences of the packages whose code is in the page. */
function licences() {
  const names = [...sources].map((it) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(it)?.[1]).filter(Boolean);
  const texts = [...new Set(names)].sort().map((name) => {
    const folder = join(here, 'node_modules', name);
    const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it));
    if (!file) throw new Error(`the package ${name} has no licence`);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  const own = `Plumb\n\n${readFileSync(join(here, '../LICENSE'), 'utf8').trim()}\n`;
  return [own, ...texts].join(`\n${'='.repeat(80)}\n`);
}

/** Writes each file in two compressed forms, for servers that send them as they are, and says how much the first load is. */
function compress() {
  const MAX = 2_000_000;
  const LATER = ['generators.wasm', 'licences.txt'];
  const sizes = readdirSync(dist).sort().map((name) => {
    const bytes = readFileSync(join(dist, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const forms = { brotli: brotliCompressSync(bytes, { params }), gzip: gzipSync(bytes, { level: 9 }) };
    writeFileSync(join(dist, `${name}.br`), forms.brotli);
    writeFileSync(join(dist, `${name}.gz`), forms.gzip);
    return { name, bytes: bytes.length, brotli: forms.brotli.length, gzip: forms.gzip.length };
  });
  console.table(sizes);
  const first = sizes.filter((it) => !LATER.includes(it.name));
  for (const form of ['brotli', 'gzip']) {
    const total = first.reduce((sum, it) => sum + it[form], 0);
    console.log(`first load with ${form}: ${total} bytes`);
    if (form === 'brotli' && total > MAX) throw new Error(`the first load is larger than ${MAX} bytes`);
  }
}

/** The declarations of the API: what it exports, without code. */
function declarations(text) {
  const made = ts.transpileDeclaration(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 } });
  // Not every reader has the types of what is disposable.
  const engine = readFileSync(join(here, 'build/engine.d.ts'), 'utf8').replace(/^ *\[Symbol\.dispose\].*\n/gm, '');
  const server = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*export class LanguageServer \{[\s\S]*?\n\}/.exec(engine)[0];
  const once = 'It can be started once in a process, page or worker.';
  const load = [['load', 'Plumb', 'the engine'], ['loadGenerators', 'Generators', 'the module for generators']]
    .map(([name, type, what]) => `/** Starts ${what}. ${once} */\nexport declare function ${name}(): Promise<${type}>;\n`).join('');
  return `${made.outputText.replace(/^import .*\n/gm, '')}\n${server}\n${load}`;
}
