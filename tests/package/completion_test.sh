#!/usr/bin/env bash
# completion_test.sh COMPLETION OLAB MANUAL: what Tab gives, from the real program.
set -euo pipefail
manual=$3
models=$(cd -- "$(dirname -- "$1")/../models" && pwd -P)
# shellcheck source=/dev/null
source "$1"
PATH=$(cd -- "$(dirname -- "$2")" && pwd -P):$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
touch mine.json kept.olab notes.txt
mkdir grid
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

# What there is to complete is asked of other places than those the completion asks: the manual's sections, the JSON of the
# options, and every long option that a help text names.
documented=$(sed -n '/^\.Sh COMMANDS/,/^\.Sh A/s/^\.Ss //p' "$manual" | tr -d ',')
[ "$(wc -w <<<"$documented")" -ge 7 ] || { echo "FAILED: found no commands in the manual"; failures=1; }
for command in $documented --help --version; do expect_among "$command" olab ''; done
for command in $documented; do
    for option in $(olab "$command" --help | grep -oE '^ .*' | grep -oE '^  (-[a-z], )?--[a-z][a-z-]*' | grep -oE -- '--.*'); do
        expect_among "$option" olab "$command" "$option"
    done
done
expect_among 001-9 olab claims ''
expect grid olab claims -o gr
keys=$(olab options --json | sed -n 's/^ *"key": "\(.*\)",*$/\1/p')
[ "$(wc -w <<<"$keys")" -ge 25 ] || { echo "FAILED: found no keys"; failures=1; }
all_keys=" $(tab olab run --set '') "
for key in $keys; do
    [[ $all_keys = *" $key= "* ]] || { echo "FAILED: the key $key is not completed"; failures=1; }
    [ -n "$(tab olab run --set "$key" = '')" ] || { echo "FAILED: nothing is offered for $key="; failures=1; }
done

expect 'presets' olab pre
expect '--set' olab run --s
expect '--backend' olab run --b
expect_among '-o' olab run -
expect '--help --json' olab presets --
expect 'sim' olab run --backend s
expect 'auto cuda sim' olab run --backend ''
expect 'sim' olab run --backend = s
expect 'stream.kind=' olab run --set stream.k
expect_among 'h2d.bytes=' olab run --set ''
expect 'blocking legacy nonblocking per-thread' olab run --set stream.kind = ''
expect 'nonblocking' olab run --set stream.kind = no
expect 'off on' olab run --set memset = ''
expect '400' olab run --set kernel.us = ''
expect 'nonblocking' olab run --set = stream.kind = no
expect '' olab run --set no.such.key = ''
expect 'full-grid' olab run fu
expect 'null-stream null-stream-nonblocking' olab run null
expect 'mine.json' olab run m
expect 'pageable pageable-and-pinned' olab run --set streams=2 pag
expect 'kept.olab' olab run -o k
expect 'mine.json' olab fix -o m
expect 'null-stream null-stream-nonblocking' olab fix null
expect 'auto cuda sim' olab fix --backend ''
expect '--prove' olab run --prov
expect 'calibrate' olab cal
expect '--backend --check --from --help --keep --on --output' olab calibrate --
expect 'cuda sim' olab calibrate --backend ''
expect '--colour-by --format --from --help --projector --theme --to --width' olab render --
expect 'full-grid' olab export-cu fu
expect 'kept.olab' olab export-cu kep
expect 'kernel.us=' olab export-cu --set kernel.u
expect '16:9 tall' olab render --format ''
expect '16:9' olab render --format 1
expect 'dark light' olab render --theme ''
expect 'grid mine.json' olab calibrate -o ''
expect 'grid kept.olab' olab calibrate --from ''
expect 'grid' olab calibrate --check ''
expect 'grid' olab calibrate --keep g
expect 'sim.device= sim.submission=' olab run --set sim
built_in=$({ printf 'file:\n'; basename -s .json "$models"/*.json; } | sort | tr '\n' ' ' | sed 's/ $//')
expect "$built_in" olab run --set sim.device = ''
expect 'grid/ mine.json' olab run --set sim.device = file : ''
expect 'mine.json' olab run --set sim.device = file : m
expect 'mine.json' olab run --set = sim.device = file : m
expect '' olab nonsense --
expect '' olab run --assert ''
if [ "$failures" -gt 0 ]; then exit 1; fi
echo "every completion is as expected"
