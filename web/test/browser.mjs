// Uses the playground as a reader does, in headless Chromium.
// Usage: node test/browser.mjs CHROMIUM [DIRECTORY FOR SCREENSHOTS] [PLUMB]
// PLUMB was built with the page, and serves it. Without it, a server of files does.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { examples } from '../examples.mjs';
import { mistakes } from './mistakes.mjs';
import { DESKTOP, PHONE, chooseTab, drop, edit, filesOf, hasRun, noticeHas, openFile, output, outputHas, reader, statusIs, write } from './reader.mjs';

const [executablePath, pictures, program] = process.argv.slice(2);
const FIRST_RENDER = 500;
const { address, requests, open, step, accessible, conclude, end } = await reader({ executablePath, pictures, program });

/** Runs in the page before its scripts: an export of the engine traps if it is asked to render a certain text. */
function trapOnRequest() {
  const inWorker = `
    const trap = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11]));
    const Original = WebAssembly.Instance;
    WebAssembly.Instance = function (module, imports) {
      const { exports } = new Original(module, imports);
      const render = (at, length, ...rest) => {
        const text = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
        if (text.includes('please-trap')) new Original(trap).exports.t();
        return exports.render(at, length, ...rest);
      };
      return Object.setPrototypeOf({ exports: { ...exports, render } }, Original.prototype);
    };
    WebAssembly.Instance.prototype = Original.prototype;
  `;
  const OriginalBlob = window.Blob;
  window.Blob = function (parts, options) {
    return new OriginalBlob(options?.type === 'text/javascript' ? [inWorker, ...parts] : parts, options);
  };
}

try {
  const { context, page, picture } = await open(DESKTOP);
  step('load: the start example is rendered', (await output(page)).includes('registry.example.com/shop:1.5.0'), await output(page));
  let first = Infinity;
  // On a machine that does much else, the best of some loads.
  for (let i = 0; i < 4 && first > FIRST_RENDER; i += 1) {
    if (i > 0) await page.reload().then(() => hasRun(page));
    first = Math.min(first, await page.evaluate(() => {
      const { loadEventEnd } = performance.getEntriesByType('navigation')[0];
      return Math.round(performance.getEntriesByName('first-render')[0].startTime - loadEventEnd);
    }));
  }
  step(`load: the first render is at most ${FIRST_RENDER} ms after load (${first} ms)`, first <= FIRST_RENDER, first);
  await picture('load');

  await edit(page, 'version:', 'version: 1.6');
  await page.waitForSelector('#editor .cm-lintRange-error');
  await statusIs(page, '^1 error$');
  await chooseTab(page, /Findings/);
  await outputHas(page, 'schema/type-mismatch');
  step('edit: the violation is inline and in the pane');
  await page.locator('#editor .cm-lintRange-error').first().hover();
  await page.waitForSelector('.cm-diagnosticAction');
  await picture('violation');
  await page.locator('.cm-diagnosticAction').first().click();
  await statusIs(page, '^No findings$');
  await chooseTab(page, 'YAML');
  await outputHas(page, 'shop:1.6');
  step('fix: the quick fix corrects it, and the output changes');
  await page.mouse.move(5, 5);
  await picture('fixed');

  await page.locator('#output .cm-line').filter({ hasText: 'host: www' }).click({ position: { x: 40, y: 8 } });
  await page.waitForSelector('.file-name[aria-current]:has-text("app.yml")');
  const line = await page.locator('#editor .cm-activeLine').innerText();
  step('follow: a line of the output leads to its source', line.includes('- host:'), line);
  await page.locator('#editor .cm-line').filter({ hasText: 'replicas:' }).click({ position: { x: 40, y: 8 } });
  await page.waitForSelector('#output .marked:has-text("replicas: 2")');
  step('follow: a line of the source leads to its output');
  await picture('follow');

  await page.locator('#editor .cm-line').filter({ hasText: 'replicas:' }).click({ position: { x: 40, y: 8 } });
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Space').catch(() => undefined);
  await page.keyboard.press('Escape');
  const field = page.locator('[id="value-app.replicas"]');
  await field.fill('20');
  await page.waitForSelector('[data-path="app.replicas"] .problem:not(:empty)');
  await statusIs(page, '^1 error$');
  const told = await page.locator('[data-path="app.replicas"] .problem').innerText();
  step('form: a rule is checked while typing', told.includes('10'), told);
  await picture('form');
  await field.fill('5');
  await outputHas(page, 'replicas: 5');
  step('form: a value changes the output', (await page.locator('#command').innerText()).includes('--data-value-yaml app.replicas=5'), '');

  await page.getByRole('button', { name: 'Share' }).click();
  await noticeHas(page, 'The link is in the address bar, and was copied');
  const link = page.url();
  step('share: the project is in the link', link.includes('#p='), link);
  const again = await open(DESKTOP, { fragment: link.slice(address.length), colorScheme: 'dark' });
  await outputHas(again.page, 'replicas: 5');
  step('share: the link brings the project back', (await output(again.page)).includes('shop:1.6'), '');
  await again.picture('dark');
  await accessible(again.page, 'dark');
  await again.context.close();

  await chooseTab(page, 'CRD');
  await outputHas(page, 'kind: CustomResourceDefinition');
  step('schema: it is shown as a custom resource definition');
  await picture('crd');
  await chooseTab(page, 'YAML');

  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const zip = unzipSync(readFileSync(await (await waiting).path()));
  step('download: the zip contains all files', Object.keys(zip).sort().join() === 'app.yml,schema.yml,values.yml' && strFromU8(zip['values.yml']).includes('version: "1.6"'), Object.keys(zip));

  const n_before = requests.length;
  await context.setOffline(true);
  await page.locator('.file-name:has-text("values.yml")').click();
  await edit(page, 'version:', 'version: "2.0.0"');
  await outputHas(page, 'shop:2.0.0');
  step('offline: it still renders, and asks for nothing', requests.length === n_before, requests.slice(n_before));

  await page.locator('.file-name:has-text("app.yml")').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\n---\n#@ def forever():\n#@   for a in range(1000000000):\n#@     for b in range(1000000000):\n#@       x = a\n#@     end\n#@   end\n#@ end\nx: #@ forever()\n');
  await statusIs(page, '^Stopped after 5 s');
  step('endless loop: it is stopped');
  await picture('stopped');
  const isResponsive = await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve(true), 10)));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type('done: true\n');
  await outputHas(page, 'done: true');
  step('endless loop: the page goes on', isResponsive, '');
  await accessible(page, 'light');
  await context.close();

  const folder = mkdtempSync(join(tmpdir(), 'plumb-folder-'));
  const put = (path, bytes) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    return join(folder, path);
  };
  put('site/config/web.yml', 'dropped: #@ 1 + 1\n');
  put('site/.git/HEAD', 'ref: refs/heads/main\n');
  put('site/node_modules/x/a.yml', 'no: configuration\n');
  const picturePath = put('site/logo.png', Buffer.from([0x89, 0x50, 0xff, 0xfe, 0]));
  const dropping = await open(DESKTOP);
  await edit(dropping.page, 'version:', 'version: "9.9.9"');
  await outputHas(dropping.page, 'shop:9.9.9');
  await drop(dropping, join(folder, 'site'));
  await outputHas(dropping.page, 'dropped: 2');
  step('drop: a folder is opened, without what is not configuration', (await filesOf(dropping.page)).join() === 'config/web.yml', await filesOf(dropping.page));
  await noticeHas(dropping.page, 'Not opened: logo.png.');
  step('drop: the page names what it did not open');
  await dropping.picture('dropped');
  await dropping.page.goBack();
  await outputHas(dropping.page, 'shop:9.9.9');
  step('drop: Back returns to what was changed before');
  await drop(dropping, put('extra.yml', 'extra: #@ 2 + 2\n'), put('more.yml', 'more: true\n'));
  await dropping.page.waitForSelector('.file-name:has-text("more.yml")');
  step('drop: files are added to the project', (await filesOf(dropping.page)).includes('values.yml'), await filesOf(dropping.page));
  await drop(dropping, picturePath);
  await noticeHas(dropping.page, 'Not opened: logo.png.');
  step('drop: a file that is not a text changes nothing', (await filesOf(dropping.page)).includes('values.yml'), await filesOf(dropping.page));
  await drop(dropping, put('broken.zip', 'PK, but not a zip'));
  await noticeHas(dropping.page, 'Not opened: broken.zip.');
  step('drop: a damaged zip changes nothing', (await filesOf(dropping.page)).includes('values.yml'), await filesOf(dropping.page));
  await drop(dropping, put('site.zip', zipSync({ 'site/a.yml': strToU8('zipped: #@ 3 + 3\n'), 'site/lib/b.star': strToU8('x = 1\n') })));
  await outputHas(dropping.page, 'zipped: 6');
  step('drop: a zip is opened', (await filesOf(dropping.page)).join() === 'a.yml,lib/b.star', await filesOf(dropping.page));
  await dropping.context.close();
  rmSync(folder, { recursive: true });

  const trap = await open(DESKTOP, { script: trapOnRequest });
  await trap.page.locator('.file-name:has-text("app.yml")').click();
  await trap.page.keyboard.press('Control+End');
  await trap.page.keyboard.insertText('\n---\nx: please-trap\n');
  await statusIs(trap.page, '^A bug in Plumb: RuntimeError: unreachable');
  step('trap: it is reported as a bug');
  await trap.picture('bug');
  await trap.page.keyboard.press('Control+a');
  await trap.page.keyboard.press('Delete');
  await trap.page.keyboard.type('after: trap\n');
  await outputHas(trap.page, 'after: trap');
  await trap.page.keyboard.type('x: #@ nothing\n');
  await trap.page.waitForSelector('#editor .cm-lintRange-error');
  step('trap: the page goes on with a new instance, and a new language server');
  await trap.context.close();

  const machines = await open(DESKTOP, { fragment: '#example=machines' });
  await outputHas(machines.page, 'Refused');
  const broken = await machines.page.locator('.verdict tbody tr').count();
  step('machines: the verdict', broken > 0, '');
  await machines.picture('machines');
  await accessible(machines.page, 'machines');
  await openFile(machines.page, 'database.yaml');
  await edit(machines.page, 'memory:', 'memory: { guest: 2Gi }');
  await machines.page.waitForFunction((it) => document.querySelectorAll('.verdict tbody tr').length === it, broken - 1);
  await edit(machines.page, 'bus: sata', 'disk: { bus: virtio }');
  await outputHas(machines.page, 'Accepted');
  step('machines: a machine that is corrected is accepted');
  await machines.picture('machines-accepted');
  await machines.context.close();

  const all = await open(DESKTOP, { fragment: '#example=tutorial:5' });
  await statusIs(all.page, 'error|No findings');
  step('examples: a console of the manual opens by a link', (await all.page.locator('#command').innerText()).includes('-f config'), '');
  const opened = [];
  for (const { id, group } of examples(join(import.meta.dirname, '../..'))) {
    await all.page.evaluate((it) => {
      delete document.documentElement.dataset.run;
      location.hash = `example=${encodeURIComponent(it)}`;
    }, id);
    await hasRun(all.page);
    const shown = await all.page.evaluate(() => ({
      chosen: document.getElementById('examples').value, status: document.getElementById('status').textContent,
      output: document.getElementById('output').innerText.trim().length, files: document.querySelectorAll('.file-name').length,
    }));
    const isFine = shown.chosen === id && shown.files > 0 && (shown.output > 0 || /error|warning/.test(shown.status));
    if (!isFine || (group === 'Examples' && id !== 'machines' && /error/.test(shown.status))) throw new Error(`${id}: ${JSON.stringify(shown)}`);
    opened.push(id);
  }
  step(`examples: all ${opened.length} open by their links`, true);
  await all.page.evaluate(() => { location.hash = 'example=generator'; });
  await outputHas(all.page, 'kind: Deployment');
  await all.picture('generator');
  await edit(all.page, 'name: "shop"', '  { name: "shop", port: 8080, replicas: 30 },');
  await statusIs(all.page, '^1 error$');
  await chooseTab(all.page, /Findings/);
  await outputHas(all.page, 'generate/invalid-value');
  step('generator: files are made in the page, and a rule is checked');
  await all.picture('generator-finding');
  await accessible(all.page, 'generator');
  await write(all.page, 'const x = [];\nfor (;;) x.push(new ArrayBuffer(100 << 20));\n');
  await outputHas(all.page, 'generate/limit-reached');
  step('generator: memory is limited');
  await write(all.page, 'for (;;);\n');
  await statusIs(all.page, '^Stopped after 5 s');
  await write(all.page, 'export default [{ path: "after.yaml", value: { after: "loop" } }];\n');
  await chooseTab(all.page, 'YAML');
  await outputHas(all.page, 'after: loop');
  step('generator: an endless loop is stopped, and the page goes on');
  await all.context.close();

  const phone = await open(PHONE);
  const isWide = await phone.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  step('phone: nothing is wider than the screen', !isWide, isWide);
  await phone.picture('phone-editor');
  await phone.page.getByRole('button', { name: 'Output', exact: true }).click();
  await outputHas(phone.page, 'kind: Deployment');
  await phone.picture('phone-output');
  await phone.page.getByRole('button', { name: 'Files', exact: true }).click();
  await phone.page.locator('[id="value-app.replicas"]').fill('3');
  await phone.page.getByRole('button', { name: 'Output', exact: true }).click();
  await outputHas(phone.page, 'replicas: 3');
  step('phone: all panes can be used');
  await accessible(phone.page, 'phone');
  await phone.context.close();

  const keyboard = await open(DESKTOP);
  const press = (...keys) => keys.reduce((before, key) => before.then(() => keyboard.page.keyboard.press(key)), Promise.resolve());
  const focused = () => keyboard.page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.textContent);
  for (let i = 0; i < 40 && !String(await focused()).includes('cm-content'); i += 1) await press('Tab');
  step('keyboard: the editor is reached by Tab', String(await focused()).includes('cm-content'), await focused());
  await press('Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'Enter');
  await keyboard.page.keyboard.type('rep');
  await keyboard.page.waitForSelector('.cm-tooltip-autocomplete li:has-text("replicas")');
  await keyboard.page.waitForTimeout(300);
  await press('Enter');
  await keyboard.page.keyboard.type('0');
  await statusIs(keyboard.page, '^1 error$');
  step('keyboard: a value is completed');
  // The first Escape closes a list of completions.
  await press('Escape', 'Escape', 'Tab');
  for (let i = 0; i < 10 && !(await keyboard.page.evaluate(() => document.activeElement.role === 'tab')); i += 1) await press('Tab');
  step('keyboard: the output is reached by Tab', await keyboard.page.evaluate(() => document.activeElement.role === 'tab'), await focused());
  await press('ArrowRight', 'ArrowRight');
  await outputHas(keyboard.page, 'rule-broken');
  step('keyboard: tabs are chosen by arrows');
  await keyboard.picture('keyboard');
  await openFile(keyboard.page, 'app.yml');
  await press('Control+End');
  await keyboard.page.keyboard.type('x: #@ le');
  await keyboard.page.waitForSelector('.cm-tooltip-autocomplete li');
  // The list is about to be measured when its text is replaced by a shorter one.
  await keyboard.page.evaluate(async () => {
    document.execCommand('insertText', false, 'n');
    await Promise.resolve();
    [...document.querySelectorAll('.file-name')].find((it) => it.textContent.includes('values.yml')).click();
  });
  await keyboard.page.waitForFunction(() => !document.querySelector('.cm-tooltip-autocomplete'));
  step('keyboard: another file replaces one with an open list of completions');
  await keyboard.context.close();

  await mistakes({ open, step, accessible });
  conclude();
} finally {
  await end();
}
