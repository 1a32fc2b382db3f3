// The playground: connects the project, the editor, the engine and the panes.
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import examples from 'examples:';
import type { Answer } from './api';
import { afterPause, byId, element } from './dom';
import { editorState, looks } from './editor';
import { Engine, type Stop, Stopped } from './engine';
import { FileList } from './files';
import { ValuesForm } from './form';
import { Language } from './lsp';
import { OutputPane } from './output';
import { PROJECT_FILE, Project, type Saved } from './project';
import { linkTo, linkedExample, linkedProject } from './share';
import { setUpTheme } from './theme';
import { acceptDrops, download } from './transfer';

/** How long a reader must be quiet before files are run. */
const QUIET = 150;
const START = 'start';

const project = new Project();
const compiled = (name: string) => WebAssembly.compileStreaming(fetch(name));
const engine = new Engine(compiled('engine.wasm'), () => compiled('generators.wasm'));
const language = new Language(engine, (path) => show(path));
const view = new EditorView({ extensions: looks, parent: byId('editor') });
let states = new Map<string, EditorState>();
let errors = new Map<string, number>();
let isConnected = false;
let runs = 0;

const files = new FileList({
  open: (path) => show(path)?.focus(),
  add: (path) => {
    if (!project.files.has(path)) project.files.set(path, '');
    show(path)?.focus();
    runSoon();
  },
  rename: (path, to) => {
    const text = project.files.get(path) ?? '';
    project.files.delete(path);
    project.files.set(to, text);
    states.delete(path);
    show(to);
    runSoon();
  },
  remove: (path) => {
    project.files.delete(path);
    states.delete(path);
    show(project.paths()[0] ?? '');
    runSoon();
  },
});
const form = new ValuesForm((flag, path, value) => {
  project.setValue(flag, path, value);
  runSoon();
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

/** Puts a file into the editor. */
function show(path: string): EditorView | null {
  const text = project.files.get(path);
  if (text === undefined) {
    view.setState(EditorState.create({ extensions: looks }));
    project.open = '';
    return null;
  }
  if (project.open !== path || !states.has(path)) {
    if (states.has(project.open)) states.set(project.open, view.state);
    if (language.client.connected) language.client.sync();
    project.open = path;
    const state = states.get(path) ?? editorState(path, text, [language.extension(path), watch]);
    states.set(path, state);
    view.setState(state);
    if (isConnected) void language.colour(view, path).catch(() => undefined);
  }
  files.show(project.paths(), path, errors);
  return view;
}

const watch = EditorView.updateListener.of((update) => {
  if (update.docChanged) {
    project.files.set(project.open, update.state.doc.toString());
    runSoon();
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
    say('Generators cannot be loaded. Are you offline?', 'problem');
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
  errors = new Map();
  for (const { places } of answer.report.findings) {
    const file = places[0]?.file;
    if (file) errors.set(file, (errors.get(file) ?? 0) + 1);
  }
  files.show(project.paths(), project.open, errors);
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
  if (stop.reason === 'time') say(`Stopped after ${stop.seconds} s. It runs again after a change.`, 'problem');
  else say(`A bug in Plumb: ${stop.message}. It runs again after a change.`, 'problem');
};

function say(words: string, kind: 'fine' | 'problem'): void {
  const status = byId('status');
  status.textContent = words;
  status.className = kind;
}

/** Replaces the project. */
function load(saved: Saved): void {
  states = new Map();
  errors = new Map();
  project.load(saved);
  const { open } = project;
  project.open = '';
  output.reset();
  show(open);
  byId<HTMLSelectElement>('examples').value = examples.find((it) => it.title === saved.title)?.id ?? '';
  void run();
}

async function loadAddress(): Promise<void> {
  const fragment = location.hash.slice(1);
  const example = linkedExample(fragment) ?? (fragment ? undefined : START);
  try {
    const saved = example ? examples.find((it) => it.id === example) : await linkedProject(fragment);
    if (saved) return load(saved);
    load(examples[0]!);
    say(example ? `There is no example ${example}.` : 'The link contains no project.', 'problem');
  } catch {
    load(examples[0]!);
    say('The link is damaged: it contains no project.', 'problem');
  }
}

function setUpBar(): void {
  const choice = byId<HTMLSelectElement>('examples');
  for (const group of new Set(examples.map((it) => it.group))) {
    const own = examples.filter((it) => it.group === group);
    choice.append(element('optgroup', { label: group }, ...own.map((it) => element('option', { value: it.id }, it.title ?? it.id))));
  }
  choice.addEventListener('change', () => { location.hash = `example=${encodeURIComponent(choice.value)}`; });
  byId('target').addEventListener('change', (event) => {
    project.target = (event.target as HTMLSelectElement).value;
    void run();
  });
  byId('share').addEventListener('click', async () => {
    const link = await linkTo(project.save());
    history.replaceState(null, '', link);
    await navigator.clipboard?.writeText(link).catch(() => undefined);
    say('The link is in the address bar, and was copied.', 'fine');
  });
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
acceptDrops(document.body, (dropped) => load({ title: '', files: dropped }));
await loadAddress();
