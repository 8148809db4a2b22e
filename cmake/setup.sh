# shellcheck shell=bash
# What run.sh and test.sh share: packages, the CUDA toolkit, configure and build. Sourced, never run.
# The caller sets `root` (the source tree) and runs under `set -euo pipefail`.
: "${root:?set by the script that sources this file}"

readonly OLAB_MIN_CMAKE=3.25 OLAB_MIN_CUDA=13.0 OLAB_MIN_DRIVER=580

say() { printf '== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }
die() { # die EXIT_CODE LINE...
    local code=$1
    shift
    printf '%s\n' "$@" >&2
    exit "$code"
}

at_least() { # at_least HAVE WANT: dotted versions
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# --- packages -------------------------------------------------------------------------------------------------------
# One per line: the package (a|b: the first that this distribution has) and what shows that it is there: a command (one
# from elsewhere on PATH counts, so nothing is installed twice), a file, or - for the package itself. Qt Charts' CMake files
# want Qt6OpenGL's, which only Debian 12 has in a package of their own.
readonly OLAB_BUILD_PACKAGES='g++ g++
cmake cmake
ninja-build ninja
qt6-base-dev -
libqt6opengl6-dev|qt6-base-dev /usr/lib/*/cmake/Qt6OpenGL/Qt6OpenGLConfig.cmake
qt6-charts-dev|libqt6charts6-dev -
qt6-svg-dev|libqt6svg6-dev -
nlohmann-json3-dev -
zlib1g-dev -
libzstd-dev -
libsqlite3-dev -
fonts-dejavu-core -'
readonly OLAB_TEST_PACKAGES='libgtest-dev -
libgmock-dev -
python3 python3'
# shellcheck disable=SC2034 # used by test.sh
readonly OLAB_FUZZ_PACKAGES='clang clang++
libclang-rt-dev /usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer*'
# shellcheck disable=SC2034 # used by test.sh
readonly OLAB_CLUSTER_PACKAGES='openssh-server /usr/sbin/sshd
openssh-client ssh
munge /usr/sbin/munged
slurmctld /usr/sbin/slurmctld
slurmd /usr/sbin/slurmd
slurm-client srun'
# shellcheck disable=SC2034 # used by test.sh
readonly OLAB_HANDY_PACKAGES='ccache ccache
clang clang++
clang-format clang-format' # the tests run without them, so they come only along with something needed

package_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

row_present() { # row_present PACKAGES SIGN
    local name
    case $2 in
        -) ;;
        /*) if compgen -G "$2" >/dev/null; then return 0; else return 1; fi ;;
        *) if command -v "$2" >/dev/null; then return 0; else return 1; fi ;;
    esac
    for name in ${1//|/ }; do
        if package_installed "$name"; then return 0; fi
    done
    return 1
}

missing_packages() { # missing_packages TABLE: the rows that are not there
    local packages sign
    while read -r packages sign; do
        row_present "$packages" "$sign" || printf '%s\n' "$packages"
    done <<<"$1"
}

available_name() { # of a|b the first that apt knows
    local name
    for name in ${1//|/ }; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            printf '%s\n' "$name"
            return
        fi
    done
    printf '%s\n' "${1%%|*}" # apt will name it as the one that it cannot find
}

available_names() { # stdin: rows, stdout: names on one line
    local row
    while read -r row; do
        [ -z "$row" ] || available_name "$row"
    done | sort -u | tr '\n' ' '
}

os_field() { # os_field ID: one field of os-release, without its quotes
    sed -n "s/^$1=//p" /etc/os-release 2>/dev/null | tr -d '"' | head -n 1 || true
}

supported_system() {
    local version
    version=$(os_field VERSION_ID)
    case $(os_field ID) in
        debian) [ -z "$version" ] || at_least "$version" 12 ;; # testing and sid have no number
        ubuntu) at_least "${version:-0}" 24.04 ;;
        *) return 1 ;;
    esac
}

require_supported_system() {
    if supported_system; then return; fi
    local name
    name=$(os_field PRETTY_NAME)
    die 2 "This script installs and builds on Debian 12 or later and on Ubuntu 24.04 or later; this is ${name:-another system}." \
        "What the build needs, by its Debian names (Qt is 6.4 or later, CMake $OLAB_MIN_CMAKE or later, a compiler for C++20):" \
        "  $(printf '%s\n%s\n' "$OLAB_BUILD_PACKAGES" "$OLAB_TEST_PACKAGES" | cut -d' ' -f1 | cut -d'|' -f1 | tr '\n' ' ')" \
        "For GPU runs also: CUDA toolkit $OLAB_MIN_CUDA or later with CUPTI." \
        "With these in place:  cmake --preset release && cmake --build --preset release && build/release/bin/overlap-lab --demo"
}

as_root() { # how this user gets root rights: nothing, sudo, or not at all
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

apt_command() { # the command for a person to type
    local prefix='sudo '
    if [ "$(id -u)" = 0 ]; then prefix=''; fi
    printf '%sapt-get update && %sapt-get install --no-install-recommends %s\n' "$prefix" "$prefix" "$1"
}

apt_quietly() { # the output goes to a log, shown when it fails
    local log
    log=$(mktemp)
    if as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1; then
        rm -f "$log"
        return
    fi
    tail -n 15 "$log" >&2
    rm -f "$log"
    return 1
}

install_names() { # install_names NAME...
    apt_quietly install -y --no-install-recommends "$@"
}

# A mirror that does not answer is not an error of apt-get update, so the install decides.
apt_lists() {
    apt_quietly update || note "apt-get update failed; going on with the lists that are there"
}

can_become_root() {
    [ "$(id -u)" = 0 ] && return
    command -v sudo >/dev/null || return 1
    [ -t 0 ] || sudo -n true 2>/dev/null
}

# ensure_packages NEEDED HANDY: installs what is missing. Looks first, so a second run needs neither apt nor sudo.
ensure_packages() {
    local needed handy=''
    needed=$(missing_packages "$1")
    if [ -z "$needed" ]; then
        say "Packages: all there"
        return
    fi
    if ! can_become_root; then
        die 2 "Packages are missing and this user cannot install them here. Run this, then start again:" \
            "  $(apt_command "$(available_names <<<"$needed")")"
    fi
    if [ -n "$2" ]; then handy=$(missing_packages "$2"); fi
    install_missing "$needed" "$handy"
}

install_missing() { # install_missing NEEDED HANDY
    local -a needed handy
    say "Packages: some are missing, asking apt for its lists"
    apt_lists
    read -r -a needed <<<"$(available_names <<<"$1")"
    read -r -a handy <<<"$(available_names <<<"$2")"
    say "Packages: installing ${needed[*]}"
    if ! install_names "${needed[@]}"; then
        die 2 "apt could not install: ${needed[*]}" \
            "If it says 'Unable to locate package' or 'Could not resolve': is the network up, and are the package sources right" \
            "(on Ubuntu the component 'universe' must be on)? The command was:" "  $(apt_command "${needed[*]}")"
    fi
    if [ ${#handy[@]} -gt 0 ] && ! install_names "${handy[@]}" 2>/dev/null; then
        note "not installed, and not needed to go on: ${handy[*]}"
    fi
}

# --- CMake ----------------------------------------------------------------------------------------------------------
# An old CMake in /usr/local or a home folder often hides the distribution's own.
find_cmake() { # sets olab_cmake
    local candidate version
    for candidate in cmake /usr/bin/cmake; do
        version=$("$candidate" --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p') || true
        if [ -n "$version" ] && at_least "$version" "$OLAB_MIN_CMAKE"; then
            olab_cmake=$(command -v "$candidate")
            return
        fi
    done
    die 2 "CMake $OLAB_MIN_CMAKE or later is needed; $(command -v cmake || echo cmake) is ${version:-missing}." \
        "Take the older one off PATH and install the distribution's:  $(apt_command cmake)"
}

# --- CUDA -----------------------------------------------------------------------------------------------------------
nvcc_version() {
    "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p' || true
}

has_cupti() { # has_cupti TOOLKIT_ROOT: one of the three places where its headers are
    local folder
    for folder in "$1"/include "$1"/extras/CUPTI/include "$1"/targets/*/include; do
        if [ -e "$folder/cupti.h" ]; then return 0; fi
    done
    return 1
}

toolkit_candidates() { # one root per line, the person's own choice first
    local nvcc
    printf '%s\n' "${CUDA_HOME:-}" "${CUDA_PATH:-}"
    if nvcc=$(command -v nvcc); then
        nvcc=$(readlink -f "$nvcc")
        printf '%s\n' "${nvcc%/bin/nvcc}"
    fi
    printf '%s\n' /usr/local/cuda
    printf '%s\n' /usr/local/cuda-* /opt/cuda* | sort -rV
}

# Sets CUDA_HOME for CMake to the first toolkit that is new enough and has CUPTI, and olab_cuda to its version. Otherwise
# olab_cuda is empty and olab_cuda_why says why. An old nvcc on PATH must not hide a newer toolkit elsewhere.
find_cuda() {
    local toolkit version
    olab_cuda='' olab_cuda_why='no nvcc was found (CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda*, /opt/cuda*)'
    if [ "${OLAB_CUDA:-AUTO}" = OFF ]; then
        olab_cuda_why='OLAB_CUDA=OFF'
        return
    fi
    while read -r toolkit; do
        if [ -z "$toolkit" ] || [ ! -x "$toolkit/bin/nvcc" ]; then continue; fi
        version=$(nvcc_version "$toolkit/bin/nvcc")
        if [ -z "$version" ] || ! at_least "$version" "$OLAB_MIN_CUDA"; then
            olab_cuda_why="$toolkit is CUDA ${version:-of unknown version}; $OLAB_MIN_CUDA or later is needed"
        elif ! has_cupti "$toolkit"; then
            olab_cuda_why="$toolkit has no cupti.h; install its package cuda-cupti-dev-${version//./-}"
        else
            export CUDA_HOME=$toolkit
            olab_cuda=$version
            return
        fi
    done < <(toolkit_candidates)
}

has_gpu() {
    [ -e /proc/driver/nvidia/version ] || [ -e /dev/dxg ] || nvidia-smi -L >/dev/null 2>&1
}

# For CMake: machine code for the devices of this machine that nvcc knows, and PTX, which any other translates as it loads it.
cuda_architectures() {
    local known number
    known=$("$CUDA_HOME/bin/nvcc" --list-gpu-arch 2>/dev/null) || true
    while read -r number; do
        if grep -qx "compute_$number" <<<"$known"; then printf '%s-real;' "$number"; fi
    done < <(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u)
    printf '75-virtual\n'
}

driver_version() {
    sed -n '1s/.*  \([0-9][0-9.]*\)  .*/\1/p' /proc/driver/nvidia/version 2>/dev/null || true
}

# NVIDIA's package source for this system, and the oldest toolkit 13 that it has.
cuda_source() { # prints: SOURCE PACKAGE_SUFFIX
    local id version
    id=$(os_field ID)
    version=$(os_field VERSION_ID)
    if grep -qi microsoft /proc/version 2>/dev/null; then
        echo wsl-ubuntu 13-0 # must not bring a Linux driver: Windows' own is used
    elif [ "$id" = ubuntu ]; then
        if at_least "${version:-0}" 26.04; then echo ubuntu2604 13-3; else echo ubuntu2404 13-0; fi
    elif [ "$version" = 12 ]; then
        echo debian12 13-0
    else
        echo debian13 13-1
    fi
}

print_cuda_commands() {
    local source suffix machine
    read -r source suffix < <(cuda_source)
    machine=x86_64
    if [ "$(uname -m)" = aarch64 ]; then machine=sbsa; fi
    note "To run on the GPU, get the toolkit from NVIDIA and start this script again:"
    cat <<TEXT
     add NVIDIA's package source for $source ($machine), as its CUDA Installation Guide for Linux says under
     "Network Repository Installation" (the package cuda-keyring), then
     sudo apt-get update
     sudo apt-get install --no-install-recommends cuda-minimal-build-$suffix cuda-cupti-dev-$suffix
TEXT
}

report_cuda() { # one line, and with a GPU and no toolkit what to do about it
    local driver
    if [ -n "$olab_cuda" ]; then
        say "CUDA: $olab_cuda from $CUDA_HOME"
    else
        say "CUDA: building without it (simulator, recordings, viewer): $olab_cuda_why"
        if has_gpu && [ "${OLAB_CUDA:-AUTO}" != OFF ]; then print_cuda_commands; fi
    fi
    driver=$(driver_version)
    if [ -n "$driver" ] && ! at_least "$driver" "$OLAB_MIN_DRIVER"; then
        note "The NVIDIA driver is $driver; CUDA 13 needs $OLAB_MIN_DRIVER or later, so runs on the GPU will fail until it is updated."
    fi
}

# Qt warns, and some tests count its warnings, when there is no UTF-8 locale or no folder for a session.
quiet_offscreen_qt() { # quiet_offscreen_qt FOLDER
    export QT_QPA_PLATFORM=offscreen
    case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
        *[Uu][Tt][Ff]*8) ;;
        *) export LC_ALL=C.UTF-8 ;;
    esac
    if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
        mkdir -p "$1"
        chmod 700 "$1"
        export XDG_RUNTIME_DIR=$1
    fi
}

# --- configure and build --------------------------------------------------------------------------------------------
cache_options() { # a compiler cache, when there is one
    if command -v ccache >/dev/null; then
        printf '%s\n' -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache
    fi
}

cuda_choice() { # the value of OLAB_CUDA for CMake; a toolkit that was found must work, or the failure is shown
    if [ -n "$olab_cuda" ] || [ "${OLAB_CUDA:-AUTO}" = ON ]; then echo ON; else echo OFF; fi
}

quiet_log() { # quiet_log LOG COMMAND...: output to LOG; on a terminal one changing line shows the progress
    local log=$1
    shift
    if [ -t 1 ]; then
        "$@" </dev/null 2>&1 | tee "$log" | progress_line
    else
        "$@" </dev/null >"$log" 2>&1
    fi
}

progress_line() {
    local line
    while IFS= read -r line; do
        case $line in '['*) printf '\r   %.100s\033[K' "$line" ;; esac
    done
    printf '\r\033[K'
}

# configure DIR PRESET OPTION...: skipped when the same was configured before; Ninja looks after changed CMake files.
configure() {
    local dir=$1 preset=$2 stamp=$1/olab-configured key fresh=()
    shift 2
    local -a options
    mapfile -t options < <(cache_options)
    options+=(-DOLAB_UNITY=ON "-DOLAB_CUDA=$(cuda_choice)" "$@")
    key="$root $preset $olab_cmake $olab_cuda ${CUDA_HOME:-} ${CXX:-} ${options[*]}"
    if [ -e "$dir/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then
        say "Configure: unchanged ($dir)"
        return
    fi
    say "Configure: $dir"
    mkdir -p "$dir"
    if [ -e "$dir/CMakeCache.txt" ]; then fresh=(--fresh); fi # keeps the objects, forgets what was found before
    rm -f "$stamp"
    (cd "$root" && quiet_log "$dir/configure.log" \
        "$olab_cmake" "${fresh[@]}" --preset "$preset" -B "$dir" "${options[@]}") || return 1
    printf '%s\n' "$key" >"$stamp"
}

build() { # build DIR TARGET...
    local dir=$1
    shift
    say "Build: $dir"
    # Without this ccache keeps nothing that was compiled with precompiled headers. No source here asks for the time.
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
    quiet_log "$dir/build.log" "$olab_cmake" --build "$dir" --parallel "$(nproc)" --target "$@"
}

show_failure() { # show_failure LOG: from the first error on, or the end when none is marked
    local log=$1 first
    first=$(grep -nE '^(FAILED:|CMake Error)' "$log" | head -n 1 | cut -d: -f1) || true
    if [ -n "$first" ]; then
        tail -n "+$first" "$log" | head -n 60 >&2 || true
    else
        tail -n 20 "$log" >&2
    fi
    printf 'The whole log: %s\n' "$log" >&2
}
