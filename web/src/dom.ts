// Small helpers for elements.

type Attributes = Record<string, string | boolean | undefined>;

/** Makes an element. An attribute that is `true` is empty; one that is `false` or missing is left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** A message, whose literals are between backticks. */
export function message(text: string): (Node | string)[] {
  return text.split('`').map((it, at) => (at % 2 === 1 ? element('code', {}, it) : it));
}

/** Finds an element of the page, which must exist. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** A button with a text or a symbol and the name of what it does. */
export function button(text: string, name: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', title: name, 'aria-label': name }, text);
  made.addEventListener('click', act);
  return made;
}

/** Calls a function after a pause of this many milliseconds without another call. */
export function afterPause(pause: number, act: () => void): () => void {
  let timer: number | undefined;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(act, pause);
  };
}
