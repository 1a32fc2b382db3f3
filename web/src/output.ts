// The output pane: what the run made, in tabs, and what it found.
import { EditorView } from '@codemirror/view';
import type { Answer, Finding, MapEntry, SchemaLanguage } from './api';
import { byId, element, message } from './dom';
import { looks, readerState, replaceState, setMarked } from './editor';
import { type Tab, Tabs } from './tabs';

export interface OutputActions {
  /** Goes to a line of a file. */
  go(file: string, line: number, column?: number): void;
  explain(code: string): Promise<string | undefined>;
  schema(language: SchemaLanguage): Promise<string>;
}

const SCHEMAS: Record<string, SchemaLanguage> = { openapi: 'openapi-v3', 'json-schema': 'json-schema', crd: 'crd' };

export class OutputPane {
  readonly #panel = byId('output');
  readonly #view = new EditorView({ extensions: looks });
  readonly #tabs = new Tabs('output-tabs', 'output', () => void this.#draw());
  #answer: Answer | null = null;
  /** The last run that made output: it stays, marked as old, while there are mistakes. */
  #last: Answer | null = null;
  #key = '';
  #map: MapEntry[] = [];

  constructor(readonly actions: OutputActions) {
    this.#view.dom.classList.add('reader');
  }

  show(answer: Answer): void {
    this.#answer = answer;
    if (answer.output || answer.verdict) this.#last = answer;
    const { errors, warnings } = answer.report.summary;
    const findings = { id: 'findings', label: `Findings (${errors + warnings})` };
    const tabs: Tab[] = answer.verdict !== undefined
      ? [{ id: 'verdict', label: 'Verdict' }, findings]
      : [
        { id: 'yaml', label: 'YAML' }, ...(this.#made?.json === null ? [] : [{ id: 'json', label: 'JSON' }]), findings,
        ...(answer.form ? [{ id: 'values', label: 'Data values' }] : []),
        ...(answer.form?.sections.length ? [{ id: 'openapi', label: 'OpenAPI' }, { id: 'json-schema', label: 'JSON Schema' }, { id: 'crd', label: 'CRD' }] : []),
        { id: 'files', label: 'Files' },
      ];
    this.#tabs.show(tabs);
    void this.#draw();
  }

  /** Marks the output as that of an earlier run: this one was stopped. */
  outdate(): void {
    const old = byId('old');
    old.hidden = !this.#made && !this.#last;
    old.textContent = 'This is the output of an earlier run.';
  }

  /** Forgets the output of another project. */
  reset(): void {
    this.#last = null;
  }

  chooseFindings(): void {
    this.#tabs.select('findings');
  }

  /** Marks the lines of the output that come from a line of a file. */
  markFrom(file: string, line: number): void {
    const output = this.#tabs.chosen === 'yaml' ? this.#answer?.output : null;
    if (!output) return;
    const exact = output.map.filter((it) => it[2] === file && it[3] === line);
    const lines = new Set(exact.flatMap(([first, last]) => range(first, Math.min(last, first + 200))));
    this.#view.dispatch({ effects: setMarked.of([...lines]) });
    const first = exact[0]?.[0];
    if (first && first <= this.#view.state.doc.lines) {
      const at = this.#view.state.doc.line(first).from;
      this.#view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 40 }) });
    }
  }

  /** The output of this run, or else of the last one that made some. */
  get #made(): Answer['output'] {
    return this.#answer?.output ?? this.#last?.output ?? null;
  }

  async #draw(): Promise<void> {
    const answer = this.#answer;
    const made = this.#made;
    const isOld = Boolean(answer && !answer.output && made);
    if (!answer) return;
    const { chosen } = this.#tabs;
    byId('old').hidden = !(isOld && ['yaml', 'json', 'values', 'files'].includes(chosen));
    byId('old').textContent = 'There are errors: this is the last output without them.';
    if (['yaml', 'json', 'files'].includes(chosen) && !made?.files.length && !made?.yaml) return this.#nodes('empty', this.#emptiness(answer));
    switch (chosen) {
      case 'yaml': return this.#text('Rendered YAML', made?.yaml ?? '', true, made?.map ?? []);
      case 'json': return this.#text('Rendered JSON', pretty(made?.json ?? ''), true, []);
      case 'values': return this.#text('Data values', answer.values ?? this.#last?.values ?? '', true, []);
      case 'files': return this.#nodes('files', (made?.files ?? []).map(({ path, text }) =>
        element('details', { open: true }, element('summary', {}, path), element('pre', { tabindex: '0' }, text))));
      case 'findings': return this.#nodes('findings', this.#findings(answer));
      case 'verdict': return this.#nodes('verdict', verdict(answer));
      default: {
        const language = SCHEMAS[chosen];
        if (!language) return;
        const text = await this.actions.schema(language).catch(() => '');
        if (this.#tabs.chosen === chosen) this.#text('Schema', text, true, []);
      }
    }
  }

  #text(name: string, text: string, isYaml: boolean, map: MapEntry[]): void {
    const isShown = this.#view.dom.isConnected && this.#key === name;
    this.#map = map;
    if (isShown && this.#view.state.doc.toString() === text) return;
    const scroll = isShown ? this.#view.scrollSnapshot() : null;
    const follow = EditorView.domEventHandlers({
      click: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at !== null) this.#follow(view.state.doc.lineAt(at).number);
      },
      keydown: (event, view) => {
        if (event.key === 'Enter') this.#follow(view.state.doc.lineAt(view.state.selection.main.head).number);
      },
    });
    replaceState(this.#view, readerState(name, text, isYaml, follow));
    if (scroll) this.#view.dispatch({ effects: scroll });
    this.#key = name;
    if (!this.#view.dom.isConnected) this.#panel.replaceChildren(this.#view.dom);
  }

  /** Goes to the source of a line: the innermost item that contains it. */
  #follow(line: number): void {
    const around = this.#map.filter(([first, last]) => first <= line && line <= last);
    const inner = around.reduce<MapEntry | null>((best, it) => (!best || it[0] >= best[0] ? it : best), null);
    if (inner) this.actions.go(inner[2], inner[3]);
  }

  #nodes(kind: string, nodes: Node[]): void {
    this.#panel.replaceChildren(element('div', { class: kind }, ...nodes));
  }

  /** Why there is nothing to show. */
  #emptiness({ report }: Answer): Node[] {
    if (report.summary.errors === 0) return [element('p', { class: 'quiet' }, 'The output is empty: no file contains a document to render.')];
    const show = element('button', { type: 'button' }, 'Show the findings');
    show.addEventListener('click', () => this.chooseFindings());
    return [element('p', { class: 'quiet' }, 'There is no output, because there are errors.'), show];
  }

  #findings({ report, printed }: Answer): Node[] {
    const lines = printed?.length ? [element('pre', { class: 'printed', tabindex: '0' }, printed.join('\n'))] : [];
    if (report.findings.length === 0) return [element('p', { class: 'fine' }, 'No findings.'), ...lines];
    return [...report.findings.map((it) => this.#finding(it)), ...lines];
  }

  #finding(finding: Finding): HTMLElement {
    const code = element('button', { type: 'button', class: 'code', title: 'What does it mean?' }, finding.code);
    const places = finding.places.map((place) => {
      const where = `${place.file ?? place.text}:${place.line}:${place.column}`;
      const words = message(place.message ? ` ${place.message}` : '');
      if (!place.file) return element('li', {}, where, ...words);
      const link = element('button', { type: 'button', class: 'place' }, where);
      link.addEventListener('click', () => this.actions.go(place.file ?? '', place.line, place.column));
      return element('li', {}, link, ...words);
    });
    const card = element('article', { class: `finding ${finding.severity}` },
      element('p', {}, element('strong', {}, finding.severity), ' ', code), element('p', { class: 'message' }, ...message(finding.message)),
      element('ul', {}, ...places),
      ...finding.notes.map((it) => element('pre', {}, it)), ...finding.help.map((it) => element('p', { class: 'help' }, 'help: ', ...message(it))));
    code.addEventListener('click', async () => {
      const shown = card.querySelector('.page');
      if (shown) return shown.remove();
      const page = await this.actions.explain(finding.code).catch(() => undefined);
      card.append(element('pre', { class: 'page', tabindex: '0' }, page ?? ''));
    });
    return card;
  }
}

function verdict({ verdict, report }: Answer): Node[] {
  const isAccepted = verdict?.isAccepted && report.summary.errors === 0;
  const rows = (verdict?.broken ?? []).map((it) => {
    const severity = it.isWarning ? 'warning' : 'error';
    return element('tr', {}, element('td', {}, it.machine), element('td', {}, it.rule),
      element('td', { class: severity }, severity), element('td', {}, ...message(it.message)));
  });
  const head = element('tr', {}, ...['Machine', 'Rule', 'Severity', 'Message'].map((it) => element('th', { scope: 'col' }, it)));
  return [
    element('p', { class: isAccepted ? 'fine' : 'problem' }, isAccepted ? 'Accepted' : 'Refused'),
    element('p', { class: 'quiet' }, verdict?.summary ?? ''),
    ...(rows.length > 0 ? [element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows))] : []),
  ];
}

function pretty(stream: string): string {
  return stream.split('\n').filter(Boolean).map((it) => JSON.stringify(JSON.parse(it), null, 2)).join('\n');
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}
