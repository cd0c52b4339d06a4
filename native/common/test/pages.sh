#!/bin/sh
# usage: pages.sh PATTERN PAGES FOLDER HEADER...
# What matches the pattern in the headers of the folder, calls and errors, is on one of the pages that the index leads to.
set -eu
pattern=$1 pages=$2 folder=$3
shift 3

names() {
    for header in "$@"; do
        "${CC:-cc}" -DSISCI_PLAIN_NAMES -DSCIL_PLAIN_NAMES -E -P "$folder/$header"
    done | grep -oE "$pattern" | tr -d ' (=' | sort -u
}

missing=
count=0
for name in $(names "$@"); do
    count=$((count + 1))
    find "$pages" -name '*.md' ! -name README.md -exec grep -qw "$name" {} + || missing="$missing $name"
done
if [ -n "$missing" ] || [ "$count" = 0 ]; then
    echo "of $count names these are on no page in $pages:$missing"
    exit 1
fi
echo "$count names"
