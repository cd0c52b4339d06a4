#!/bin/sh
# fuzz.sh FOLDER SECONDS: builds fuzz_wire.c with libFuzzer and the sanitizers in that folder and runs it for so long. What it
# finds is left there: a minimised one belongs into corpus/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/corpus"
cd "$1"
if ! clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -pthread -D_GNU_SOURCE \
    -DSISCI_PLAIN_NAMES -I"$here/../include" -I"$here/../src" "$here/fuzz_wire.c" "$here"/../src/*/*.c -o fuzz_wire 2>build.log
then
    echo "no clang with libFuzzer: $(tail -n 1 build.log)"
    exit 77
fi
exec ./fuzz_wire -max_total_time="$2" -max_len=512 -timeout=30 corpus "$here/corpus"
