#!/usr/bin/env bash
# Builds the playground: the engine into build/, the page into dist/, the package into dist-package/.
# Usage: web/make.sh [DIRECTORY FOR A COMPILER]
# Needs a Rust compiler for wasm32-unknown-unknown: rustup's (rustup target add wasm32-unknown-unknown),
# or Debian's, which ../shared/tools/wasm-rust unpacks into the directory. Without either, it says so and
# ends with 3.
set -euo pipefail
cd "$(dirname "$0")"
target=wasm32-unknown-unknown
output="${CARGO_TARGET_DIR:-$PWD/target}"
compiler="${1:-$output/wasm-rust}"
unpack=../../shared/tools/wasm-rust

say() { printf -- '-- %s\n' "$*"; }

say "the program that writes the JavaScript side"
cargo build --quiet --package plumb-bindgen --target-dir "$output/bindgen"

say "the engine"
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  cargo build --quiet --release --package plumb-wasm --target "$target" --target-dir "$output/engine"
elif [ -x "$unpack" ] && "$unpack" "$compiler" >"$output/wasm-rust.env"; then
  # Debian's compiler brings the sources of its standard library, and reads no rust-toolchain.toml.
  (
    # shellcheck source=/dev/null
    . "$output/wasm-rust.env"
    unset RUSTUP_TOOLCHAIN
    cargo build --quiet --release --package plumb-wasm --target "$target" --target-dir "$output/engine" \
      -Zbuild-std=std,panic_abort
  )
else
  echo "there is no Rust compiler for $target: rustup target add $target"
  exit 3
fi
rm -rf build
"$output/bindgen/debug/plumb-bindgen" "$output/engine/$target/release/plumb_wasm.wasm" build

say "packages of the page"
npm ci --silent --no-audit --no-fund
say "the page"
npx --no-install tsc --noEmit
node bundle.mjs
