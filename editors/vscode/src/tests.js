// The test explorer: lists the tests of suites, and runs `plumb test`.
'use strict';

const { execFile } = require('child_process');
const path = require('path');
const vscode = require('vscode');

const FILES = '**/*_test.{yml,yaml,star}';

class Tests {
  constructor(client, program) {
    this.client = client;
    this.program = program;
    this.controller = vscode.tests.createTestController('plumb', 'Plumb');
    this.controller.resolveHandler = (item) => (item ? this.read(item) : this.discover());
    this.controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.watcher = vscode.workspace.createFileSystemWatcher(FILES);
    this.watcher.onDidCreate((uri) => this.add(uri));
    this.watcher.onDidChange((uri) => this.read(this.add(uri)));
    this.watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString()));
  }

  dispose() {
    this.watcher.dispose();
    this.controller.dispose();
  }

  async discover() {
    const found = await vscode.workspace.findFiles(FILES, '**/node_modules/**');
    found.forEach((uri) => this.add(uri));
  }

  add(uri) {
    const known = this.controller.items.get(uri.toString());
    if (known) return known;
    const item = this.controller.createTestItem(uri.toString(), path.basename(uri.path), uri);
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  /** Reads the tests of a file: those that have a lens. */
  async read(item) {
    const params = { textDocument: { uri: item.uri.toString() } };
    const lenses = await this.client().sendRequest('textDocument/codeLens', params);
    const tests = (lenses ?? []).filter((it) => it.command?.command === 'plumb.runTest' && it.command.arguments.length > 1);
    item.children.replace(tests.map((it) => {
      const name = it.command.arguments[1];
      const child = this.controller.createTestItem(`${item.id}#${name}`, name, item.uri);
      const { start, end } = it.range;
      child.range = new vscode.Range(start.line, start.character, end.line, end.character);
      return child;
    }));
  }

  async runFile(uri, name) {
    const file = uri ? vscode.Uri.parse(String(uri)) : vscode.window.activeTextEditor?.document.uri;
    if (!file) return;
    const item = this.add(file);
    await this.read(item);
    const child = name && item.children.get(`${item.id}#${name}`);
    await this.run(new vscode.TestRunRequest([child ?? item]), new vscode.CancellationTokenSource().token);
  }

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    const chosen = request.include ?? [...this.controller.items].map(([, item]) => item);
    for (const item of chosen) {
      if (item.canResolveChildren && item.children.size === 0) await this.read(item);
      const leaves = item.children.size > 0 ? [...item.children].map(([, child]) => child) : [item];
      for (const leaf of leaves) {
        if (token.isCancellationRequested) break;
        await this.runOne(run, leaf, token);
      }
    }
    run.end();
  }

  runOne(run, item, token) {
    const folder = vscode.workspace.getWorkspaceFolder(item.uri);
    const args = ['test', item.uri.fsPath, ...(item.canResolveChildren ? [] : ['--filter', item.label])];
    const began = Date.now();
    run.started(item);
    return new Promise((done) => {
      const child = execFile(this.program(), args, { cwd: folder?.uri.fsPath }, (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`;
        run.appendOutput(output.replace(/\r?\n/g, '\r\n'), undefined, item);
        const duration = Date.now() - began;
        if (error) run.failed(item, new vscode.TestMessage(output || error.message), duration);
        else run.passed(item, duration);
        done();
      });
      token.onCancellationRequested(() => child.kill());
    });
  }
}

module.exports = { Tests };
