// Starts `plumb lsp`, and adds what the protocol does not have: the preview and the test explorer.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { Preview } = require('./preview');
const { Tests } = require('./tests');

const LANGUAGES = ['yaml', 'starlark', 'plumb-text', 'plaintext'];

let client;

function settings() {
  return vscode.workspace.getConfiguration('plumb');
}

/** An argument of a lens. A button in the title of an editor has another second argument: its group. */
function text(argument) {
  return typeof argument === 'string' ? argument : undefined;
}

function newClient() {
  const command = settings().get('path');
  const server = { command, args: ['lsp'] };
  const manual = settings().get('manual');
  return new LanguageClient('plumb', 'Plumb', server, {
    documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
    initializationOptions: {
      inlayHints: settings().get('inlayHints'),
      commands: ['plumb.runTest', 'plumb.showPreview'],
      ...(manual ? { manual } : {}),
    },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{yml,yaml,star,txt,json}') },
  });
}

async function activate(context) {
  client = newClient();
  const preview = new Preview(() => client);
  const tests = new Tests(() => client, () => settings().get('path'));
  context.subscriptions.push(
    preview,
    tests,
    vscode.commands.registerCommand('plumb.showPreview', (uri, target) => preview.show(uri, text(target))),
    vscode.commands.registerCommand('plumb.runTest', (uri, name) => tests.runFile(uri, text(name))),
    vscode.commands.registerCommand('plumb.restart', async () => {
      await client.stop();
      client = newClient();
      await start(preview);
    }),
  );
  await start(preview);
  await tests.discover();
}

async function start(preview) {
  client.onNotification('plumb/previewChanged', (changed) => preview.refresh(changed));
  await client.start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
