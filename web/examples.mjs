// The examples of the playground: the directories below examples/, and the runnable consoles of the
// manual's guides. A console is linked as PAGE:N, where N counts the consoles of the page from 1.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { targetOf, usedBy } from './commands.mjs';

const DIRECTORIES = [
  { id: 'start', title: 'A web application', directory: 'web/start', target: { file: ['schema.yml', 'values.yml', 'app.yml'] }, open: 'values.yml' },
  { id: 'hello', title: 'Hello', directory: 'examples/hello', open: 'greeting.yml' },
  { id: 'guestbook', title: 'Guestbook: one project, two environments', directory: 'examples/guestbook', target: 'staging', open: 'config/frontend.yml' },
  { id: 'library', title: 'A library package', directory: 'examples/library', target: { file: ['config'] }, open: 'config/site.yml' },
  { id: 'harbor', title: 'Harbor: values of a registry', directory: 'examples/harbor', target: { file: ['schema.yml', 'config'], 'data-values-file': ['values.yml'] }, open: 'values.yml' },
  { id: 'cf', title: 'Cloud Foundry: a large schema', directory: 'examples/cf', target: { file: ['schema.yml', 'config'], 'data-values-file': ['values.yml'] }, open: 'values.yml' },
  { id: 'machines', title: 'Virtual machines of KubeVirt', directory: 'examples/machines', target: { 'vm-check': { machines: ['web.yaml', 'database.yaml'], templates: ['templates'] } }, open: 'web.yaml' },
  { id: 'generator', title: 'A generator in TypeScript', directory: 'examples/generator', target: { generate: 'site.ts' }, open: 'site.ts' },
  { id: 'recipes', title: 'A project with tests', directory: 'examples/recipes', target: 'staging', open: 'config/web.yml' },
];

/** Files that are about an example, not part of it. */
const LEFT_OUT = /(^|\/)(README\.md|Makefile|build\.ninja|bazel|github|tekton|tests)(\/|$)/;

/** Pages of the manual with consoles to try. */
const PAGES = ['tutorial.md', ...readdirSync(new URL('../docs/src/guides', import.meta.url)).filter((it) => it.endsWith('.md')).sort().map((it) => `guides/${it}`)];

export function examples(root) {
  return [...DIRECTORIES.map((it) => ofDirectory(root, it)), ...PAGES.flatMap((it) => ofPage(root, it))];
}

function ofDirectory(root, { id, title, directory, target, open }) {
  const files = {};
  for (const path of walk(join(root, directory))) {
    const name = relative(join(root, directory), path);
    if (!LEFT_OUT.test(name)) files[name] = readFileSync(path, 'utf8');
  }
  return { id, group: 'Examples', title, files, target, open: open in files ? open : undefined };
}

function walk(directory) {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((it) => (it.isDirectory() ? walk(join(directory, it.name)) : [join(directory, it.name)]));
}

function ofPage(root, page) {
  const text = readFileSync(join(root, 'docs/src', page), 'utf8');
  const title = /^# (.*)$/m.exec(text)[1];
  const name = page.replace(/\.md$/, '');
  const found = [];
  let files = {};
  let n = 0;
  let shown = title;
  for (const [, section, info, body] of text.matchAll(/^(?:## (.*)|```([^\n]*)\n([\s\S]*?)^```)$/gm)) {
    // Each section has its own files.
    if (section) [files, shown] = [{}, `${title}: ${section.replaceAll('`', '')}`];
    const file = /\bfile=(\S+)/.exec(info ?? '')?.[1];
    if (file) files[file] = body;
    if (info !== 'console') continue;
    n += 1;
    const command = body.split('\n')[0];
    const target = targetOf(command);
    if (!target) continue;
    const used = usedBy(target, files);
    const open = Object.keys(used).at(-1);
    if (!open) continue;
    const before = found.filter((it) => it.section === shown).length;
    found.push({ section: shown, id: `${name}:${n}`, group: 'Manual', title: before > 0 ? `${shown} (${before + 1})` : shown, files: used, target, open });
  }
  return found.map(({ section, ...example }) => example);
}
