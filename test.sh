#!/usr/bin/env bash
# Installs what is missing, builds once and runs the tests. No GPU is needed; tests that need one are counted as skipped.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=cmake/setup.sh
source "$root/cmake/setup.sh"
# shellcheck source=cmake/aarch64.sh
source "$root/cmake/aarch64.sh"

usage() {
    cat <<'TEXT'
usage: ./test.sh [--cluster | --sanitize | --thread | --aarch64 | --fuzz SECONDS [FILES] [--targets A,B]]

Installs what is missing, makes one release build in build/test with warnings as errors and runs every test.
The last line of the output is the count: N passed, N failed, N skipped.

  --cluster       also installs OpenSSH's server, Slurm and munge, so that the tests of other machines run instead of being
                  skipped. They start servers of their own on the loopback address. The packages may start services of
                  the system too: sudo systemctl disable --now ssh munge slurmctld slurmd
  --sanitize      the same with the address and undefined behaviour sanitizers, in build/asan
  --thread        the same with the thread sanitizer, in build/tsan
  --aarch64       engine and command line for aarch64, cross-compiled in build/aarch64, and their unit tests with qemu
  --fuzz SECONDS [FILES] [--targets A,B]
                  instead: feeds the readers of foreign data with changed input (libFuzzer, with clang and the
                  sanitizers, in build/fuzz), and opens up to FILES (1000; 0: none) changed recordings in the window,
                  offscreen. All of it takes so many seconds, once it is built: each target has its share, a tenth is
                  the window's. --targets names those that are to run, as the table at the end does. What was
                  learned stays in build/fuzz/corpus; what is found is told with the command that tries it again, and
                  kept in build/fuzz/findings.
  --help          this text

Environment
  OLAB_CUDA=OFF   build without CUDA even when a toolkit is there
  CUDA_HOME       the CUDA toolkit to use, 13.0 or later
TEXT
}

# Formatters of different versions disagree: only the version that the sources were formatted with may judge.
readonly format_version=14

find_formatter() {
    local candidate
    for candidate in "clang-format-$format_version" clang-format; do
        if "$candidate" --version 2>/dev/null | grep -q "version $format_version\."; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

check_format() {
    local formatter complaints
    if ! formatter=$(find_formatter); then
        say "Format: not checked, clang-format $format_version is not here (Debian 12: apt-get install clang-format)"
        return
    fi
    complaints=$(find "$root"/{app,engine,kernels,ui,tests} \
        \( -name '*.h' -o -name '*.cpp' -o -name '*.cuh' -o -name '*.cu' \) -print0 |
        xargs -0 "$formatter" --dry-run 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: code should be clang-formatted.*//p' | sort -u)
    if [ -z "$complaints" ]; then
        say "Format: clean"
        return
    fi
    say "Format: FAILED, run $formatter -i on these files:"
    printf '%s\n' "$complaints"
    return 1
}

configure_and_build() { # configure_and_build DIR PRESET "TARGET..." OPTION...
    local dir=$1 preset=$2
    local -a targets
    read -r -a targets <<<"$3"
    shift 3
    if ! configure "$dir" "$preset" "$@"; then
        show_failure "$dir/configure.log"
        die 1 "CMake could not configure (see above)."
    fi
    if ! build "$dir" "${targets[@]}"; then
        show_failure "$dir/build.log"
        die 1 "The build failed (see above)."
    fi
}

fuzz() { # fuzz SECONDS FILES TARGETS
    local dir=$root/build/fuzz
    configure_and_build "$dir" fuzz olab_fuzz_all -DOLAB_UI=ON
    quiet_offscreen_qt "$dir/runtime"
    say "Fuzzing: $1 s for ${3:-all targets}"
    python3 "$root/tests/fuzz/run.py" "$dir" "$1" "$2" --targets "$3"
}

# GCC 12's thread sanitizer stops on kernels that place memory more randomly than it expects.
steady_addresses() {
    if [ "$1" = tsan ] && setarch "$(uname -m)" -R true 2>/dev/null; then echo setarch "$(uname -m)" -R; fi
}

run_tests() { # run_tests DIR PRESET CTEST_OPTION...
    local dir=$1 results=$1/test-results prefix status=0
    rm -rf "$results"
    mkdir -p "$results/cases"
    read -r -a prefix <<<"$(steady_addresses "$2")"
    quiet_offscreen_qt "$results/runtime"
    export GTEST_OUTPUT=xml:$results/cases/
    # CUDA maps memory where the address sanitizer keeps a gap.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-protect_shadow_gap=0} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
    # Qt and what it loads are not built with the sanitizer, which sees half of what they do. QProcess starts a program by a clone
    # that shares its memory: the sanitizer takes that for a fork, after which this process could start no thread.
    export TSAN_OPTIONS=${TSAN_OPTIONS:-die_after_fork=0:ignore_noninstrumented_modules=1:suppressions=$root/tests/thread_sanitizer.txt}
    say "Tests"
    "${prefix[@]}" "${olab_cmake%cmake}ctest" --test-dir "$dir" --output-on-failure --no-tests=error --parallel "$(nproc)" \
        --output-junit "$results/ctest.xml" "${@:3}" </dev/null || status=$?
    if [ -z "$olab_cuda" ]; then note "The GPU tests were not built: $olab_cuda_why"; fi
    python3 "$root/.ci/count_tests.py" "$results/ctest.xml" "$results/cases" || status=1
    return "$status"
}

# Those that start no program of ours: qemu runs one program.
readonly aarch64_tests='test_trace test_experiment test_analysis test_replay test_sim test_io test_imports test_view'

test_aarch64() {
    local dir=$root/build/aarch64
    unpack_aarch64_libraries "$root/build/aarch64-libraries"
    configure_and_build "$dir" aarch64 "olab $aarch64_tests" -DOLAB_WERROR=ON
    run_tests "$dir" aarch64 --tests-regex "^(${aarch64_tests// /|})\$"
}

is_count() { [[ $1 =~ ^[1-9][0-9]{0,6}$ ]]; }

read_fuzz_options() { # read_fuzz_options SECONDS [FILES] [--targets A,B]: sets seconds, files, targets
    seconds=${1:-} files=1000 targets=''
    if ! is_count "$seconds"; then usage >&2 && die 2 "" "--fuzz takes a number of seconds"; fi
    shift
    if [[ ${1:-} =~ ^[0-9]+$ ]]; then files=$1 && shift; fi
    if [ "${1:-}" = --targets ] && [ -n "${2:-}" ]; then targets=$2 && shift 2; fi
    if [ $# -gt 0 ]; then usage >&2 && die 2 "" "--fuzz does not know: $*"; fi
}

main() {
    local dir=$root/build/test preset=release status=0 seconds='' files='' targets=''
    local packages=$OLAB_BUILD_PACKAGES$'\n'$OLAB_TEST_PACKAGES
    local -a options=(-DOLAB_UI=ON)
    case ${1:-} in
        '') ;;
        --cluster) packages+=$'\n'$OLAB_CLUSTER_PACKAGES ;;
        --sanitize) dir=$root/build/asan preset=asan ;;
        --thread) dir=$root/build/tsan preset=tsan ;;
        --aarch64)
            preset=aarch64
            packages+=$'\n'$OLAB_AARCH64_PACKAGES
            OLAB_CUDA=OFF
            ;;
        --fuzz)
            read_fuzz_options "${@:2}"
            packages+=$'\n'$OLAB_FUZZ_PACKAGES
            OLAB_CUDA=OFF
            ;;
        --help | -h) usage && return ;;
        *) usage >&2 && die 2 "" "unknown option: $1" ;;
    esac
    require_supported_system
    ensure_packages "$packages" "$OLAB_HANDY_PACKAGES"
    find_cmake
    find_cuda
    if [ -n "$seconds" ]; then
        fuzz "$seconds" "$files" "$targets"
        return
    fi
    if [ "$preset" = aarch64 ]; then
        test_aarch64
        return
    fi
    report_cuda
    # What is shipped has code for all devices; the tests run on this machine's.
    if [ -n "$olab_cuda" ]; then options+=("-DCMAKE_CUDA_ARCHITECTURES=$(cuda_architectures)"); fi
    check_format || status=1 # the tests still run, and the script fails at its end
    # The second target compiles each public header alone.
    configure_and_build "$dir" "$preset" "all olab_headers_alone" -DOLAB_WERROR=ON "${options[@]}"
    run_tests "$dir" "$preset" || status=1
    return "$status"
}

main "$@"
