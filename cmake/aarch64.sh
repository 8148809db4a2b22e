# shellcheck shell=bash
# The libraries of aarch64 that the command line links, unpacked into a folder of the build: nothing of another architecture
# is installed into the system. Sourced by test.sh after setup.sh.

# shellcheck disable=SC2034 # used by test.sh
readonly OLAB_AARCH64_PACKAGES='g++-aarch64-linux-gnu aarch64-linux-gnu-g++
qemu-user qemu-aarch64'
readonly olab_aarch64_libraries='zlib1g zlib1g-dev libzstd1 libzstd-dev libsqlite3-0 libsqlite3-dev nlohmann-json3-dev libgtest-dev libgmock-dev'

apt_for_aarch64() { # apt_for_aarch64 LISTS ARGUMENT...
    local lists=$1
    shift
    apt-get -q -oAPT::Architecture=arm64 -oAPT::Architectures=arm64 -oDir::State::Lists="$lists" "$@"
}

unpack_aarch64_libraries() { # unpack_aarch64_libraries FOLDER: does nothing where they are
    local folder=$1 package
    if [ -e "$folder/complete" ]; then return; fi
    say "Libraries of aarch64: $folder"
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/packages"
    # shellcheck disable=SC2086 # a list
    (cd "$folder/packages" && apt_for_aarch64 "$folder/lists" update && apt_for_aarch64 "$folder/lists" download $olab_aarch64_libraries) \
        >"$folder/apt.log" 2>&1 || die 2 "The libraries of aarch64 could not be fetched: $folder/apt.log says why."
    for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
    touch "$folder/complete"
}
