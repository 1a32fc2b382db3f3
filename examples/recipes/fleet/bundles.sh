#!/bin/sh
# Renders all targets into bundles of Fleet: a directory each, with a fleet.yaml beside the resources.
set -eu
plumb build
for directory in out/*/; do
  target=$(basename "$directory")
  mkdir -p "bundles/$target"
  cp "$directory"* "bundles/$target/"
  plumb -f fleet/fleet.yml -f fleet/schema.yml -v target="$target" > "bundles/$target/fleet.yaml"
done
