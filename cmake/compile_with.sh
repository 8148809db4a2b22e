#!/bin/sh
# compile_with.sh COMPILER [ccache] OTHER_COMPILER ARGUMENT...: compiles with COMPILER what CMake would compile with another. A
# launcher of compilers (OlabTestCompiler.cmake).
compiler=$1
shift
case ${1##*/} in
    ccache | sccache)
        launcher=$1
        shift
        ;;
esac
shift
# A precompiled header is made anew: clang would read the one that is there, perhaps the other's.
for argument; do
    case $argument in *.gch) rm -f -- "$argument" ;; esac
done
# Warnings that only the other knows, and settings of its own, are no mistakes.
exec ${launcher:+"$launcher"} "$compiler" "$@" -Wno-unknown-warning-option -Wno-unused-command-line-argument
