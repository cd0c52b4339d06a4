#!/bin/sh
# usage: calls.sh OBJECT...
# Fails if object files use each other's functions and variables in a ring. What one hands to another at run time, as a pointer
# to a function, does not count.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Lines "object: symbol type ...".
"${NM:-nm}" -A -P "$@" | awk '
    $3 == "U" { users[++count] = $1; names[count] = $2; next }
    $3 ~ /^[A-Z]$/ { definer[$2] = $1 }
    END { for (i = 1; i <= count; i++)
              if (names[i] in definer && definer[names[i]] != users[i])
                  print users[i], definer[names[i]] }' | sort -u >"$work/edges"
if [ ! -s "$work/edges" ]; then
    echo "no object uses another one: are they the right ones?"
    exit 1
fi
if ! tsort "$work/edges" >/dev/null 2>"$work/ring"; then
    echo "these use each other in a ring:"
    sed -n 's/^tsort: \([^ ]*\):$/  \1/p' "$work/ring"
    exit 1
fi
