#!/bin/sh
# usage: exports.sh LIBRARY PATTERN FOLDER HEADER...
# The library exports what its headers in the folder declare, under every name by which a program can ask for it, and nothing
# else. Declarations that don't match the pattern are another library's.
set -eu
library=$1 pattern=$2 folder=$3
shift 3

declared() {
    for options in "-DSISCI_PLAIN_NAMES -DSCIL_PLAIN_NAMES" -U_REENTRANT -D_REENTRANT; do
        for header in "$@"; do
            # shellcheck disable=SC2086 # they are words
            "${CC:-cc}" $options -E -P "$folder/$header"
        done
    done | grep -oE '[A-Za-z_]*SCI[A-Za-z]+ *\(|_[A-Z]+_PUBLIC_CONST_[A-Z_]+' | tr -d ' (' | grep -E "$pattern" | sort -u
}

exported() {
    "${NM:-nm}" -D --defined-only --format=posix "$library" | cut -d ' ' -f 1 | sort -u
}

names=$(declared "$@")
if [ -z "$names" ] || [ "$names" != "$(exported)" ]; then
    echo "declared (-) and exported (+) names differ:"
    wanted=$(mktemp)
    trap 'rm -f "$wanted"' EXIT
    echo "$names" >"$wanted"
    exported | diff -U0 "$wanted" - | grep '^[-+][A-Za-z_]'
    exit 1
fi
echo "$(echo "$names" | wc -l) names"
