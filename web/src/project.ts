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

  /** Replaces everything. */
  load(saved: Saved): void {
    this.title = saved.title ?? '';
    this.files = new Map(Object.entries(saved.files));
    this.target = saved.target;
    this.values = saved.values ?? [];
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
