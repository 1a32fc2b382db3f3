// A page with an editor that talks to the server: CodeMirror with its own client, a list of quick
// fixes, and the rendered output. The test reads `window.plumb`.
import { basicSetup } from 'codemirror';
import { EditorView, keymap } from '@codemirror/view';
import { yaml } from '@codemirror/lang-yaml';
import { startCompletion } from '@codemirror/autocomplete';
import { forEachDiagnostic, lintGutter } from '@codemirror/lint';
import {
  LSPClient, LSPPlugin, formatDocument, jumpToDefinition, languageServerExtensions, renameSymbol,
} from '@codemirror/lsp-client';

const { port, uri, text } = window.start;

function transport() {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    const handlers = new Set();
    socket.onmessage = (event) => handlers.forEach((it) => it(event.data));
    socket.onerror = reject;
    socket.onopen = () => resolve({
      send: (message) => socket.send(message),
      subscribe: (handler) => handlers.add(handler),
      unsubscribe: (handler) => handlers.delete(handler),
    });
  });
}

const output = document.getElementById('output');
let items = [];

async function showPreview(client) {
  const found = await client.request('plumb/preview', { textDocument: { uri } });
  if (!found) return;
  items = found.items;
  output.replaceChildren(...found.text.split('\n').map((line, at) => {
    const row = document.createElement('div');
    row.textContent = line || ' ';
    row.dataset.line = at;
    return row;
  }));
}

function highlight(view) {
  const line = view.state.doc.lineAt(view.state.selection.main.head).number - 1;
  const from = items.filter((it) => it.uri === uri && it.source.start.line === line);
  for (const row of output.children) {
    const at = Number(row.dataset.line);
    row.classList.toggle('source', from.some((it) => it.output.start.line <= at && at <= it.output.end.line));
  }
}

const client = new LSPClient({
  timeout: 60000,
  initializationOptions: { inlayHints: true },
  extensions: languageServerExtensions(),
  notificationHandlers: {
    'plumb/previewChanged': (it) => {
      showPreview(it);
      return true;
    },
  },
}).connect(await transport());
await client.initializing;

const view = new EditorView({
  doc: text,
  parent: document.getElementById('editor'),
  extensions: [
    basicSetup,
    yaml(),
    lintGutter(),
    keymap.of([]),
    LSPPlugin.create(client, uri, 'yaml'),
    EditorView.updateListener.of((update) => update.selectionSet && highlight(update.view)),
  ],
});

window.plumb = {
  view,
  text: () => view.state.doc.toString(),
  place: (at) => view.dispatch({ selection: { anchor: at } }) ?? view.focus(),
  type: (insert) => {
    const { head } = view.state.selection.main;
    view.dispatch({ changes: { from: head, insert }, selection: { anchor: head + insert.length }, userEvent: 'input.type' });
  },
  replace: (from, to, insert) => view.dispatch({ changes: { from, to, insert } }),
  complete: () => startCompletion(view),
  define: () => jumpToDefinition(view),
  rename: () => renameSymbol(view),
  format: () => formatDocument(view),
  preview: () => showPreview(client),
  findings: () => {
    const found = [];
    forEachDiagnostic(view.state, (it) => found.push(it.message));
    return found;
  },
  // The client has no command for quick fixes: ask for them, and apply the first.
  fix: async () => {
    LSPPlugin.get(view).client.sync();
    const at = view.state.doc.lineAt(view.state.selection.main.head).number - 1;
    const range = { start: { line: at, character: 0 }, end: { line: at + 1, character: 0 } };
    const actions = await client.request('textDocument/codeAction', {
      textDocument: { uri }, range, context: { diagnostics: [] },
    });
    const [action] = actions;
    if (!action) return '';
    const offset = ({ line, character }) => view.state.doc.line(line + 1).from + character;
    const changes = action.edit.changes[uri].map((it) => ({
      from: offset(it.range.start), to: offset(it.range.end), insert: it.newText,
    }));
    view.dispatch({ changes });
    return action.title;
  },
};
