#!/usr/bin/env bash
# layer_table_test.sh SOURCE: the layer table of DESIGN.md is the one that cmake/OlabModule.cmake enforces.
set -euo pipefail
source=$1

enforced() { # "module: link, link"
    sed -nE 's/^set\(OLAB_LINKS_([a-z_]+) "?([a-z_ ]*)"?\)$/\1: \2/p' "$source/cmake/OlabModule.cmake" | sed -E 's/ /, /g; s/:, /: /; s/: $/: -/'
}

documented() {
    sed -nE 's/^\| `([a-z_]+)` \| ([a-z_, -]+) \|.*/\1: \2/p' "$source/DESIGN.md"
}

if ! diff -u <(enforced | sort) <(documented | sort); then
    echo "FAILED: the table of DESIGN.md section 2 (+) is not that of cmake/OlabModule.cmake (-)"
    exit 1
fi
echo "the layer table of DESIGN.md has $(documented | wc -l) modules, as enforced"
