#!/bin/sh
# usage: hosts.sh USABLE PINGPONG STREAM LAYER
# Two hosts: network namespaces joined by a pair of virtual interfaces. The examples find each other by address, and what they send
# does go that way, although in truth both are on one host, whose processes could share memory: UCX can't wake a process in
# another network namespace. A program that is killed is noticed at the other one. Processes of an MPI-like layer do the same, some of
# them on one of the hosts, whether or not all of them share IPC.
set -eu
usable=$1 pingpong=$2 stream=$3 layer=$4
"$usable" || exit
if [ "$(id -u)" != 0 ] || ! command -v ip >/dev/null; then
    echo "network namespaces need root and ip (package iproute2)"
    exit 77
fi
a=mxa$$ b=mxb$$
if ! ip netns add "$a" 2>/dev/null; then
    echo "no network namespaces can be made here"
    exit 77
fi
folder=$(mktemp -d)
server= busy=
# shellcheck disable=SC2086 # no process is no word
trap 'kill $server $busy 2>/dev/null || :; ip netns del "$a" || :; ip netns del "$b" 2>/dev/null || :; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
ip netns add "$b"
ip link add "$a" netns "$a" type veth peer name "$b" netns "$b"
ip -n "$a" address add 10.98.7.1/24 dev "$a"
ip -n "$b" address add 10.98.7.2/24 dev "$b"
for host in "$a" "$b"; do
    ip -n "$host" link set "$host" up
    ip -n "$host" link set lo up
done
for host in "$a" "$b"; do # the kernel takes up to a second to send anything
    until ip -n "$host" link show "$host" | grep -q "state UP"; do :; done
done
mkfifo "$folder/said"

# serve PROGRAM: on the first host; sets server and id.
serve() {
    ip netns exec "$a" "$1" -e any >"$folder/said" &
    server=$!
    read -r _ _ id <"$folder/said"
}

# on_second COMMAND...
on_second() {
    ip netns exec "$b" "$@"
}

received() {
    ip netns exec "$a" cat "/sys/class/net/$a/statistics/rx_bytes"
}

# converse TLS: with this setting of UCX_TLS at both ends; "": with none.
converse() {
    unset UCX_TLS
    if [ -n "$1" ]; then
        UCX_TLS=$1
        export UCX_TLS
    fi
    echo "latency, and bandwidth of 100 messages of 1 MB: UCX_TLS=$1"
    before=$(received)
    serve "$pingpong"
    on_second "$pingpong" -d 10.98.7.1 -r "$id" -s 1 -E 65536 -n 50
    wait "$server"
    server=
    if [ $(($(received) - before)) -lt $((50 * 131072)) ]; then
        echo "the pings went another way"
        exit 1
    fi
    before=$(received)
    serve "$stream"
    on_second "$stream" -d 10.98.7.1 -r "$id" -s 1000000 -n 100
    wait "$server"
    server=
    if [ $(($(received) - before)) -lt 100000000 ]; then
        echo "the stream went another way"
        exit 1
    fi
}

converse ""
converse ^rc
converse tcp,sm,self
converse tcp,self
unset UCX_TLS

echo "in one namespace: through shared memory"
beside() {
    ip netns exec "$a" cat /sys/class/net/lo/statistics/rx_bytes
}
before=$(beside)
serve "$stream"
ip netns exec "$a" "$stream" -d 10.98.7.1 -r "$id" -s 1000000 -n 100
wait "$server"
server=
if [ $(($(beside) - before)) -gt 10000000 ]; then
    echo "it went over TCP"
    exit 1
fi

for ipc in shared apart; do
    echo "a layer of three and four processes, IPC $ipc"
    before=$(received)
    "$layer" 2 "$ipc" "/run/netns/$a" "/run/netns/$b"
    if [ $(($(received) - before)) -lt 5000000 ]; then
        echo "its messages went another way"
        exit 1
    fi
    "$layer" 2 "$ipc" "/run/netns/$a"
done

# kill_server SIZE BYTES: a server is killed when it has received so many bytes, in messages of that size. Its client must end with
# an error that it reports.
kill_server() {
    before=$(received)
    serve "$stream"
    on_second "$stream" -d 10.98.7.1 -r "$id" -s "$1" -n 1000000000 >"$folder/out" 2>&1 &
    client=$!
    while [ "$(received)" -lt $((before + $2)) ]; do
        kill -0 "$client" || { cat "$folder/out"; exit 1; }
    done
    kill -KILL "$server"
    wait "$server" 2>/dev/null || :
    server=$client
    status=0
    wait "$client" || status=$?
    server=
    if [ "$status" != 1 ] || ! grep -q "unreachable\|closed" "$folder/out"; then
        echo "the client ended with status $status; expected was 1, and \"unreachable\" or \"closed\" in what it says"
        cat "$folder/out"
        exit 1
    fi
}

echo "a server that is killed: its client ends"
kill_server 1000000 150000000

# Each kill finds the messages in another state, and more of them when another program takes a core.
echo "forty servers that are killed, beside a busy program"
while kill -0 $$; do :; done & # it ends with this script, however that ends
busy=$!
round=0
while [ $((round += 1)) -le 40 ]; do
    kill_server 40000 3000000
done
