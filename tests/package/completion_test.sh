#!/usr/bin/env bash
# completion_test.sh COMPLETION OLAB: what Tab gives, from the real program.
set -euo pipefail
# shellcheck source=/dev/null
source "$1"
PATH=$(cd -- "$(dirname -- "$2")" && pwd -P):$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
touch mine.json kept.olab notes.txt
failures=0
compopt() { :; } # answers only inside of a completion that readline asked for

tab() { # tab WORD...: the answer on one line, sorted; the last word is the one at the cursor, split as bash splits it
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _olab || true
    printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' ' | sed 's/ $//'
}

expect() { # expect ANSWER WORD...
    local wanted=$1 got
    shift
    got=$(tab "$@")
    if [ "$got" != "$wanted" ]; then
        printf 'FAILED: %s<Tab> gave "%s", expected "%s"\n' "$*" "$got" "$wanted"
        failures=$((failures + 1))
    fi
}

expect_among() { # expect_among CANDIDATE WORD...
    local wanted=$1 got
    shift
    got=" $(tab "$@") "
    if [[ $got != *" $wanted "* ]]; then
        printf 'FAILED: %s<Tab> gave "%s", without "%s"\n' "$*" "$got" "$wanted"
        failures=$((failures + 1))
    fi
}

expect 'presets' olab pre
for command in run analyze convert options presets devices --help --version; do expect_among "$command" olab ''; done
expect '--set' olab run --s
expect '--backend' olab run --b
expect_among '-o' olab run -
expect '--help --json' olab presets --
expect 'sim' olab run --backend s
expect 'auto cuda sim' olab run --backend ''
expect 'sim' olab run --backend = s
expect 'stream.kind=' olab run --set stream.k
expect_among 'h2d.bytes=' olab run --set ''
expect 'blocking legacy nonblocking' olab run --set stream.kind = ''
expect 'nonblocking' olab run --set stream.kind = no
expect 'off on' olab run --set memset = ''
expect '400' olab run --set kernel.us = ''
expect 'nonblocking' olab run --set = stream.kind = no
expect '' olab run --set no.such.key = ''
expect 'full-grid' olab run fu
expect 'null-stream null-stream-nonblocking' olab run null
expect 'mine.json' olab run m
expect 'pageable' olab run --set streams=2 pag
expect 'kept.olab' olab run -o k
expect '' olab nonsense --
expect '' olab run --assert ''
if [ "$failures" -gt 0 ]; then exit 1; fi
echo "every completion is as expected"
