#!/bin/sh
# usage: consumer.sh SOURCES FOLDER PACKAGE...
# The library as others get it: built alone, installed, moved, and found there by pkg-config, under the name of its packages, and
# by CMake. FOLDER is made for all of that, and removed. What is built in SOURCES is its examples, and test/consumer.c, which may
# exit with 77 if it can't run here.
set -eu
sources=$1 folder=$2
shift 2
CC=${CC:-cc} CXX=${CXX:-c++}
for tool in pkg-config "$CXX"; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool is not installed"
        exit 77
    fi
done
rm -rf "$folder"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"

quietly() {
    "$@" >"$folder/log" 2>&1 || {
        status=$?
        cat "$folder/log"
        [ $status = 77 ] || status=1
        exit $status
    }
}

quietly cmake -S "$sources" -B "$folder/build" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF -DCMAKE_INSTALL_LIBDIR=lib
quietly cmake --build "$folder/build" --parallel 2
quietly cmake --install "$folder/build" --prefix "$folder/first"
mv "$folder/first" "$folder/installed"

echo "with pkg-config: C and C++, single-threaded and multi-threaded"
PKG_CONFIG_PATH=$folder/installed/lib/pkgconfig
SISCI_SHIM_NODE=$((1 + $$ % 65535))
export PKG_CONFIG_PATH SISCI_SHIM_NODE
flags=$(pkg-config --cflags --libs "$@")
strict="-Wall -Wextra -Wpedantic -Wconversion -Werror -Wl,-rpath,$folder/installed/lib"
program="$folder/consumer"
for kind in "$CC -std=c11" "$CC -std=c11 -pthread" "$CXX -x c++ -std=c++11" "$CXX -x c++ -std=c++20 -pthread"; do
    # shellcheck disable=SC2086 # they are words
    quietly $kind $strict "$sources/test/consumer.c" -x none -o "$program" $flags
    quietly "$program"
done
for header in "$folder"/installed/include/*.h; do # each can be the first
    quietly "$CC" -Werror -fsyntax-only -x c "$header"
    quietly "$CXX" -Werror -fsyntax-only -x c++ "$header"
done

echo "with CMake: the examples"
quietly cmake -S "$sources/examples" -B "$folder/examples" -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$folder/installed"
quietly cmake --build "$folder/examples" --parallel 2
quietly ctest --test-dir "$folder/examples" --no-tests=error --output-on-failure
