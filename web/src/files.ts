// The list of files: choose, add, rename, remove.
import { button, byId, element } from './dom';

export interface FileActions {
  open(path: string): void;
  add(path: string): void;
  rename(path: string, to: string): void;
  remove(path: string): void;
}

export class FileList {
  readonly #list = byId('files');

  constructor(readonly actions: FileActions) {
    byId('add-file').addEventListener('click', () => this.#ask('', (path) => actions.add(path)));
  }

  /** Shows the files, with the number of errors in each. */
  show(paths: string[], open: string, errors: Map<string, number>): void {
    this.#list.replaceChildren(...paths.map((path) => {
      const count = errors.get(path) ?? 0;
      const name = element('button', {
        type: 'button', class: 'file-name', 'aria-current': path === open && 'true',
      }, ...parts(path));
      const words = element('span', { class: 'unseen' }, count === 1 ? ' finding' : ' findings');
      if (count > 0) name.append(element('span', { class: 'count' }, String(count), words));
      name.addEventListener('click', () => this.actions.open(path));
      name.addEventListener('keydown', (event) => {
        if (event.key === 'F2') this.#ask(path, (to) => this.actions.rename(path, to));
        if (event.key === 'Delete') this.actions.remove(path);
      });
      const rename = button('✎', `Rename ${path}`, () => this.#ask(path, (to) => this.actions.rename(path, to)));
      const remove = button('×', `Remove ${path}`, () => this.actions.remove(path));
      return element('li', {}, name, element('span', { class: 'file-actions' }, rename, remove));
    }));
  }

  /** Asks for a path in a field at the end of the list. */
  #ask(before: string, done: (path: string) => void): void {
    const label = before ? `New path of ${before}` : 'Path of the new file';
    const field = element('input', { value: before, 'aria-label': label, placeholder: 'config/web.yml', spellcheck: 'false' });
    const item = element('li', {}, field);
    let isOver = false;
    const end = (isWanted: boolean) => {
      if (isOver) return;
      isOver = true;
      const path = field.value.trim().replace(/^\/+/, '');
      item.remove();
      if (isWanted && path && path !== before) done(path);
    };
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') end(true);
      if (event.key === 'Escape') end(false);
    });
    field.addEventListener('blur', () => end(true));
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
