// A message above the panes. It stays until the reader closes it, or until the next one.
import { button, byId, element } from './dom';

export interface Remedy {
  name: string;
  act(): void;
}

/** Shows a message, with a button for what can be done about it. */
export function notify(words: string, remedy?: Remedy): void {
  const buttons = [button('×', 'Close the message', clearNotice)];
  if (remedy) {
    const act = element('button', { type: 'button' }, remedy.name);
    act.addEventListener('click', () => {
      clearNotice();
      remedy.act();
    });
    buttons.unshift(act);
  }
  byId('notice').replaceChildren(element('span', {}, words), ...buttons);
}

export function clearNotice(): void {
  byId('notice').replaceChildren();
}
