// Starts the program of the package for this platform, by the name that it was called by. npm
// installs that package as an optional dependency: nothing is downloaded later.
"use strict";

const { spawnSync } = require("node:child_process");

const scope = "@plumb-config";

function program() {
  const name = `${scope}/${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "plumb.exe" : "plumb";
  try {
    return require.resolve(`${name}/${file}`);
  } catch {
    console.error(
      `plumb: the package ${name} is not installed.\n` +
        "Either there is none for this platform, or optional dependencies were left out: " +
        "install without --omit=optional.",
    );
    process.exit(3);
  }
}

exports.launch = function launch(name) {
  const { status, signal, error } = spawnSync(program(), process.argv.slice(2), {
    argv0: name,
    stdio: "inherit",
  });
  if (error) {
    console.error(`plumb: ${error.message}`);
    process.exit(3);
  }
  if (signal) {
    process.kill(process.pid, signal);
  }
  process.exitCode = status ?? 3;
};
