// Drives the extension in a real VS Code, which code-server serves to headless Chromium: opens a file, fixes,
// completes, goes to a definition, renames and previews. Prints `ok NAME` for each step.
// Usage: node drive.mjs PLUMB CHROMIUM CODE_SERVER EXTENSION.vsix [PLAYWRIGHT]
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [plumb, executablePath, codeServer, extension, playwright = process.cwd()] = process.argv.slice(2);
const { chromium } = createRequire(join(playwright, 'package.json'))('playwright-core');
const PATIENCE = 60_000;
const PORT = 8377;

const directory = mkdtempSync(join(tmpdir(), 'plumb-vscode-'));
const [project, data, extensions] = ['project', 'data', 'extensions'].map((it) => join(directory, it));
mkdirSync(project);
mkdirSync(join(data, 'User'), { recursive: true });
writeFileSync(join(project, 'schema.yml'), '#@data/values-schema\n---\nname: web\nport: 80\n');
writeFileSync(join(project, 'a.yml'), '#@ load("@ytt:data", "data")\nname: #@ data.values.nam\n');
writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify({
  'plumb.path': plumb, 'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off',
}));

const options = ['--extensions-dir', extensions, '--user-data-dir', data];
// Nothing is looked up in a gallery of extensions.
const env = { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9/"}' };
const installed = spawnSync(codeServer, [...options, '--install-extension', extension], { env });
if (installed.status !== 0) throw new Error(`the extension cannot be installed: ${installed.stderr}`);
const server = spawn(codeServer, [
  ...options, '--auth', 'none', '--bind-addr', `127.0.0.1:${PORT}`, '--disable-telemetry', '--disable-update-check', project,
], { env, stdio: ['ignore', 'pipe', 'ignore'] });
await new Promise((resolve) => {
  server.stdout.on('data', (text) => String(text).includes('listening on') && resolve());
});

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
let n = 0;
const step = (what, isRight = true, got = '') => {
  if (!isRight) throw new Error(`${what}: ${got}`);
  n += 1;
  console.log(`ok ${what}`);
};

try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
  const waitFor = (selector) => page.waitForSelector(selector, { timeout: PATIENCE });
  // Presses keys until something is shown: VS Code ignores them while it is busy.
  const press = async (keys, selector) => {
    for (let left = PATIENCE / 5000; left > 1; left -= 1) {
      for (const key of keys) await page.keyboard.press(key);
      const shown = await page.waitForSelector(selector, { timeout: 5000 }).catch(() => null);
      if (shown) return;
      await page.keyboard.press('Escape');
    }
    throw new Error(`${keys} did not show ${selector}`);
  };
  // VS Code shows spaces as non-breaking ones.
  const waitForText = (text) => page.waitForFunction(
    (wanted) => [...document.querySelectorAll('.view-lines')].some((it) => it.textContent.replaceAll('\u00a0', ' ').includes(wanted)),
    text, { timeout: PATIENCE },
  );
  await page.goto(`http://127.0.0.1:${PORT}/?folder=${project}`, { timeout: PATIENCE });
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'a.yml' }).first();
  await row.waitFor({ timeout: PATIENCE });
  await row.dblclick();
  await waitForText('data.values.nam');
  await waitFor('.squiggly-error');
  step('open: the finding is shown');

  await page.locator('.view-line', { hasText: 'data.values.nam' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await press(['Control+.'], '.action-widget');
  await page.keyboard.press('Enter');
  await waitForText('data.values.name');
  step('fix: the spelling is replaced');
  await page.waitForFunction(() => !document.querySelector('.squiggly-error'), null, { timeout: PATIENCE });
  step('type: a correct text has no findings');
  await waitForText('= web');
  step('hint: what the value renders to');

  await page.keyboard.press('Control+End');
  await page.keyboard.type('port: #@ data.values.');
  await waitFor('.suggest-widget.visible .monaco-list-row');
  const labels = (await page.locator('.suggest-widget .monaco-list-row .label-name').allTextContents()).join(' ');
  step('complete: the data values of the schema', labels === 'name port', labels);
  await page.keyboard.type('port');
  await page.keyboard.press('Escape');

  await press(['Control+K', 'Control+I'], '.monaco-hover:not(.hidden) .monaco-hover-content');
  const hover = await page.locator('.monaco-hover:not(.hidden) .monaco-hover-content').first().textContent();
  step('hover: the type and the value', hover.includes('integer') && hover.includes('80'), hover);
  await page.keyboard.press('Escape');

  await press(['F12'], '.tab.active[data-resource-name="schema.yml"]');
  step('definition: the schema');

  await press(['F2'], '.rename-box input');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('listen');
  await page.keyboard.press('Enter');
  await waitForText('listen: 80');
  await page.locator('.tab[data-resource-name="a.yml"]').click();
  await waitForText('data.values.listen');
  step('rename: the schema and the template');

  await page.locator('.editor-actions [aria-label*="Show Rendered Output"]').first().click();
  await waitForText('port: 80');
  step('preview: the output beside the template');
  console.log(`${n} steps`);
} finally {
  await browser.close();
  server.kill();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}
