#!/usr/bin/env bash
# install_test.sh CMAKE BUILD_FOLDER: installs, moves the installation, and uses it where it then lies.
set -euo pipefail
cmake=$1 build=$2
source=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
libraries=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")

complain() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

expect_files() {
    local file
    for file in "$@"; do
        [ -s "$place/$file" ] || complain "$file was not installed"
    done
}

expect_all() { # expect_all FOLDER EXTENSION: what the source tree has of these
    local files
    mapfile -t files < <(cd "$source/resources" && printf '%s\n' "$1"/*."$2")
    expect_files "${files[@]/#/share/overlap-lab/}"
}

expect_linked() { # the pages and pictures that the installed pages link to
    local page link doc=$place/share/doc/overlap-lab
    while read -r page; do
        while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || complain "${page#"$doc"/} links to $link, which is not installed"
        done < <(grep -oE '\]\([^)#:]+\)' "$page" | tr -d '()]')
    done < <(find "$doc" -name '*.md')
}

check_library() { # check_library FILE FUNCTION: what a program that is not ours loads, with nothing of ours beside it
    local sanitizer python=python3 # the sanitizer of a build for tests wants to be there before anything else is
    sanitizer=$(ldd "$1" | awk '/lib[at]san\.so/ {print $3; exit}')
    # The thread sanitizer stops a Python that was not built by the system, before our library is loaded.
    if ! LD_PRELOAD=$sanitizer ASAN_OPTIONS=detect_leaks=0 python3 -c '' 2>/dev/null; then python=/usr/bin/python3; fi
    LD_PRELOAD=$sanitizer ASAN_OPTIONS=detect_leaks=0 "$python" -c 'import ctypes, sys; getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])()' "$1" "$2" || complain "$1 cannot be loaded"
}

check_python() { # check_python FOLDER | WHEEL unpacked: the package finds its library
    local packages=$1
    if grep -q 'OLAB_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then return; fi # the sanitizer would have to be there before Python
    if [ $# -gt 1 ]; then
        packages=$folder/wheel
        python3 -m zipfile -e "$1" "$packages"
    fi
    said=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$packages python3 -c 'import overlap_lab; overlap_lab.step(); print(overlap_lab.why_not())' 2>&1)
    if [ -n "$said" ]; then complain "overlap_lab in $1 says: $said"; fi
}

check_files() {
    expect_files bin/olab share/man/man1/olab.1 share/bash-completion/completions/olab share/zsh/site-functions/_olab \
        share/fish/vendor_completions.d/olab.fish share/doc/overlap-lab/{LICENSE,NOTICE,README.md,DESIGN.md,CONTRIBUTING.md,CHANGELOG.md,SECURITY.md}
    expect_all recordings olab
    expect_all recordings/lessons olab # runs of steps, which the gallery does not show
    expect_all presets json
    expect_all models json
    expect_all lessons md
    expect_all lessons svg
    expect_linked
    if [ -e "$place/bin/overlap-lab" ]; then
        expect_files share/man/man1/overlap-lab.1 share/applications/overlap-lab.desktop share/mime/packages/overlap-lab.xml \
            share/icons/hicolor/scalable/apps/overlap-lab.svg
    fi
    if [ -e "$build/engine/capture/libolab-capture.so" ]; then
        expect_files "$libraries/libolab-capture.so" include/olab/capture/capture_library.h
        check_library "$place/$libraries/libolab-capture.so" olabCaptureStop
        expect_files "$libraries/libolab_inject.so"
        check_library "$place/$libraries/libolab_inject.so" InitializeInjection
        expect_files share/overlap-lab/python/overlap_lab/{__init__,_library,_program,_recording,_table,_arrow,_assertion,pytest_plugin}.py
        check_python "$place/share/overlap-lab/python"
        if [ -e "$build/app/python/wheel.stamp" ]; then
            check_python "$(echo "$place"/share/overlap-lab/python/*.whl)" unpacked
        fi
        said=$("$place/bin/olab" trace -o "$folder/trace.olab" -- sh -c 'exit 3' 2>&1) && complain "olab trace has not the exit code of the program"
        grep -q 'did not use CUDA' <<<"$said" || complain "olab trace did not find its library: $said"
    fi
    if [ -e "$place/lib/overlap-lab" ] || [ -e "$place/bin/qt.conf" ]; then
        complain "a plain installation brings what only the archive should"
    fi
}

# The window's demo is the recording beside it: another one is put in its place, since the one of the source tree would do too.
check_demo() {
    local recordings=$place/share/overlap-lab/recordings wanted got
    wanted=$("$place/bin/overlap-lab" --screenshot "$folder/wanted.png" "$recordings/full-grid-h200.olab" 2>/dev/null | tail -n +2)
    cp "$recordings/full-grid-h200.olab" "$recordings/default-h200.olab"
    got=$("$place/bin/overlap-lab" --demo --screenshot "$folder/got.png" 2>/dev/null | tail -n +2)
    if [ -z "$wanted" ] || [ "$wanted" != "$got" ]; then complain "the demo did not open the recording beside it: $got"; fi
}

"$cmake" --install "$build" --prefix "$folder/first" >/dev/null
mkdir "$folder/moved to"
place="$folder/moved to/overlap lab"
mv "$folder/first" "$place"
check_files
"$place/bin/olab" run --backend sim --set iterations=2 -o "$folder/run.olab" >/dev/null || complain "olab run failed"
"$place/bin/olab" analyze "$folder/run.olab" | grep -q SIMULATED || complain "olab analyze does not say that the run was simulated"
# With a GPU the demo is a run on it.
if [ -e "$place/bin/overlap-lab" ] && "$place/bin/olab" devices | grep -q '^no device'; then check_demo; fi
if [ "$failures" -gt 0 ]; then exit 1; fi
echo "installed, moved and used"
