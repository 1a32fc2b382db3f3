#!/bin/sh
# Helm gives the documents of the chart on standard input, and takes what is printed.
# The overlays are in the directory that the variable names: PLUMB_OVERLAYS=overlays helm install …
set -eu
: "${PLUMB_OVERLAYS:?name the directory with overlays}"
exec plumb --ignore-unknown-comments -f - -f "$PLUMB_OVERLAYS" "$@"
