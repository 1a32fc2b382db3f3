// A reader of the playground in headless Chromium, for tests: opens pages, and counts steps.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from './served.mjs';

const PATIENCE = 60_000;
const dist = join(import.meta.dirname, '../dist');
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' };
const FILES = ['', 'app.js', 'style.css', 'engine.wasm', 'generators.wasm'];

export const DESKTOP = { width: 1360, height: 800 };
export const PHONE = { width: 390, height: 780 };

/** A server of the files in dist/. */
async function serveFiles() {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    try {
      const name = normalize(path === '/' ? '/index.html' : path);
      const body = readFileSync(join(dist, name));
      response.writeHead(200, { 'content-type': TYPES[name.split('.').at(-1)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, end: () => server.close() };
}

/** Starts a browser and a server: `program`, which contains the page, or one of files. */
export async function reader({ executablePath, pictures, program }) {
  const served = program ? await serve(program, ['--listen-addr', '127.0.0.1:0']) : await serveFiles();
  console.log(`the page is served by ${program ? 'plumb website' : 'a server of files'}`);
  const address = `${served.address}/`;
  if (pictures) mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const requests = [];
  const problems = [];
  let n = 0;

  const step = (what, isRight = true, got = '') => {
    if (!isRight) throw new Error(`${what}: ${JSON.stringify(got)}`);
    n += 1;
    console.log(`ok ${what}`);
  };

  /** A page with what the steps need. The script runs before those of the page. */
  const open = async (viewport, { fragment = '', colorScheme = 'light', script } = {}) => {
    const context = await browser.newContext({ viewport, colorScheme, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    context.on('request', (request) => request.url().startsWith('http') && requests.push(request.url()));
    if (script) await page.addInitScript(script);
    page.on('pageerror', (error) => problems.push(`after step ${n}: ${error}`));
    page.on('console', (message) => message.type() === 'error' && problems.push(`after step ${n}: ${message.text()}`));
    await page.goto(address + fragment);
    await hasRun(page);
    const picture = (name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
    return { context, page, picture };
  };

  const accessible = async (page, name) => {
    // Not as a script of the page, which its policy would refuse.
    await page.evaluate(readFileSync(axe, 'utf8'));
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    const serious = violations.filter((it) => ['serious', 'critical'].includes(it.impact));
    step(`accessible: ${name}`, serious.length === 0, serious.map((it) => [it.id, it.nodes.map((node) => [node.html.slice(0, 160), node.failureSummary])]));
  };

  /** What is true of all steps together. */
  const conclude = () => {
    step('nothing was reported on the console', problems.length === 0, problems);
    const others = requests.filter((it) => !FILES.includes(it.split('#')[0].slice(address.length)));
    step('only files of the page were requested', others.length === 0, others);
    console.log(`${n} steps`);
  };

  const end = async () => {
    await browser.close();
    served.end('SIGTERM');
  };

  return { address, requests, open, step, accessible, conclude, end };
}

export const hasRun = (page) => page.waitForFunction(() => document.documentElement.dataset.run);
export const output = (page) => page.locator('#output .cm-content').innerText();
export const outputHas = (page, text) => page.waitForFunction((it) => document.getElementById('output').innerText.includes(it), text);
export const statusIs = (page, pattern) => page.waitForFunction((it) => new RegExp(it).test(document.getElementById('status').textContent), pattern);
export const noticeHas = (page, text) => page.waitForFunction((it) => document.getElementById('notice').textContent.includes(it), text);
export const chooseTab = (page, name) => page.getByRole('tab', { name }).click();
export const openFile = (page, path) => page.locator('.file-name').filter({ hasText: path }).click();
export const filesOf = (page) => page.locator('.file-name').allInnerTexts();

/** Replaces a line in the editor, with the keyboard. */
export async function edit(page, line, text) {
  await page.locator('#editor .cm-line').filter({ hasText: line }).first().click({ position: { x: 40, y: 8 } });
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type(text);
}

/** Replaces the text of the file in the editor by one that is pasted. */
export async function write(page, text) {
  await page.evaluate((it) => navigator.clipboard.writeText(it), text);
  await page.locator('#editor .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}

/** Drops files and folders of this machine on the editor. */
export async function drop({ context, page }, ...files) {
  const input = await context.newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await input.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data: { items: [], files, dragOperationsMask: 1 } });
  }
}
