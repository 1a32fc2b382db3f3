#!/bin/sh
# Renders a target and publishes it as an artifact, which Flux applies.
# usage: publish.sh TARGET URL REVISION
set -eu
target=$1 url=$2 revision=$3
plumb check "$target"
plumb build "$target"
flux push artifact "$url:$revision" --path "out/$target" \
  --source "$(git config --get remote.origin.url)" --revision "$revision"
flux tag artifact "$url:$revision" --tag "$target"
