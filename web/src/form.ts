// Data values as a form. What a field is, and what is wrong with it, comes from the engine.
import type { Answer, Form, FormField, SetValue } from './api';
import { byId, element, message } from './dom';

export class ValuesForm {
  readonly #box = byId('form');
  #shown = '';

  constructor(readonly change: (flag: SetValue['flag'], path: string, value: string | null) => void) {}

  show(answer: Answer, set: SetValue[]): void {
    const form = answer.form ?? null;
    byId('values-panel').hidden = !form || form.sections.length === 0;
    if (!form) return;
    // Fields are made anew only if the schema has changed: whoever is typing keeps the focus.
    const shape = JSON.stringify(form, (key, value) => (key === 'value' ? undefined : value));
    if (shape !== this.#shown) {
      this.#shown = shape;
      this.#box.replaceChildren(...form.sections.map((it) => this.#section(it)));
    }
    this.#update(form, set, answer);
  }

  #section({ heading, description, fields }: Form['sections'][number]): HTMLElement {
    const legend = element('legend', {}, heading);
    const words = description ? [element('p', { class: 'quiet' }, description)] : [];
    return element('fieldset', {}, legend, ...words, ...fields.map((it) => this.#field(it)));
  }

  #field(field: FormField): HTMLElement {
    const id = `value-${field.path}`;
    const told = [field.title, field.description, ...field.rules.map((it) => `Rule: ${it}`)].filter(Boolean);
    if (field.deprecation) told.push(`Deprecated: ${field.deprecation}`);
    const input = inputFor(field, id);
    const undo = element('button', { type: 'button', class: 'undo', title: 'Use the value of the files', 'aria-label': `Use the value of the files for ${field.path}`, hidden: true }, '↺');
    input.addEventListener('input', () => {
      const value = input instanceof HTMLInputElement && input.type === 'checkbox' ? String(input.checked) : input.value;
      this.change(field.flag, field.path, value);
    });
    undo.addEventListener('click', () => {
      this.change(field.flag, field.path, null);
      input.focus();
    });
    return element('div', { class: 'field', 'data-path': field.path },
      element('label', { for: id }, field.name, element('span', { class: 'type' }, field.type)),
      element('div', { class: 'entry' }, input, undo),
      element('p', { class: 'hint', id: `${id}-hint` }, told.join(' · ')),
      element('p', { class: 'problem', id: `${id}-problem`, role: 'status' }));
  }

  /** Brings values and problems up to date. */
  #update(form: Form, set: SetValue[], { report: { findings }, values }: Answer): void {
    const problems = new Map(findings.flatMap((it) => (it.subject?.path ? [[it.subject.path, it] as const] : [])));
    for (const field of form.sections.flatMap((it) => it.fields)) {
      const box = this.#box.querySelector<HTMLElement>(`[data-path="${CSS.escape(field.path)}"]`);
      const input = box?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
      if (!box || !input) continue;
      const own = set.find((it) => it.path === field.path);
      const value = own?.value ?? field.value ?? '';
      // After a mistake, the values of the last run stay.
      if (values && input instanceof HTMLInputElement && input.type === 'checkbox') input.checked = value === 'true';
      else if (values && document.activeElement !== input) input.value = value;
      const problem = problems.get(field.path);
      const words = problem ? (problem.subject?.required ? `expected ${problem.subject.required}` : problem.message) : '';
      (box.querySelector('.undo') as HTMLElement).hidden = !own;
      (box.querySelector('.problem') as HTMLElement).replaceChildren(...message(words));
      input.setAttribute('aria-invalid', String(Boolean(problem)));
    }
  }
}

function inputFor(field: FormField, id: string): HTMLInputElement | HTMLTextAreaElement {
  const described = { id, 'aria-describedby': `${id}-hint ${id}-problem`, spellcheck: 'false', autocomplete: 'off' };
  switch (field.input) {
    case 'switch': return element('input', { ...described, type: 'checkbox' });
    case 'number': return element('input', { ...described, type: 'text', inputmode: 'decimal' });
    case 'secret': return element('input', { ...described, type: 'password', placeholder: '***' });
    case 'yaml': return element('textarea', { ...described, rows: '2' });
    case 'text': return element('input', { ...described, type: 'text' });
  }
}
