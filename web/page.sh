#!/usr/bin/env bash
# Builds the page into dist/ and the package into dist-package/, from the engine in build/ (see engine.sh).
# Usage: web/page.sh
set -euo pipefail
cd "$(dirname "$0")"

say() { printf -- '-- %s\n' "$*"; }

say "packages of the page"
npm ci --silent --no-audit --no-fund
say "the page"
npx --no-install tsc --noEmit
node bundle.mjs
