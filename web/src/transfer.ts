// Projects in and out of the page: a folder that is dropped, a zip that is downloaded.
import { strToU8, zipSync } from 'fflate';
import type { Files } from './api';

/** Files above this size are left out: they are not configuration. */
const MAX_SIZE = 1 << 20;
const LEFT_OUT = /(^|\/)(\.git|node_modules|target)\//;

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
export function acceptDrops(area: HTMLElement, take: (files: Files) => void): void {
  area.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    area.classList.add('is-target');
  });
  area.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) area.classList.remove('is-target');
  });
  area.addEventListener('drop', async (event) => {
    area.classList.remove('is-target');
    const items = [...(event.dataTransfer?.items ?? [])];
    const entries = items.map((it) => it.webkitGetAsEntry()).filter((it) => it !== null);
    if (entries.length === 0) return;
    event.preventDefault();
    take(await readAll(entries));
  });
}

/** Reads what was dropped. The name of a single folder is not part of the paths. */
async function readAll(entries: FileSystemEntry[]): Promise<Files> {
  const files: Files = {};
  const [only] = entries;
  const isFolder = entries.length === 1 && only?.isDirectory;
  const prefix = isFolder ? only.fullPath.length + 1 : 1;
  const visit = async (entry: FileSystemEntry): Promise<void> => {
    const path = entry.fullPath.slice(prefix);
    if (entry.isDirectory) {
      for (const child of await children(entry as FileSystemDirectoryEntry)) await visit(child);
      return;
    }
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    if (file.size > MAX_SIZE || LEFT_OUT.test(`${path}/`)) return;
    const text = new TextDecoder('utf-8', { fatal: true });
    try {
      files[path] = text.decode(await file.arrayBuffer());
    } catch {
      // Not a text: an image or the like is not configuration.
    }
  };
  for (const entry of entries) await visit(entry);
  return files;
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
