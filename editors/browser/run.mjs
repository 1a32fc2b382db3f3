// Drives the page in headless Chromium: opens, types, completes, hovers, goes to a definition, renames,
// fixes and previews. Usage: node run.mjs PLUMB CHROMIUM [DIRECTORY FOR SCREENSHOTS]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { bridge } from './bridge.mjs';

const [program, executablePath, pictures] = process.argv.slice(2);
const PATIENCE = 120_000;
const SCHEMA = `#@data/values-schema
---
#@schema/desc "The application that is deployed"
app:
  #@schema/title "Name of the application"
  #@schema/validation min_len=1
  name: web
  #@schema/validation min=1, max=10
  replicas: 2
`;
const TEMPLATE = `#@ load("@ytt:data", "data")
#@ def labels(app):
app: #@ app
#@ end
---
kind: Deployment
metadata:
  name: #@ data.values.app.name
  labels: #@ labels(data.values.app.name)
spec:
  replicas: #@ data.values.app.replica
`;

const directory = mkdtempSync(join(tmpdir(), 'plumb-browser-'));
writeFileSync(join(directory, 'schema.yml'), SCHEMA);
writeFileSync(join(directory, 'a.yml'), TEMPLATE);
const uri = pathToFileURL(join(directory, 'a.yml')).href;

const bundled = await build({
  entryPoints: [join(import.meta.dirname, 'page.js')], bundle: true, write: false, format: 'esm', target: 'es2022',
});
const { port, close } = await bridge(program, directory);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
let n = 0;
const step = (what, isRight, got) => {
  if (!isRight) throw new Error(`${what}: ${JSON.stringify(got)}`);
  n += 1;
  console.log(`ok ${what}`);
};
const picture = (page, name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });

try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 460 } });
  page.on('pageerror', (error) => console.log(`page: ${error}`));
  await page.setContent(`<!doctype html><title>Plumb</title><style>
    body { display: flex; gap: 16px; margin: 12px; font: 14px sans-serif; }
    #editor { flex: 3; border: 1px solid #ccc; min-width: 0; } .cm-editor { height: 430px; }
    .cm-tooltip { max-width: 560px; }
    #output { flex: 2; margin: 0; padding: 4px 8px; border: 1px solid #ccc; background: #f8f8f8; font: 13px monospace; white-space: pre; }
    .source { background: #ffe9a8; }</style><div id="editor"></div><div id="output"></div>`);
  await page.evaluate((start) => { window.start = start; }, { port, uri, text: TEMPLATE });
  await page.addScriptTag({ content: bundled.outputFiles[0].text, type: 'module' });
  await page.waitForFunction(() => window.plumb, null, { timeout: PATIENCE });
  const plumb = (method, ...args) => page.evaluate(
    ([name, rest]) => Promise.resolve(window.plumb[name](...rest)).then((it) => (typeof it === 'object' && !Array.isArray(it) ? null : it)),
    [method, args],
  );
  const text = () => plumb('text');
  const at = async (part, offset = 0) => (await text()).indexOf(part) + offset;
  const waitForFindings = (count) => page.waitForFunction(
    (wanted) => window.plumb.findings().length === wanted, count, { timeout: PATIENCE },
  );

  await waitForFindings(1);
  const [finding] = await plumb('findings');
  step('open: the finding is shown', finding.includes('replica'), finding);
  await page.hover('.cm-lintRange-error');
  await page.waitForSelector('.cm-tooltip-lint, .cm-tooltip-hover', { timeout: PATIENCE });
  await picture(page, 'diagnostic');
  await page.mouse.move(5, 5);

  await plumb('place', await at('app.replica', 'app.replica'.length));
  const title = await plumb('fix');
  step('fix: the spelling is replaced', title === 'Replace by `replicas`' && (await text()).includes('app.replicas'), title);
  await waitForFindings(0);
  step('type: a correct text has no findings', true);

  await plumb('preview');
  await page.waitForFunction(() => document.getElementById('output').textContent.includes('replicas: 2'), null, { timeout: PATIENCE });
  await plumb('place', await at('labels: #@', 3));
  const source = await page.locator('#output .source').allTextContents();
  step('preview: the output of a line is highlighted', source.join('|').includes('app: web'), source);
  await picture(page, 'preview');

  await plumb('place', (await text()).length);
  await plumb('type', '  name: #@ data.values.app.');
  await plumb('complete');
  await page.waitForSelector('.cm-tooltip-autocomplete li', { timeout: PATIENCE });
  const labels = await page.locator('.cm-tooltip-autocomplete .cm-completionLabel').allTextContents();
  step('complete: the data values of the schema', labels.join(' ') === 'name replicas', labels);
  // CodeMirror ignores keys for a moment after it opens the list.
  await page.waitForTimeout(300);
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.cm-tooltip-autocomplete li[aria-selected]:has-text("replicas")', { timeout: PATIENCE });
  await picture(page, 'completion');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.plumb.text().endsWith('data.values.app.replicas'), null, { timeout: PATIENCE });
  step('complete: the choice is inserted', true);
  await page.waitForFunction(() => document.getElementById('output').textContent.includes('name: 2'), null, { timeout: PATIENCE });
  step('preview: it is refreshed after a change', true);

  const where = await page.evaluate((offset) => {
    const box = window.plumb.view.coordsAtPos(offset);
    return { x: box.left + 4, y: (box.top + box.bottom) / 2 };
  }, await at('data.values.app.name', 'data.values.app.n'.length));
  await page.mouse.move(where.x, where.y);
  await page.waitForSelector('.cm-lsp-hover-tooltip, .cm-tooltip-hover', { timeout: PATIENCE });
  const hover = await page.locator('.cm-tooltip-hover').first().textContent();
  step('hover: type, title and value', hover.includes('string') && hover.includes('Name of the application') && hover.includes('web'), hover);
  await picture(page, 'hover');
  await page.mouse.move(5, 5);

  await plumb('place', await at('labels(data', 2));
  await plumb('define');
  await page.waitForFunction(() => {
    const { head } = window.plumb.view.state.selection.main;
    return window.plumb.view.state.doc.lineAt(head).number === 2;
  }, null, { timeout: PATIENCE });
  step('definition: the function', true);

  await plumb('rename');
  await page.waitForSelector('.cm-lsp-rename-panel input', { timeout: PATIENCE });
  await page.fill('.cm-lsp-rename-panel input', 'tags');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.plumb.text().includes('def tags(app)'), null, { timeout: PATIENCE });
  step('rename: all uses', (await text()).includes('labels: #@ tags(data.values.app.name)'), await text());
  await waitForFindings(0);
  console.log(`${n} steps`);
} finally {
  await browser.close();
  close();
  rmSync(directory, { recursive: true, force: true });
}
