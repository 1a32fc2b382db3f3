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

const isObject = (it: unknown): it is Record<string, unknown> => typeof it === 'object' && it !== null && !Array.isArray(it);
const isText = (it: unknown): it is string => typeof it === 'string';

/** Whether a value has everything that the page and the engine expect. */
function isSaved(value: unknown): value is Saved {
  if (!isObject(value) || !isObject(value['files'])) return false;
  const { files, title = '', open = '', target = '', values = [] } = value;
  const isValue = (it: unknown) => isObject(it) && /^data-value(-yaml)?$/.test(String(it['flag'])) && isText(it['path']) && isText(it['value']);
  return Object.values(files).every(isText) && isText(title) && isText(open) && (isText(target) || isObject(target))
    && Array.isArray(values) && values.every(isValue);
}
