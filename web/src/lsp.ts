// Connects the editor to the language server in the worker. All files of the project are open in the
// server; the one in the editor has a view.
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import {
  LSPClient, LSPPlugin, Workspace, type WorkspaceFile, findReferencesKeymap, formatKeymap, hoverTooltips,
  jumpToDefinitionKeymap, renameKeymap, serverCompletion, signatureHelp,
} from '@codemirror/lsp-client';
import { type Text, EditorState } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import type { Engine } from './engine';
import { PROJECT_FILE, pathOf, uriOf } from './project';
import { setTokens } from './tokens';

const LINES = ['', 'error', 'warning', 'info', 'hint'] as const;

class OpenFile implements WorkspaceFile {
  readonly languageId = 'yaml';
  version = 0;
  view: EditorView | null = null;
  constructor(readonly uri: string, public doc: Text) {}
  getView() { return this.view; }
}

class Files extends Workspace {
  files: OpenFile[] = [];
  /** Puts a file into the editor. */
  show: (path: string) => EditorView | null = () => null;

  override getFile(uri: string): OpenFile | null {
    return this.files.find((it) => it.uri === uri) ?? null;
  }

  syncFiles() {
    const updates = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      if (!file.view || !plugin || plugin.unsyncedChanges.empty) continue;
      updates.push({ file, prevDoc: file.doc, changes: plugin.unsyncedChanges });
      file.doc = file.view.state.doc;
      file.version += 1;
      plugin.clear();
    }
    return updates;
  }

  openFile(uri: string, _language: string, view: EditorView): void {
    const known = this.getFile(uri);
    if (known) {
      known.view = view;
      return;
    }
    const file = new OpenFile(uri, view.state.doc);
    file.view = view;
    this.files.push(file);
    if (this.client.connected) this.client.didOpen(file);
  }

  closeFile(uri: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (file?.view === view) file.view = null;
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    return this.show(pathOf(uri));
  }

  /** Sets the text of a file that is not in the editor. */
  put(path: string, text: string): void {
    const uri = uriOf(path);
    const known = this.getFile(uri);
    const doc = EditorState.create({ doc: text }).doc;
    if (known && known.doc.eq(doc)) return;
    if (known) this.remove(path);
    const file = new OpenFile(uri, doc);
    file.view = known?.view ?? null;
    file.version = (known?.version ?? -1) + 1;
    this.files.push(file);
    if (this.client.connected) this.client.didOpen(file);
  }

  remove(path: string): void {
    const uri = uriOf(path);
    if (this.getFile(uri) && this.client.connected) this.client.didClose(uri);
    this.files = this.files.filter((it) => it.uri !== uri);
  }
}

export class Language {
  readonly client: LSPClient;
  readonly #engine: Engine;
  #handlers = new Set<(message: string) => void>();

  constructor(engine: Engine, show: (path: string) => EditorView | null) {
    this.#engine = engine;
    engine.onMessage = (message) => this.#handlers.forEach((it) => it(message));
    this.client = new LSPClient({
      rootUri: 'file:///work',
      timeout: 20_000,
      initializationOptions: { inlayHints: false },
      workspace: (client) => new Files(client),
      extensions: [
        serverCompletion(), hoverTooltips(), signatureHelp(),
        keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      ],
      notificationHandlers: {
        'textDocument/publishDiagnostics': (_, params: lsp.PublishDiagnosticsParams) => {
          this.#publish(params);
          return true;
        },
      },
    });
    this.#files.show = show;
  }

  get #files(): Files {
    return this.client.workspace as Files;
  }

  /** What makes an editor show answers about a file. */
  extension(path: string) {
    return LSPPlugin.create(this.client, uriOf(path), 'yaml');
  }

  /** Opens the files in a new server. */
  async connect(): Promise<void> {
    if (this.client.connected) this.client.disconnect();
    this.#handlers.clear();
    this.client.connect({
      send: (message) => this.#engine.send(message),
      subscribe: (handler) => this.#handlers.add(handler),
      unsubscribe: (handler) => this.#handlers.delete(handler),
    });
    await this.client.initializing;
  }

  /** Makes the server know exactly these files, and this text of the project file. */
  setFiles(files: Map<string, string>, projectFile: string): void {
    const all = new Map(files).set(PROJECT_FILE, projectFile);
    for (const { uri } of [...this.#files.files]) {
      if (!all.has(pathOf(uri))) this.#files.remove(pathOf(uri));
    }
    this.client.sync();
    for (const [path, text] of all) this.#files.put(path, text);
  }

  /** Colours the code of a template, which YAML takes for comments. */
  async colour(view: EditorView, path: string): Promise<void> {
    const { doc } = view.state;
    const params = { textDocument: { uri: uriOf(path) } };
    const tokens = await this.client.request<object, lsp.SemanticTokens | null>('textDocument/semanticTokens/full', params);
    const legend = this.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
    if (tokens && view.state.doc === doc) view.dispatch({ effects: setTokens.of({ data: tokens.data, legend }) });
  }

  /** Shows findings in the editor, each with the changes that correct it. */
  #publish({ uri, diagnostics }: lsp.PublishDiagnosticsParams): void {
    const view = this.#files.getFile(uri)?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!view || !plugin) return;
    const at = (position: lsp.Position) => {
      const synced = plugin.fromPosition(clipped(position, plugin.syncedDoc), plugin.syncedDoc);
      return plugin.unsyncedChanges.mapPos(synced);
    };
    const found = diagnostics.map((it): Diagnostic => ({
      from: at(it.range.start), to: at(it.range.end), severity: LINES[it.severity ?? 1] || 'error', message: typeof it.message === 'string' ? it.message : it.message.value,
      source: String(it.code ?? ''),
    }));
    view.dispatch(setDiagnostics(view.state, found));
    diagnostics.forEach((it, index) => void this.#addFixes(view, uri, it, found, index));
  }

  async #addFixes(view: EditorView, uri: string, told: lsp.Diagnostic, found: Diagnostic[], index: number) {
    const params = { textDocument: { uri }, range: told.range, context: { diagnostics: [told] } };
    const actions = await this.client.request<object, lsp.CodeAction[] | null>('textDocument/codeAction', params).catch(() => null);
    const fixing = (actions ?? []).filter((it) => it.edit?.changes?.[uri]);
    const finding = found[index];
    if (!finding || fixing.length === 0 || !view.dom.isConnected) return;
    finding.actions = fixing.map((action) => ({
      name: action.title,
      apply: (target: EditorView) => {
        const offset = ({ line, character }: lsp.Position) => target.state.doc.line(line + 1).from + character;
        const edits = action.edit?.changes?.[uri] ?? [];
        target.dispatch({
          changes: edits.map((it) => ({ from: offset(it.range.start), to: offset(it.range.end), insert: it.newText })),
          userEvent: 'input.fix',
        });
        target.focus();
      },
    }));
    if (LSPPlugin.get(view)?.uri === uri) view.dispatch(setDiagnostics(view.state, found));
  }
}

/** A position that exists in a text. */
function clipped({ line, character }: lsp.Position, doc: Text): lsp.Position {
  const within = Math.min(line, doc.lines - 1);
  return { line: within, character: Math.min(character, doc.line(within + 1).length) };
}
