// Tabs with the keyboard of the ARIA pattern: arrows move, Home and End go to the ends.
import { byId, element } from './dom';

export interface Tab {
  id: string;
  label: string;
}

export class Tabs {
  readonly #bar: HTMLElement;
  #tabs: Tab[] = [];
  chosen = '';

  constructor(id: string, readonly panel: string, readonly choose: (id: string) => void) {
    this.#bar = byId(id);
    this.#bar.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Shows these tabs. Keeps the chosen one if it is among them. */
  show(tabs: Tab[]): void {
    const isSame = JSON.stringify(tabs) === JSON.stringify(this.#tabs);
    this.#tabs = tabs;
    if (!tabs.some((it) => it.id === this.chosen)) this.chosen = tabs[0]?.id ?? '';
    if (!isSame) this.#draw();
  }

  select(id: string): void {
    this.chosen = id;
    this.#draw();
    this.choose(id);
  }

  #draw(): void {
    const hasFocus = this.#bar.contains(document.activeElement);
    this.#bar.replaceChildren(...this.#tabs.map(({ id, label }) => {
      const isChosen = id === this.chosen;
      const tab = element('button', {
        type: 'button', role: 'tab', id: `tab-${id}`, 'aria-selected': String(isChosen), 'aria-controls': this.panel,
        tabindex: isChosen ? '0' : '-1',
      }, label);
      tab.addEventListener('click', () => this.select(id));
      return tab;
    }));
    const chosen = byId(`tab-${this.chosen}`);
    byId(this.panel).setAttribute('aria-labelledby', chosen.id);
    if (hasFocus) chosen.focus();
  }

  #key(event: KeyboardEvent): void {
    const at = this.#tabs.findIndex((it) => it.id === this.chosen);
    const last = this.#tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    const tab = to === undefined ? undefined : this.#tabs[to];
    if (!tab) return;
    event.preventDefault();
    this.select(tab.id);
  }
}
