#!/usr/bin/env bash
# web/clang.sh DIRECTORY: prints the environment in which C is compiled to WebAssembly, for cargo.
# Uses the clang that is installed, or Debian's, which it unpacks into the directory. Ends with 1 if there is neither.
set -euo pipefail
dir="$1"

# Whether a directory of programs has what is needed.
fits() {
  [ -x "$1/clang" ] && [ -x "$1/llvm-ar" ] && echo 'int f(void) { return 1; }' | "$1/clang" --target=wasm32 -x c -c -o /dev/null - 2>/dev/null
}

for bin in /usr/lib/llvm-*/bin "$(dirname "$(command -v llvm-ar || echo /none/x)")"; do
  if fits "$bin"; then found="$bin"; fi
done
if [ -z "${found:-}" ]; then
  version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
  [ -n "$version" ] || exit 1
  if [ ! -x "$dir/root/usr/lib/llvm-$version/bin/clang" ]; then
    mkdir -p "$dir/packages" "$dir/root"
    (cd "$dir/packages" && apt-get download -q "clang-$version" "libclang-cpp$version" "libclang-common-$version-dev" \
      "libllvm$version" "llvm-$version" >&2) || exit 1
    # Libraries that they need, and that most systems have.
    for package in libz3-4 libedit2 libbsd0 libxml2 libicu72; do
      (cd "$dir/packages" && apt-get download -q "$package" >&2) || true
    done
    for deb in "$dir"/packages/*.deb; do dpkg -x "$deb" "$dir/root"; done
  fi
  root=$(cd "$dir/root" && pwd)
  found="$root/usr/lib/llvm-$version/bin"
  libs="$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/llvm-$version/lib"
  export LD_LIBRARY_PATH="$libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  fits "$found" || exit 1
  echo "export LD_LIBRARY_PATH=\"$libs\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}\""
fi
echo "export CC_wasm32_unknown_unknown=\"$found/clang\""
echo "export AR_wasm32_unknown_unknown=\"$found/llvm-ar\""
