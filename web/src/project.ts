// The project that is edited: files, the target that is run, and data values on top of it.
import type { Files, SetValue, Target } from './api';

/** What a link or an example contains. */
export interface Saved {
  title?: string;
  files: Files;
  target?: string | Target;
  values?: SetValue[];
  /** The file that is shown first. */
  open?: string;
}

export const PROJECT_FILE = 'plumb.yml';
const ROOT = 'file:///work/';

export class Project {
  title = '';
  files = new Map<string, string>();
  target: string | Target | undefined;
  values: SetValue[] = [];
  open = '';
  /** Whether it is no longer what was loaded. */
  isChanged = false;

  /** Replaces everything. */
  load(saved: Saved): void {
    this.title = saved.title ?? '';
    this.files = new Map(Object.entries(saved.files));
    this.target = saved.target;
    this.values = saved.values ?? [];
    this.isChanged = false;
    this.open = saved.open && this.files.has(saved.open) ? saved.open : (this.paths()[0] ?? '');
  }

  save(): Saved {
    const { title, target, values, open } = this;
    return { title, files: this.texts(), ...(target && { target }), values, open };
  }

  texts(): Files {
    return Object.fromEntries(this.files);
  }

  paths(): string[] {
    return [...this.files.keys()].sort((a, b) => a.localeCompare(b));
  }

  /** Sets the text of a file. A target that names its files reads a new one too. */
  put(path: string, text: string): void {
    const isNew = !this.files.has(path);
    this.files.set(path, text);
    if (!isNew || typeof this.target !== 'object' || !Array.isArray(this.target['file'])) return;
    const named: string[] = this.target['file'];
    const isRead = named.some((it) => it === '.' || it === path || path.startsWith(`${it}/`));
    if (!isRead) this.target = { ...this.target, file: [...named, path] };
  }

  /** Removes a file, also from a target that names it. Without any, all files are read. */
  remove(path: string): void {
    this.files.delete(path);
    if (typeof this.target !== 'object' || !Array.isArray(this.target['file'])) return;
    const without = (value: unknown) => (Array.isArray(value) ? value.filter((it) => it !== path) : value);
    const left = Object.fromEntries(Object.entries(this.target).map(([key, value]) => [key, without(value)]));
    this.target = (left['file'] as string[]).length > 0 ? left as Target : undefined;
  }

  /** Why a path cannot be that of a new file. Returns nothing if it can. */
  obstacle(path: string): string | undefined {
    if (this.files.has(path)) return `There is already a file ${path}`;
    const isPath = path.split('/').every((it) => !['', '.', '..'].includes(it));
    return path && !isPath ? 'Expected a path such as config/web.yml' : undefined;
  }

  /** Sets a data value, or leaves it to the files. */
  setValue(flag: SetValue['flag'], path: string, value: string | null): void {
    this.values = this.values.filter((it) => it.path !== path);
    if (value !== null) this.values.push({ flag, path, value });
  }

  /** Whether the target that is run may generate files: only the module for generators knows about others than the first. */
  mayGenerate(): boolean {
    if (typeof this.target === 'object') return 'generate' in this.target;
    return /\bgenerate['"]?\s*:/.test(this.files.get(PROJECT_FILE) ?? '');
  }

  /** The command that does the same in a terminal. */
  command(): string {
    if (typeof this.target !== 'object' && this.files.has(PROJECT_FILE)) {
      return this.target ? `plumb build --stdout ${this.target}` : 'plumb build';
    }
    const target = this.target as Target | undefined;
    const machines = target?.['vm-check'] as { machines?: string[]; templates?: string[] } | undefined;
    if (machines) {
      const templates = (machines.templates ?? []).map((it) => `--template ${it}`);
      return ['plumb vm check', ...templates, ...(machines.machines ?? [])].join(' ');
    }
    const { generate, ...flags } = target ?? { file: ['.'] };
    const words = generate ? [`plumb generate ${quoted(String(generate))} --stdout`] : ['plumb'];
    for (const [key, value] of Object.entries(flags)) {
      const flag = key === 'file' ? '-f' : `--${key}`;
      for (const one of [value].flat()) words.push(one === true ? flag : `${flag} ${quoted(String(one))}`);
    }
    for (const { flag, path, value } of this.values) words.push(`--${flag} ${quoted(`${path}=${value}`)}`);
    return words.join(' ');
  }
}

export function uriOf(path: string): string {
  return ROOT + path.split('/').map(encodeURIComponent).join('/');
}

export function pathOf(uri: string): string {
  return decodeURIComponent(uri.slice(ROOT.length));
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
