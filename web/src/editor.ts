// The editor: one view, and a state for each file, so that each keeps its own history.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  HighlightStyle, StreamLanguage, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting,
} from '@codemirror/language';
import { javascript, typescript } from '@codemirror/legacy-modes/mode/javascript';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration, type DecorationSet, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, keymap, lineNumbers, rectangularSelection,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { tokens } from './tokens';

// Colours are variables of the page, so that one style serves the light and the dark theme.
const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: tags.keyword, color: 'var(--keyword)' },
  { tag: tags.comment, color: 'var(--comment)' },
  { tag: [tags.meta, tags.separator, tags.punctuation], color: 'var(--quiet)' },
]);

/** Marks lines, those that another pane points at. */
export const setMarked = StateEffect.define<number[]>();

const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(known, transaction) {
    let shown = known.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarked)) continue;
      const { doc } = transaction.state;
      const lines = effect.value.filter((it) => it >= 1 && it <= doc.lines);
      shown = Decoration.set(lines.map((it) => Decoration.line({ class: 'marked' }).range(doc.line(it).from)), true);
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What texts of both panes have in common. */
export const looks: Extension = [
  EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''),
  lineNumbers(), highlightSpecialChars(), foldGutter(), drawSelection(), syntaxHighlighting(style), marked,
  EditorView.theme({}, { dark: false }),
];

/** The language of a file, for its colours. */
function languageOf(path: string): Extension {
  if (/\.(ya?ml|star|json)$/.test(path)) return yaml();
  if (/\.m?ts$/.test(path)) return StreamLanguage.define(typescript);
  return /\.m?js$/.test(path) ? StreamLanguage.define(javascript) : [];
}

/** A state with the text of a file. */
export function editorState(path: string, text: string, more: Extension): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      looks, history(), rectangularSelection(), EditorState.allowMultipleSelections.of(true), indentOnInput(),
      indentUnit.of('  '), bracketMatching(), closeBrackets(), autocompletion(), highlightActiveLine(),
      highlightActiveLineGutter(), highlightSelectionMatches(), lintGutter(), tokens,
      // Tab indents; after Escape it leaves the editor.
      keymap.of([
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap,
        ...completionKeymap, ...lintKeymap, indentWithTab,
      ]),
      languageOf(path),
      EditorView.contentAttributes.of({ 'aria-label': `Text of ${path}`, tabindex: '0' }),
      more,
    ],
  });
}

/** A state for text that is only read. */
export function readerState(name: string, text: string, isYaml: boolean, more: Extension): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      looks, EditorState.readOnly.of(true), keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
      isYaml ? yaml() : [], EditorView.contentAttributes.of({ 'aria-label': name, 'aria-readonly': 'true', tabindex: '0' }), more,
    ],
  });
}

/** Replaces the state of a view by one with another text. */
export function replaceState(view: EditorView, state: EditorState): void {
  // Takes the measurements that are pending, such as those of tooltips: CodeMirror would look up their positions in the new text.
  view.coordsAtPos(0);
  view.setState(state);
}
