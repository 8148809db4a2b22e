#!/usr/bin/env bash
# Installs what is missing, builds, and opens the window with the demo. Run it again at any time: what is done is not redone.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=cmake/setup.sh
source "$root/cmake/setup.sh"

usage() {
    cat <<'TEXT'
usage: ./run.sh [options of overlap-lab]

Installs what is missing (Debian 12 or later, Ubuntu 24.04 or later), builds, and opens Overlap Lab with its demo:
on a GPU the default experiment, without one a recording made on a real GPU. Without a display it prints the verdict
and writes a picture to build/overlap-lab.png.

  --help          this text; for the window's own options: build/release/bin/overlap-lab --help

Environment
  OLAB_CUDA=OFF   build without CUDA even when a toolkit is there (ON: stop when it does not work)
  CUDA_HOME       the CUDA toolkit to use, 13.0 or later
TEXT
}

readonly programs=$root/build/release

attempt() { # configures and builds the programs
    local -a options=(-DOLAB_UI=ON -DOLAB_TESTS=OFF)
    if [ -n "$olab_cuda" ]; then options+=("-DCMAKE_CUDA_ARCHITECTURES=$(cuda_architectures)"); fi # archives have all (preset archive)
    olab_log=$programs/configure.log
    configure "$programs" release "${options[@]}" || return 1
    olab_log=$programs/build.log
    build "$programs" all
}

# A host compiler that is too new for nvcc, or half a toolkit, should not keep anybody from the window. What failed is
# remembered, so that the next start does not try it again until the toolkit or the compiler is another.
toolchain() { printf '%s %s %s' "$CUDA_HOME" "$olab_cuda" "$("${CXX:-g++}" -dumpfullversion 2>/dev/null)"; }

blames_cuda() { grep -qE '^(FAILED: .*\.cu\b|FAILED: .*cmake_device_link)|CMAKE_CUDA|nvcc|CUDAToolkit' "$olab_log"; }

without_cuda() { # without_cuda WHY
    olab_cuda='' olab_cuda_why=$1
    OLAB_CUDA=OFF
    say "CUDA: building without it (simulator, recordings, viewer): $1"
}

build_programs() {
    local broken=$root/build/cuda-does-not-build
    if [ -n "$olab_cuda" ] && [ "${OLAB_CUDA:-AUTO}" != ON ] && [ "$(cat "$broken" 2>/dev/null)" = "$(toolchain)" ]; then
        without_cuda "it did not build with this toolkit and compiler (to try again: rm '$broken')"
    fi
    if attempt; then
        if [ -n "$olab_cuda" ]; then rm -f "$broken"; fi
        return
    fi
    show_failure "$olab_log"
    if [ -z "$olab_cuda" ] || [ "${OLAB_CUDA:-AUTO}" = ON ] || ! blames_cuda; then
        die 1 "The build failed (see above)."
    fi
    toolchain >"$broken"
    without_cuda "the CUDA part does not build here, see above"
    if ! attempt; then
        show_failure "$olab_log"
        die 1 "The build failed without CUDA too (see above)."
    fi
}

main() {
    if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
        usage
        return
    fi
    require_supported_system
    local packages=$OLAB_BUILD_PACKAGES
    if [ -n "${WAYLAND_DISPLAY:-}" ] && [ -z "${DISPLAY:-}" ]; then
        packages+=$'\nqt6-wayland -' # Qt speaks X11 by itself, Wayland only with this
    fi
    ensure_packages "$packages" ''
    find_cmake
    find_cuda
    report_cuda
    build_programs
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        say "Opening the window"
        exec "$programs/bin/overlap-lab" --demo "$@"
    fi
    local picture=$root/build/overlap-lab.png
    say "No display (DISPLAY and WAYLAND_DISPLAY are empty): the verdict and a picture instead"
    quiet_offscreen_qt "$root/build/runtime"
    "$programs/bin/overlap-lab" --demo --screenshot "$picture" "$@"
    say "Picture: $picture"
}

main "$@"
