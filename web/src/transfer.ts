// Projects in and out of the page: files that are dropped on it, a zip that is downloaded.
import { strToU8, unzipSync, zipSync } from 'fflate';
import type { Files } from './api';

/** Files above this size are left out: they are not configuration. */
const MAX_SIZE = 1 << 20;
const MAX_FILES = 2_000;
const LEFT_OUT = /(^|\/)(\.git|node_modules|target)\//;

/** What was dropped. */
export interface Dropped {
  files: Files;
  /** Whether it is a project: a folder or a zip, and not some files. */
  isProject: boolean;
  /** The paths of what cannot be opened. */
  leftOut: string[];
  /** Whether there are more files than can be opened. */
  isCut: boolean;
}

export function download(name: string, files: Files): void {
  const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
  const address = URL.createObjectURL(new Blob([bytes as BlobPart], { type: 'application/zip' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name || 'plumb'}.zip`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}

/** Lets people drop files and folders on the page. */
export function acceptDrops(area: HTMLElement, take: (dropped: Dropped) => void): void {
  area.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    area.classList.add('is-target');
  });
  area.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) area.classList.remove('is-target');
  });
  // Before the editor, which would insert the text of a file.
  area.addEventListener('drop', async (event) => {
    area.classList.remove('is-target');
    const items = [...(event.dataTransfer?.items ?? [])];
    const entries = items.map((it) => it.webkitGetAsEntry()).filter((it) => it !== null);
    if (entries.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    take(await readAll(entries));
  }, { capture: true });
}

/** What was left out, in words. Returns nothing if everything was opened. */
export function omission({ files, leftOut, isCut }: Dropped): string | undefined {
  if (isCut) return `Only the first ${MAX_FILES} files were opened.`;
  if (leftOut.length === 0) return Object.keys(files).length > 0 ? undefined : 'Nothing was opened: there are no files in it.';
  const shown = leftOut.slice(0, 3).join(', ');
  const names = leftOut.length > 3 ? `${shown} and ${leftOut.length - 3} more` : shown;
  return `Not opened: ${names}. Only text files of at most 1 MiB, folders and zip files can be opened.`;
}

/** Reads what was dropped. The name of a single folder is not part of the paths. */
async function readAll(entries: FileSystemEntry[]): Promise<Dropped> {
  const [only] = entries;
  if (entries.length === 1 && only?.isFile && /\.zip$/i.test(only.name)) return unpacked(only as FileSystemFileEntry);
  const dropped: Dropped = { files: {}, isProject: entries.length === 1 && Boolean(only?.isDirectory), leftOut: [], isCut: false };
  const prefix = dropped.isProject && only ? only.fullPath.length + 1 : 1;
  let n = 0;
  const visit = async (entry: FileSystemEntry): Promise<void> => {
    const path = entry.fullPath.slice(prefix);
    if (entry.isDirectory) {
      if (dropped.isCut || LEFT_OUT.test(`${path}/`)) return;
      for (const child of await children(entry as FileSystemDirectoryEntry)) await visit(child);
      return;
    }
    n += 1;
    dropped.isCut = n > MAX_FILES;
    if (dropped.isCut) return;
    const file = await opened(entry as FileSystemFileEntry).catch(() => null);
    add(dropped, path, file && file.size <= MAX_SIZE ? await file.arrayBuffer() : null);
  };
  for (const entry of entries) await visit(entry);
  return dropped;
}

/** The files in a zip. A folder that contains all of them is not part of the paths. */
async function unpacked(entry: FileSystemFileEntry): Promise<Dropped> {
  const dropped: Dropped = { files: {}, isProject: true, leftOut: [], isCut: false };
  try {
    const bytes = new Uint8Array(await (await opened(entry)).arrayBuffer());
    const large: string[] = [];
    const found = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (originalSize > MAX_SIZE) large.push(name);
        return originalSize <= MAX_SIZE && !name.endsWith('/') && !LEFT_OUT.test(name);
      },
    });
    const paths = [...Object.keys(found), ...large];
    const folder = /^[^/]+\//.exec(paths[0] ?? '')?.[0] ?? '';
    const prefix = paths.every((it) => it.startsWith(folder)) ? folder.length : 0;
    for (const path of paths) add(dropped, path.slice(prefix), found[path] ?? null);
  } catch {
    dropped.leftOut.push(entry.name);
  }
  return dropped;
}

/** Adds a file, unless it is not a text. */
function add(dropped: Dropped, path: string, bytes: BufferSource | null): void {
  const text = bytes && textOf(bytes);
  if (text === null) dropped.leftOut.push(path);
  else dropped.files[path] = text;
}

function textOf(bytes: BufferSource): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function opened(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** The entries of a directory, which come in parts. */
async function children(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
