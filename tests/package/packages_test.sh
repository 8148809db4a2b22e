#!/usr/bin/env bash
# packages_test.sh CPACK_CONFIG [CUPTI PROGRAM]: makes the archive and the Debian package, unpacks both, and does what README's section
# "Trace your own program" says, with nothing of the build in sight. Not run by ctest: it takes minutes. CUPTI and PROGRAM: those of
# tests/unit (stream_cupti, cuda_program), so that something is recorded without a GPU.
set -euo pipefail
config=$(realpath "${1:?usage: packages_test.sh CPACK_CONFIG [CUPTI PROGRAM]}")
cupti=${2:+$(realpath "$2")} program=${3:+$(realpath "$3")}
source=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

complain() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

section() { # the commands of README's section, without what is said of them
    sed -n '/^## Trace your own program/,/^## Open/p' "$source/README.md" | sed -n '/^```/,/^```/p' | grep -v '^```' | sed 's/ *#.*//'
}

run_as_written() { # run_as_written KIND BIN PYTHON: the section's lines, one after the other, in a folder with an ./app and a train.py
    local kind=$1 line count=0
    mkdir -p "$folder/work $kind"
    cd "$folder/work $kind"
    if [ -n "$program" ]; then
        printf '#!/bin/sh\nexec "%s" cuda wall calls:100 wait:600 calls:100\n' "$program" >app
        printf 'import os\nos.execv("%s", ["cuda_program", "cuda", "wall", "calls:10", "wait:400", "calls:50", "wait:900"])\n' "$program" >train.py
        export OLAB_CUPTI=$cupti
    else
        printf '#!/bin/sh\nexit 0\n' >app
        echo 'print("no CUDA in it")' >train.py
    fi
    chmod +x app
    while read -r line; do
        if [ -z "$line" ]; then continue; fi
        count=$((count + 1))
        line=${line//10s/100ms}
        if ! PATH="$2:$PATH" PYTHONPATH="$3" PYTHONDONTWRITEBYTECODE=1 bash -c "${line//5s/1s}" >out.txt 2>&1 </dev/null; then
            if [ -n "$program" ] || [[ "$line" != *analyze* ]]; then complain "$kind: $line: $(tail -3 out.txt)"; fi
        fi
    done < <(section)
    if [ "$count" -ne 4 ]; then complain "README's section has $count lines that could be run, not 4"; fi
    if [ -n "$program" ]; then
        for file in app.olab run.olab; do
            "$2/olab" analyze "$file" | grep -q TRACED || complain "$kind: $file is no traced recording"
        done
        "$2/olab" analyze app.olab | grep -q 'longest waits\|where the time went' || complain "$kind: app.olab has no account and no waits"
    fi
    cd "$folder"
}

expect() { # expect KIND FOLDER FILE...
    local kind=$1 place=$2 file
    shift 2
    for file in "$@"; do
        compgen -G "$place/$file" >/dev/null || complain "$kind has no $file"
    done
}

(cd "$folder" && cpack --config "$config" -G TGZ >cpack.log 2>&1 && cpack --config "$config" -G DEB >>cpack.log 2>&1) ||
    { tail -5 "$folder/cpack.log"; complain "cpack failed"; exit 1; }
mkdir "$folder/archive" "$folder/debian"
tar -C "$folder/archive" --strip-components=1 -xf "$folder"/overlap-lab-*.tar.gz
dpkg -x "$folder"/overlap-lab_*.deb "$folder/debian"
expect archive "$folder/archive" bin/olab 'lib*/libolab_inject.so' share/overlap-lab/python/overlap_lab/__init__.py
expect debian "$folder/debian/usr" bin/olab 'lib*/libolab_inject.so' lib/python3/dist-packages/overlap_lab/__init__.py
run_as_written archive "$folder/archive/bin" "$folder/archive/share/overlap-lab/python"
run_as_written debian "$folder/debian/usr/bin" "$folder/debian/usr/lib/python3/dist-packages"
if [ "$failures" -gt 0 ]; then exit 1; fi
echo "archive and package: made, unpacked, and README's section on tracing works as written"
