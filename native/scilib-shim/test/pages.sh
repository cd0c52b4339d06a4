#!/bin/sh
# usage: pages.sh PAGES FOLDER HEADER...
# Each call that a header in the folder declares, and each error, is on one of the pages that the index leads to.
set -eu
pages=$1 folder=$2
shift 2

names() {
    for header in "$@"; do
        "${CC:-cc}" -DSISCI_PLAIN_NAMES -DSCIL_PLAIN_NAMES -E -P "$folder/$header"
    done | grep -oE '\bSCI[A-Za-z]+ *\(|\bSCI_ERR_[A-Z_]+' | tr -d ' (' | sort -u
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
