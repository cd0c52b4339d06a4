#!/bin/sh
# aarch64.sh SOURCE FOLDER JNI_HEADERS JAVA_HOME: compiles the libraries for aarch64 and runs tests of them under qemu-user. They are
# those that qemu-user can run: it starts no program for another program, knows no seccomp, and does not carry out a recvmsg without a
# buffer, by which the shim looks at the next data interrupt. The order in which another core sees stores is this machine's, too.
set -eu
source=$1 folder=$2 headers=$3 java=$4
for command in aarch64-linux-gnu-gcc qemu-aarch64; do
    if ! command -v $command >/dev/null; then
        echo "$command is missing (Debian's gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user)"
        exit 77
    fi
done
tests="jni.test_callbacks scilib.test_queue scilib.test_stream scilib.test_queue_death scilib.test_queue_users scilib.test_queue_hostile
    scilib.test_posted shim.test_segment shim.test_connect shim.test_events shim.test_mapping shim.test_sequence shim.test_barrier
    shim.test_death mx.unit_peers mx.unit_crossing mx.unit_bound mx.unit_time"
cmake -S "$source" -B "$folder" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/aarch64.cmake" -DJAVA_HOME="$java" \
    -DJFS_JNI_HEADERS="$headers" >/dev/null
# shellcheck disable=SC2086 # the names are words
cmake --build "$folder" --parallel 2 --target jfs_jni sisci_shim mx_shim $tests >/dev/null
ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel 2 --timeout 60 \
    -R "^($(echo $tests | tr ' ' '|' | sed 's/\./\\./g')|(jni|mx|shim|scilib)\.old_glibc)\$"
