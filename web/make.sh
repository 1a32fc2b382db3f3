#!/usr/bin/env bash
# Builds the playground: the engine into build/, the page into dist/, the package into dist-package/.
# Usage: web/make.sh [DIRECTORY FOR A COMPILER]
# The engine needs compilers for WebAssembly (see engine.sh). Without them, it says so and ends with 3.
set -euo pipefail
cd "$(dirname "$0")"
./engine.sh "$@"
./page.sh
