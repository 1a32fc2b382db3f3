#!/usr/bin/env bash
# Builds the playground's engine into build/: a module for templates, and one for generators.
# Usage: web/engine.sh [DIRECTORY FOR A COMPILER]
# Needs a Rust compiler for wasm32-unknown-unknown: rustup's (rustup target add wasm32-unknown-unknown),
# or Debian's, which ../shared/tools/wasm-rust unpacks into the directory; and clang, for the engine of
# generators (see clang.sh). Without them, it says so and ends with 3.
set -euo pipefail
cd "$(dirname "$0")"
target=wasm32-unknown-unknown
output="${CARGO_TARGET_DIR:-$PWD/target}"
compiler="${1:-$output/wasm-rust}"
unpack=../../shared/tools/wasm-rust
mkdir -p "$output"
rm -rf build

say() { printf -- '-- %s\n' "$*"; }

say "the program that writes the JavaScript side"
cargo build --quiet --package plumb-bindgen --target-dir "$output/bindgen"

say "compilers for WebAssembly"
standard=()
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  : >"$output/wasm-rust.env"
elif [ -x "$unpack" ] && "$unpack" "$compiler" >"$output/wasm-rust.env"; then
  # Debian's compiler brings the sources of its standard library, and reads no rust-toolchain.toml.
  echo 'unset RUSTUP_TOOLCHAIN' >>"$output/wasm-rust.env"
  standard=("-Zbuild-std=std,panic_abort")
else
  echo "there is no Rust compiler for $target: rustup target add $target"
  exit 3
fi
if ! ./clang.sh "$output/clang" >"$output/clang.env"; then
  echo "there is no C compiler for WebAssembly: apt install clang llvm"
  exit 3
fi

# Builds the engine with one feature, as a module with this name.
module() {
  say "the module $1"
  (
    # shellcheck source=/dev/null
    . "$output/wasm-rust.env"
    # shellcheck source=/dev/null
    . "$output/clang.env"
    cargo build --quiet --release --package plumb-wasm --no-default-features --features "$2" \
      --target "$target" --target-dir "$output/engine" "${standard[@]}"
  )
  "$output/bindgen/debug/plumb-bindgen" "$output/engine/$target/release/plumb_wasm.wasm" build "$1"
}
module engine templates
module generators generators
