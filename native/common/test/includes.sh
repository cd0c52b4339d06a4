#!/bin/sh
# usage: includes.sh FOLDER [LAYER:LAYER...]
# Reads the lines #include "..." of the C files in a folder. A source and its header of the same name are one unit. Fails if
# units include each other in a ring; or if a file of one layer (a folder in FOLDER; or ".", FOLDER itself) includes a file of
# another layer, unless that is allowed: "api:core" lets the files in api include those in core. Fails too if a source does not
# include its header.
set -eu
folder=$1
shift
allowed=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$folder"

# Lines "unit unit": the first one includes the second one. Headers outside of the folder have no part in this.
find . -name '*.[ch]' | sed 's|^\./||' | sort | while read -r file; do
    sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file" | while read -r header; do
        beside=$(dirname "$file")/$header
        beside=${beside#./}
        for found in "$header" "$beside"; do
            if [ -f "$found" ]; then
                echo "${file%.[ch]} ${found%.h}"
                break
            fi
        done
    done
done | awk '$1 != $2' | sort -u >"$work/edges"

layer_of()
{
    case $1 in
    */*) echo "${1%%/*}" ;;
    *) echo . ;;
    esac
}

status=0
while read -r from to; do
    layers=$(layer_of "$from"):$(layer_of "$to")
    case "${layers%:*} $allowed" in
    "${layers#*:} "* | *" $layers "*) ;;
    *)
        echo "$from includes $to, but ${layers%:*} must not include ${layers#*:}"
        status=1
        ;;
    esac
done <"$work/edges"
find . -name '*.c' >"$work/sources"
while read -r source; do
    header=$(basename "$source" .c).h
    if [ -f "${source%.c}.h" ] && ! grep -q "#include \".*$header\"" "$source"; then
        echo "$source does not include $header"
        status=1
    fi
done <"$work/sources"
if ! tsort "$work/edges" >/dev/null 2>"$work/ring"; then
    echo "these include each other in a ring:"
    sed -n 's/^tsort: \([^ ]*\)$/  \1/p' "$work/ring"
    status=1
fi
if [ ! -s "$work/edges" ]; then
    echo "no file in $folder includes another one: is it the right folder?"
    status=1
fi
exit $status
