// The playground: connects the project, the editor, the engine and the panes.
import { EditorState } from '@codemirror/state';
import { EditorView, placeholder } from '@codemirror/view';
import examples from 'examples:';
import type { Answer } from './api';
import { afterPause, byId, element } from './dom';
import { editorState, looks, replaceState } from './editor';
import { Engine, Stopped } from './engine';
import { FileList, type Findings } from './files';
import { ValuesForm } from './form';
import { Language } from './lsp';
import { clearNotice, notify } from './notice';
import { OutputPane } from './output';
import { PROJECT_FILE, Project, type Saved } from './project';
import type { Stop } from './protocol';
import { linkTo, linkedExample, linkedProject } from './share';
import { setUpTheme } from './theme';
import { type Dropped, acceptDrops, download, omission } from './transfer';

/** How long a reader must be quiet before files are run. */
const QUIET = 150;
const START = 'start';
/** Browsers cut longer addresses. */
const MAX_LINK = 1_000_000;

const project = new Project();
const compiled = (name: string) => WebAssembly.compileStreaming(fetch(name));
const engine = new Engine(compiled('engine.wasm'), () => compiled('generators.wasm'));
const language = new Language(engine, (path) => show(path));
const view = new EditorView({ extensions: looks, parent: byId('editor') });
let states = new Map<string, EditorState>();
let findings: Findings = new Map();
let isConnected = false;
let runs = 0;

const files = new FileList({
  open: (path) => show(path)?.focus(),
  obstacle: (path) => project.obstacle(path),
  add: (path) => {
    put(path, '');
    view.focus();
  },
  rename: (path, to) => {
    const text = project.files.get(path) ?? '';
    project.remove(path);
    states.delete(path);
    put(to, text);
  },
  remove: (path) => {
    const text = project.files.get(path) ?? '';
    const { target } = project;
    project.remove(path);
    states.delete(path);
    show(path === project.open ? (project.paths()[0] ?? '') : project.open);
    changed();
    notify(`${path} was removed.`, {
      name: 'Undo',
      act: () => {
        project.target = target;
        put(path, text);
      },
    });
  },
});
const form = new ValuesForm((flag, path, value) => {
  project.setValue(flag, path, value);
  changed();
});
const output = new OutputPane({
  go: (file, line, column = 1) => {
    const shown = show(file);
    if (!shown) return;
    const at = shown.state.doc.line(Math.min(line, shown.state.doc.lines));
    const anchor = Math.min(at.from + column - 1, at.to);
    shown.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    shown.focus();
  },
  explain: (code) => engine.explain(code),
  schema: async (languageName) => {
    const { text, report } = await engine.exportSchema(project.texts(), languageName, options());
    return text ?? report.findings.map((it) => `# ${it.message}`).join('\n');
  },
});

function options() {
  return { target: project.target ?? null, values: project.values };
}

/** The editor without a file. */
const nothing = EditorState.create({
  extensions: [
    looks, EditorView.editable.of(false), EditorView.contentAttributes.of({ 'aria-label': 'No file' }),
    placeholder('No file is open. Add one with +, or drop a folder here.'),
  ],
});

/** Puts a file into the editor. */
function show(path: string): EditorView | null {
  const text = project.files.get(path);
  if (text === undefined) {
    replaceState(view, nothing);
    project.open = '';
    files.show(project.paths(), '', findings);
    return null;
  }
  if (project.open !== path || !states.has(path)) {
    if (states.has(project.open)) states.set(project.open, view.state);
    if (language.client.connected) language.client.sync();
    project.open = path;
    const state = states.get(path) ?? editorState(path, text, [language.extension(path), watch]);
    states.set(path, state);
    replaceState(view, state);
    if (isConnected) void language.colour(view, path).catch(() => undefined);
  }
  files.show(project.paths(), path, findings);
  return view;
}

/** Adds a file or replaces its text, and shows it. */
function put(path: string, text: string): void {
  project.put(path, text);
  states.delete(path);
  show(path);
  changed();
}

/** Runs the project once the reader is quiet. */
function changed(): void {
  project.isChanged = true;
  clearNotice();
  runSoon();
}

const watch = EditorView.updateListener.of((update) => {
  if (update.docChanged) {
    project.files.set(project.open, update.state.doc.toString());
    changed();
  }
  if (update.selectionSet || update.docChanged) {
    output.markFrom(project.open, update.state.doc.lineAt(update.state.selection.main.head).number);
  }
});

/** Runs the project: the panes show the result, then the language server checks the files. */
async function run(): Promise<void> {
  runs += 1;
  const own = runs;
  byId('command').textContent = project.command();
  try {
    await engine.start();
    const answer = await answered();
    if (own === runs) present(answer);
    await tellServer();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}

/** What the target makes. Targets that generate files have a module of their own, which knows all targets. */
async function answered(): Promise<Answer> {
  const files = project.texts();
  if (!project.mayGenerate()) return engine.render(files, options());
  let generated: Answer;
  try {
    generated = await engine.generate(files, options());
  } catch (error) {
    if (error instanceof Stopped) throw error;
    notify('Generators cannot be loaded. Are you offline?');
    return engine.render(files, options());
  }
  const { targets, target, output, report } = generated;
  const isGenerator = output !== undefined || report.findings.length > 0 || !target;
  return isGenerator ? generated : { ...await engine.render(files, { ...options(), target }), targets: targets ?? [] };
}

/** Gives the language server what was run. */
async function tellServer(): Promise<void> {
  const projectFile = await engine.projectFile(project.texts(), options());
  language.setFiles(project.files, projectFile);
  if (!isConnected) {
    isConnected = true;
    await language.connect();
  }
  await language.colour(view, project.open).catch(() => undefined);
}

const runSoon = afterPause(QUIET, () => void run());

function present(answer: Answer): void {
  findings = new Map();
  for (const { places, severity } of answer.report.findings) {
    const file = places[0]?.file;
    const { count, hasError } = findings.get(file ?? '') ?? { count: 0, hasError: false };
    if (file) findings.set(file, { count: count + 1, hasError: hasError || severity === 'error' });
  }
  files.show(project.paths(), project.open, findings);
  form.show(answer, project.values);
  output.show(answer);
  output.markFrom(project.open, view.state.doc.lineAt(view.state.selection.main.head).number);
  showTargets(answer);
  const { errors: n, warnings } = answer.report.summary;
  say(n > 0 ? `${n} ${n === 1 ? 'error' : 'errors'}` : warnings > 0 ? `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}` : 'No findings', n > 0 ? 'problem' : 'fine');
  document.documentElement.dataset['run'] = String(runs);
  if (runs === 1) performance.mark('first-render');
}

/** The targets of a project file can be chosen. */
function showTargets({ targets = [], target }: Answer): void {
  const choice = byId<HTMLSelectElement>('target');
  const hasChoice = project.files.has(PROJECT_FILE) && typeof project.target !== 'object';
  byId('target-label').hidden = !hasChoice;
  choice.replaceChildren(...targets.map((it) => element('option', { value: it, selected: it === target }, it)));
}

engine.onStop = (stop: Stop) => {
  isConnected = false;
  say(`${words(stop)} It runs again after a change.`, 'problem');
  output.outdate();
};

function words(stop: Stop): string {
  switch (stop.reason) {
    case 'time': return `Stopped after ${stop.seconds} s.`;
    case 'depth': return 'Stopped: something is nested too deeply for a browser.';
    case 'bug': return `A bug in Plumb: ${stop.message}.`;
  }
}

function say(words: string, kind: 'fine' | 'problem'): void {
  const status = byId('status');
  status.textContent = words;
  status.className = kind;
}

/** Replaces the project. */
function load(saved: Saved): void {
  states = new Map();
  findings = new Map();
  clearNotice();
  project.load(saved);
  const { open } = project;
  project.open = '';
  output.reset();
  show(open);
  byId<HTMLSelectElement>('examples').value = examples.find((it) => it === saved)?.id ?? '';
  void run();
}

async function loadAddress(): Promise<void> {
  const fragment = location.hash.slice(1);
  try {
    const example = linkedExample(fragment) ?? (fragment ? undefined : START);
    const saved = example ? examples.find((it) => it.id === example) : await linkedProject(fragment);
    if (saved) return load(saved);
    load(examples[0]!);
    notify(`${example ? `There is no example ${example}.` : 'The link contains no project.'} This is the first example.`);
  } catch {
    load(examples[0]!);
    notify('The link is damaged, perhaps because it was cut. This is the first example.');
  }
}

/** Puts changes into the history, so that Back returns to them from another project. */
async function keepChanges(): Promise<void> {
  if (!project.isChanged) return;
  const link = await linkTo(project.save());
  if (link.length <= MAX_LINK) history.replaceState(null, '', link);
}

/** Opens a folder or a zip, or adds files to the project. */
async function open(dropped: Dropped): Promise<void> {
  const paths = Object.keys(dropped.files);
  const words = omission(dropped);
  if (paths.length > 0 && dropped.isProject) {
    await keepChanges();
    history.pushState(null, '', location.pathname);
    load({ title: '', files: dropped.files });
  } else {
    for (const [path, text] of Object.entries(dropped.files)) put(path, text);
  }
  if (words) notify(words);
}

async function share(): Promise<void> {
  const link = await linkTo(project.save());
  if (link.length > MAX_LINK) return notify('The project is too large for a link. Download it instead.');
  history.replaceState(null, '', link);
  const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  notify(isCopied ? 'The link is in the address bar, and was copied.' : 'The link is in the address bar.');
}

function setUpBar(): void {
  const choice = byId<HTMLSelectElement>('examples');
  for (const group of new Set(examples.map((it) => it.group))) {
    const own = examples.filter((it) => it.group === group);
    choice.append(element('optgroup', { label: group }, ...own.map((it) => element('option', { value: it.id }, it.title ?? it.id))));
  }
  choice.addEventListener('change', async () => {
    const { value } = choice;
    await keepChanges();
    location.hash = `example=${encodeURIComponent(value)}`;
  });
  byId('target').addEventListener('change', (event) => {
    project.target = (event.target as HTMLSelectElement).value;
    void run();
  });
  byId('share').addEventListener('click', () => void share());
  byId('download').addEventListener('click', () => download(project.title, project.texts()));
  byId('status').addEventListener('click', () => output.chooseFindings());
  for (const pane of document.querySelectorAll<HTMLButtonElement>('#panes button')) {
    pane.addEventListener('click', () => { document.body.dataset['pane'] = pane.value; });
  }
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter') return;
    event.preventDefault();
    void run();
  });
  addEventListener('hashchange', () => void loadAddress());
}

setUpTheme();
setUpBar();
acceptDrops(document.body, (dropped) => void open(dropped));
await loadAddress();
