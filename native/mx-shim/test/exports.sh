#!/bin/sh
# usage: exports.sh LIBRARY MAP FOLDER HEADER...
# The library exports what its headers in the folder declare, with the versions that the map gives them, and nothing else.
set -eu
library=$1 map=$2 folder=$3
shift 3

declared() {
    for header in "$@"; do
        "${CC:-cc}" -E -P "$folder/$header"
    done | grep -oE '\bmx_[a-z0-9_]+\(|\bMX_ERRORS_[A-Z_]+' | tr -d "(" | sort -u
}

# name@@version, or the name where the map has none
versioned() {
    awk 'NR == FNR { if ($1 ~ /^MX_/) version = $1; else if ($1 ~ /^mx_.*;$/) of[substr($1, 1, length($1) - 1)] = version; next }
        { print $1 ($1 in of ? "@@" of[$1] : ""); delete of[$1] }
        END { for (name in of) print name "@@" of[name] " of the map" }' "$map" -
}

exported() {
    "${NM:-nm}" -D --defined-only --format=posix "$library" | awk '$2 != "A" { print $1 }' | sort -u
}

names=$(declared "$@" | versioned | sort)
if [ -z "$names" ] || [ "$names" != "$(exported)" ]; then
    echo "declared (-) and exported (+) names differ:"
    wanted=$(mktemp)
    trap 'rm -f "$wanted"' EXIT
    echo "$names" >"$wanted"
    exported | diff -U0 "$wanted" - | grep '^[-+][A-Za-z_]'
    exit 1
fi
echo "$(echo "$names" | wc -l) names"
