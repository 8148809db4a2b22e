#!/usr/bin/env bash
# doc_test.sh OLAB PAGE...: the tables of each page are those of the program. OLAB_UPDATE_GOLDEN=1 writes them anew.
set -euo pipefail
olab=$1
shift
made=$(mktemp)
trap 'rm -f "$made"' EXIT
failures=0
for page in "$@"; do
    grep -q 'olab manual: ' "$page" || { echo "FAILED: $page has no table of the program's"; failures=1; }
    "$olab" manual "$page" >"$made"
    if [ -n "${OLAB_UPDATE_GOLDEN:-}" ]; then cat "$made" >"$page"; fi
    if ! diff -u "$page" "$made"; then
        echo "FAILED: $page is not what the program's tables say (OLAB_UPDATE_GOLDEN=1 writes it anew)"
        failures=1
    fi
done
if [ "$failures" -gt 0 ]; then exit 1; fi
echo "the tables of $# pages are the program's"
