// The list of files: choose, add, rename, remove.
import { button, byId, element } from './dom';

export interface FileActions {
  open(path: string): void;
  /** Why a path cannot be that of a new file. Returns nothing if it can. */
  obstacle(path: string): string | undefined;
  add(path: string): void;
  rename(path: string, to: string): void;
  remove(path: string): void;
}

/** How many findings each file has, and whether one of them is an error. */
export type Findings = Map<string, { count: number; hasError: boolean }>;

interface Shown {
  paths: string[];
  open: string;
  findings: Findings;
}

export class FileList {
  readonly #list = byId('files');
  #shown: Shown = { paths: [], open: '', findings: new Map() };
  /** Whether a reader types a path: the list is drawn again when that is done. */
  #isAsking = false;

  constructor(readonly actions: FileActions) {
    byId('add-file').addEventListener('click', () => this.#ask('', (path) => actions.add(path)));
  }

  show(paths: string[], open: string, findings: Findings): void {
    this.#shown = { paths, open, findings };
    if (!this.#isAsking) this.#draw();
  }

  #draw(): void {
    const { paths } = this.#shown;
    const focused = (document.activeElement?.closest('#files li') as HTMLElement | null)?.dataset['path'];
    const items = paths.map((it) => this.#item(it));
    this.#list.replaceChildren(...(items.length > 0 ? items : [element('li', { class: 'quiet' }, 'No files')]));
    if (focused !== undefined) this.#focus(focused);
  }

  #item(path: string): HTMLElement {
    const { open, findings } = this.#shown;
    const { count, hasError } = findings.get(path) ?? { count: 0, hasError: false };
    const name = element('button', {
      type: 'button', class: 'file-name', 'aria-current': path === open && 'true',
    }, ...parts(path));
    const words = element('span', { class: 'unseen' }, count === 1 ? ' finding' : ' findings');
    if (count > 0) name.append(element('span', { class: hasError ? 'count' : 'count warning' }, String(count), words));
    const rename = () => this.#ask(path, (to) => this.actions.rename(path, to));
    const remove = () => this.#remove(path);
    name.addEventListener('click', () => this.actions.open(path));
    name.addEventListener('keydown', (event) => {
      if (event.key === 'F2') rename();
      if (event.key === 'Delete') remove();
    });
    const actions = [button('✎', `Rename ${path}`, rename), button('×', `Remove ${path}`, remove)];
    return element('li', { 'data-path': path }, name, element('span', { class: 'file-actions' }, ...actions));
  }

  /** Removes a file; the focus goes to the one that is shown then. */
  #remove(path: string): void {
    this.actions.remove(path);
    this.#focus(this.#shown.open);
  }

  #focus(path: string): void {
    const name = this.#list.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"] .file-name`);
    (name ?? byId('add-file')).focus();
  }

  /** Asks for a path in a field at the end of the list. */
  #ask(before: string, done: (path: string) => void): void {
    const label = before ? `New path of ${before}` : 'Path of the new file';
    const field = element('input', { value: before, 'aria-label': label, 'aria-describedby': 'path-problem', placeholder: 'config/web.yml', spellcheck: 'false' });
    const problem = element('p', { class: 'problem', id: 'path-problem', role: 'status' });
    const item = element('li', { class: 'asking' }, field, problem);
    this.#isAsking = true;
    const end = (path: string) => {
      if (!this.#isAsking) return;
      this.#isAsking = false;
      item.remove();
      this.#draw();
      if (path && path !== before) done(path);
      else this.#focus(before);
    };
    const given = () => field.value.trim().replace(/^\/+/, '');
    const obstacle = () => (given() === before ? undefined : this.actions.obstacle(given()));
    field.addEventListener('input', () => { problem.textContent = ''; });
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') end('');
      if (event.key !== 'Enter') return;
      problem.textContent = obstacle() ?? '';
      if (!obstacle()) end(given());
    });
    field.addEventListener('blur', () => end(obstacle() ? '' : given()));
    this.#list.append(item);
    field.focus();
    field.select();
  }
}

/** A path with its directory in a quieter colour. */
function parts(path: string): (Node | string)[] {
  const at = path.lastIndexOf('/') + 1;
  return at > 0 ? [element('span', { class: 'directory' }, path.slice(0, at)), path.slice(at)] : [path];
}
