// Semantic tokens as decorations.
import { type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** Tokens as the protocol sends them: five numbers each, relative to the token before. */
export const setTokens = StateEffect.define<{ data: number[]; legend: string[] }>();

export const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(known, transaction) {
    let shown = known.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setTokens)) continue;
      const { data, legend } = effect.value;
      const doc = transaction.newDoc;
      const ranges: Range<Decoration>[] = [];
      let line = 0;
      let column = 0;
      for (let at = 0; at + 4 < data.length; at += 5) {
        const [down = 0, right = 0, length = 0, kind = 0] = data.slice(at, at + 4);
        line += down;
        column = down > 0 ? right : column + right;
        if (line >= doc.lines) break;
        const from = doc.line(line + 1).from + column;
        const to = Math.min(from + length, doc.length);
        if (from < to) ranges.push(Decoration.mark({ class: `token-${legend[kind] ?? 'variable'}` }).range(from, to));
      }
      shown = Decoration.set(ranges, true);
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});
