// The rendered output of a file, beside it. The cursor in one highlights its counterpart in the other.
'use strict';

const vscode = require('vscode');

const SCHEME = 'plumb-preview';
const MANUAL = 'plumb-manual';

const toRange = (it) => new vscode.Range(it.start.line, it.start.character, it.end.line, it.end.character);

class Preview {
  constructor(client) {
    this.client = client;
    // By the URI of the virtual document.
    this.shown = new Map();
    this.changed = new vscode.EventEmitter();
    this.decoration = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    });
    const provider = { onDidChange: this.changed.event, provideTextDocumentContent: (uri) => this.content(uri) };
    this.parts = [
      this.changed,
      this.decoration,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
      vscode.workspace.registerTextDocumentContentProvider(MANUAL, provider),
      vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
      vscode.workspace.onDidCloseTextDocument((document) => this.shown.delete(document.uri.toString())),
    ];
  }

  dispose() {
    this.parts.forEach((it) => it.dispose());
  }

  /** Opens the output of a file. */
  async show(uri, target) {
    const file = uri ? vscode.Uri.parse(String(uri)) : vscode.window.activeTextEditor?.document.uri;
    if (!file) return;
    const found = await this.ask(file, target);
    if (!found) {
      vscode.window.showInformationMessage('Plumb: nothing was rendered yet; correct the findings first.');
      return;
    }
    const virtual = vscode.Uri.parse(found.uri, true);
    this.shown.set(virtual.toString(), { file, target: found.target, found });
    const document = await vscode.workspace.openTextDocument(virtual);
    await vscode.languages.setTextDocumentLanguage(document, file.path.endsWith('.txt') ? 'plaintext' : 'yaml');
    const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
    await vscode.window.showTextDocument(document, options);
  }

  ask(file, target) {
    return this.client().sendRequest('plumb/preview', { textDocument: { uri: file.toString() }, target });
  }

  async content(uri) {
    const known = this.shown.get(uri.toString());
    if (known) return known.found.text;
    const answer = await this.client().sendRequest('workspace/textDocumentContent', { uri: uri.toString(true) });
    return answer.text;
  }

  /** Called after a run: there may be new output. */
  async refresh({ uri }) {
    for (const [virtual, known] of this.shown) {
      if (known.file.toString() !== vscode.Uri.parse(uri).toString()) continue;
      const found = await this.ask(known.file, known.target);
      if (!found) continue;
      known.found = found;
      this.changed.fire(vscode.Uri.parse(virtual, true));
    }
  }

  /** Highlights the counterpart of the cursor. */
  follow(editor) {
    const cursor = editor.selection.active;
    const own = this.shown.get(editor.document.uri.toString());
    if (own) {
      const around = own.found.items.filter((it) => toRange(it.output).contains(cursor));
      const innermost = around[around.length - 1];
      this.highlight((uri) => innermost && uri === vscode.Uri.parse(innermost.uri).toString(), innermost ? [innermost.source] : []);
      return;
    }
    const here = editor.document.uri.toString();
    for (const [virtual, { found }] of this.shown) {
      const of = found.items.filter((it) => vscode.Uri.parse(it.uri).toString() === here
        && toRange(it.source).contains(cursor));
      this.highlight((uri) => uri === virtual, of.map((it) => it.output));
    }
  }

  highlight(isMeant, ranges) {
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      if (!isMeant(uri)) continue;
      editor.setDecorations(this.decoration, ranges.map(toRange));
      if (ranges.length > 0) editor.revealRange(toRange(ranges[0]), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}

module.exports = { Preview };
