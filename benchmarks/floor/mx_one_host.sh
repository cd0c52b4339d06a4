#!/bin/bash
# usage: mx_one_host.sh FOLDER [ROUNDS [SIZE...]]
# Large messages of the MX library between two processes of one host, beside UCX's own ucx_perftest (if it is installed) over
# shared memory and beside a copy of the bytes in one process. FOLDER has the programs: native/target/cmake/benchmarks/floor. All
# take turns. Prints medians over the rounds, in microseconds: one way, but there and back where both ends sleep.
#   two cores   one process on each of the first two cores of this script, both poll (mx_test)
#   one core    both on the first core: they poll, or wait (mx_wait)
#   asleep      both sleep until the message comes, one request a millisecond
set -u
folder=$(cd "${1:?the folder of the programs}" && pwd) || exit 2
rounds=${2:-5}
shift $(($# < 2 ? $# : 2))
sizes=("$@")
((${#sizes[@]} > 0)) || sizes=(4096 16384 32768 65536 131072 262144 524288 1048576 4194304)
readonly LIMIT=60 PORT=13338 # seconds of one run; the port of ucx_perftest

mapfile -t cores < <(taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
    while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done)
one=${cores[0]} other=${cores[1]:-${cores[0]}}
scratch=$(mktemp -d) || exit 1
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
mkfifo "$scratch/said"

# messages SERVER_CORES CLIENT_CORES: how many. On one core a message may take milliseconds.
messages() {
    [[ $1 == "$2" && $1 != *,* ]] && echo 30 || echo 100
}

# mx SERVER_CORES CLIENT_CORES PROGRAM BYTES [-w]: the figure after the size.
mx() {
    timeout "$LIMIT" taskset -c "$1" "$folder/$3" -e any >"$scratch/said" &
    server=$!
    local host id
    read -r host _ id <"$scratch/said" || return
    timeout "$LIMIT" taskset -c "$2" "$folder/$3" -d "$host" -r "$id" -s "$4" -n "$(messages "$1" "$2")" "${@:5}" |
        awk -v bytes="$4" '$1 == bytes { print $2 }'
    wait "$server"
    server=
}

# ucx SERVER_CORES CLIENT_CORES BYTES
ucx() {
    command -v ucx_perftest >/dev/null || return
    # The server has to write line by line even into a pipe.
    UCX_TLS=posix,self timeout "$LIMIT" taskset -c "$1" stdbuf -oL ucx_perftest -t ucp_am_lat -p "$PORT" >"$scratch/said" &
    server=$!
    local line
    exec 3<"$scratch/said"
    while read -r line <&3 && [[ $line != *Waiting* ]]; do :; done
    cat <&3 >/dev/null &
    exec 3<&-
    UCX_TLS=posix,self timeout "$LIMIT" taskset -c "$2" ucx_perftest 127.0.0.1 -f -t ucp_am_lat -p "$PORT" -s "$3" \
        -w 3 -n "$(messages "$1" "$2")" | awk '{ sub(/^Final:/, "") } $1 + 0 > 0 { figure = $2 } END { if (figure) print figure }'
    wait "$server"
    server=
}

# copy BYTES
copy() {
    taskset -c "$one" "$folder/copy" --bytes "$1" --seconds 0.1 | awk '/^floor / { sub(/.* ns=/, ""); print $1 / 1000 }'
}

# median FILE: of its numbers, one a line; - if there are none.
median() {
    sort -n "$1" | awk '{ all[NR] = $1 } END { if (NR > 0) printf "%.1f", all[int((NR + 1) / 2)]; else printf "-" }'
}

columns=(copy ucx mx ucx_one mx_one mx_one_w asleep)
run() {
    case $1 in
        copy) copy "$2" ;;
        ucx) ucx "$one" "$other" "$2" ;;
        mx) mx "$one" "$other" mx_pingpong "$2" ;;
        ucx_one) ucx "$one" "$one" "$2" ;;
        mx_one) mx "$one" "$one" mx_pingpong "$2" ;;
        mx_one_w) mx "$one" "$one" mx_pingpong "$2" -w ;;
        asleep) mx "$one,$other" "$one,$other" mx_asleep "$2" ;;
    esac
}

printf '%9s %9s | %9s %9s | %11s %9s %9s | %9s\n' '' '' 'two cores' '' 'one core' '' '' asleep \
    bytes copy UCX MX 'UCX' MX 'MX, waits' MX
for bytes in "${sizes[@]}"; do
    for ((round = 0; round < rounds; round++)); do
        for column in "${columns[@]}"; do
            run "$column" "$bytes" >>"$scratch/$column.$bytes"
        done
    done
    figures=()
    for column in "${columns[@]}"; do
        figures+=("$(median "$scratch/$column.$bytes")")
    done
    printf '%9d %9s | %9s %9s | %11s %9s %9s | %9s\n' "$bytes" "${figures[@]}"
done
