// A whole project in the fragment of the address, which browsers do not send to servers.
import { targetOf, usedBy } from '../commands.mjs';
import type { Saved } from './project';

const PROJECT = 'p=';
const RUN = 'run=';
const EXAMPLE = 'example=';

export async function linkTo(saved: Saved): Promise<string> {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(saved)));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  const encoded = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${location.href.split('#')[0]}#${PROJECT}${encoded}`;
}

/** The name of the example in the address. */
export function linkedExample(fragment: string): string | undefined {
  return fragment.startsWith(EXAMPLE) ? decodeURIComponent(fragment.slice(EXAMPLE.length)) : undefined;
}

/** The project in the address. Fails if the link is damaged. */
export async function linkedProject(fragment: string): Promise<Saved | undefined> {
  if (fragment.startsWith(RUN)) return projectOfConsole(JSON.parse(decodeURIComponent(fragment.slice(RUN.length))));
  if (!fragment.startsWith(PROJECT)) return undefined;
  const text = atob(fragment.slice(PROJECT.length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const json = await through(new DecompressionStream('deflate-raw'), bytes);
  const saved: unknown = JSON.parse(new TextDecoder().decode(json));
  if (!isSaved(saved)) throw new Error('not a project');
  return saved;
}

/** A console of the manual: its files, and the command as a target. */
function projectOfConsole(linked: unknown): Saved | undefined {
  if (!isSaved(linked) || !('command' in linked) || typeof linked.command !== 'string') return undefined;
  const target = targetOf(linked.command);
  if (!target) return undefined;
  const files = usedBy(target, linked.files);
  return { title: String(linked.title ?? ''), files, target, open: Object.keys(files).at(-1) ?? '' };
}

async function through(stream: ReadableWritablePair, bytes: Uint8Array): Promise<Uint8Array> {
  const changed = new Blob([bytes as BlobPart]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(changed).arrayBuffer());
}

function isSaved(value: unknown): value is Saved {
  if (typeof value !== 'object' || value === null || !('files' in value)) return false;
  const { files } = value;
  return typeof files === 'object' && files !== null && Object.values(files).every((it) => typeof it === 'string');
}
