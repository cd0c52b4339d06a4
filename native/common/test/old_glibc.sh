#!/bin/sh
# usage: old_glibc.sh LIBRARY
# The library can be loaded with glibc 2.17 (of 2012, the oldest for aarch64), whichever one it was linked with.
set -eu
most=GLIBC_2.17
versions=$("${OBJDUMP:-objdump}" -p "$1" | sed -n '/^Version References/,$ s/.*\(GLIBC_[^ ]*\)$/\1/p' | sort -Vu)
if [ -z "$versions" ]; then
    echo "$1 asks for no version: it was not linked with glibc"
    exit 77
fi
newest=$(echo "$versions" | tail -n 1)
echo "the newest needed is $newest"
if [ "$(printf '%s\n' "$most" "$newest" | sort -V | tail -n 1)" != "$most" ]; then
    "${OBJDUMP:-objdump}" -T "$1" | grep -F "$newest"
    exit 1
fi
