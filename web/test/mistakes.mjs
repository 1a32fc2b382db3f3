// The mistakes that newcomers make in the playground, and what the page says.
import { DESKTOP, PHONE, chooseTab, filesOf, noticeHas, openFile, outputHas, statusIs, write } from './reader.mjs';

/** Chooses a new path for the file that has the focus, and confirms it. */
async function namePath(page, path) {
  await page.locator('#files input').fill(path);
  await page.keyboard.press('Enter');
}

export async function mistakes({ open, step, accessible }) {
  for (const [fragment, words] of [
    ['#p=damaged', 'The link is damaged'], ['#p=', 'The link is damaged'], ['#nonsense', 'The link contains no project'],
    ['#example=nothing', 'There is no example nothing'], ['#run=%7B', 'The link is damaged'], ['#example=%', 'The link is damaged'],
  ]) {
    const { context, page, picture } = await open(DESKTOP, { fragment });
    await noticeHas(page, words);
    await outputHas(page, 'kind: Deployment');
    await picture('damaged-link');
    await context.close();
  }
  step('mistakes: a damaged link is reported, and an example is shown');

  const { context, page, picture } = await open(DESKTOP);
  await openFile(page, 'app.yml');
  await write(page, 'a: [1, 2\nb: "x\n');
  await statusIs(page, '^1 error$');
  await chooseTab(page, /Findings/);
  await outputHas(page, 'yaml/');
  await page.locator('.finding .code').first().click();
  await page.waitForSelector('.finding .page');
  step('mistakes: broken YAML has a finding, which is explained');
  await picture('broken-yaml');
  await chooseTab(page, 'YAML');
  await outputHas(page, 'kind: Deployment');
  step('mistakes: the last output stays, and is marked as old', await page.locator('#old').isVisible());

  await write(page, `a: ${'['.repeat(1000)}${']'.repeat(1000)}\n`);
  await chooseTab(page, /Findings/);
  await outputHas(page, 'nested');
  step('mistakes: deep nesting is a finding');

  const large = Array.from({ length: 20_000 }, (_, at) => `key-${at}: value ${at}\n`).join('');
  await write(page, large);
  await chooseTab(page, 'YAML');
  await statusIs(page, '^(No findings|Stopped after 5 s)');
  await page.getByRole('button', { name: 'Share' }).click();
  await noticeHas(page, 'link');
  step('mistakes: a large text that is pasted is rendered or stopped, and the page stays usable');
  await write(page, 'small: again\n');
  await outputHas(page, 'small: again');

  const add = page.getByRole('button', { name: 'Add a file' });
  await add.click();
  await namePath(page, 'values.yml');
  await page.waitForSelector('#path-problem:has-text("There is already a file values.yml")');
  await namePath(page, '../outside.yml');
  await page.waitForSelector('#path-problem:has-text("Expected a path such as")');
  await picture('same-name');
  await accessible(page, 'a wrong path');
  await page.keyboard.press('Escape');
  await page.locator('.file-name').filter({ hasText: 'app.yml' }).focus();
  await page.keyboard.press('F2');
  await namePath(page, 'schema.yml');
  await page.waitForSelector('#path-problem:has-text("There is already a file schema.yml")');
  await page.keyboard.press('Escape');
  step('mistakes: no file is overwritten by another one with its name', (await filesOf(page)).join() === 'app.yml,schema.yml,values.yml', await filesOf(page));

  await page.locator('.file-name').filter({ hasText: 'app.yml' }).focus();
  for (let n = 3; n > 0; n -= 1) {
    await page.keyboard.press('Delete');
    await page.waitForFunction((it) => document.querySelectorAll('.file-name').length === it, n - 1);
  }
  await noticeHas(page, 'was removed');
  await page.waitForSelector('#editor .cm-placeholder:has-text("No file is open")');
  step('mistakes: without files, the page says how to add one', (await page.locator('#files').innerText()) === 'No files', await page.locator('#files').innerText());
  await picture('no-files');
  await accessible(page, 'no files');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForSelector('.file-name:has-text("values.yml")');
  step('mistakes: a removed file comes back');
  await add.click();
  await namePath(page, 'plain.yml');
  await page.keyboard.insertText('plain: #@ 1 + 1\n');
  await outputHas(page, 'plain: 2');
  step('mistakes: a new file is rendered, also if the command names its files', (await page.locator('#command').innerText()).includes('-f plain.yml'), await page.locator('#command').innerText());
  step('mistakes: a project without a schema is rendered', !(await page.locator('#values-panel').isVisible()));
  await picture('no-schema');
  await context.close();

  const phone = await open(PHONE, { fragment: '#p=damaged' });
  await noticeHas(phone.page, 'The link is damaged');
  const isWide = await phone.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  step('mistakes: a message fits on a phone', !isWide);
  await phone.picture('phone-message');
  await phone.context.close();
}
