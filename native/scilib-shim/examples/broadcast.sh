#!/bin/sh
# usage: broadcast.sh PROGRAM [-namespaces]
# Runs the broadcast example: three servers and a client, on one node and on a node each. With -namespaces: each process in its own
# namespaces of process ids, mounts, IPC and host names, which share the network; then in two network namespaces at a time, which are
# two fabrics: groups of the same id in both do not meet.
set -u
program=$1 mode=${2:-}
group=$((4096 + $$))
servers=
first= second=

stop() {
    # shellcheck disable=SC2086 # no process is no word
    [ -z "$servers" ] || kill $servers 2>/dev/null
    for namespace in $first $second; do
        ip netns del "$namespace" 2>/dev/null
    done
}
trap stop EXIT
trap 'exit 1' INT TERM

# start COMMAND...: a process of this script, which ends with it.
start() {
    "$@" &
    servers="$servers $!"
}

# await: the processes that were started have to succeed.
await() {
    for server in $servers; do
        wait "$server" || exit 1
    done
    servers=
}

# demonstrate STEP COMMAND...: three servers and a client, each by COMMAND; returns when all have ended. The number of a process's
# node is STEP higher than that of the one before.
demonstrate() {
    step=$1
    shift
    for rank in 1 2 3; do
        start env SISCI_SHIM_NODE=$((100 + rank * step)) "$@" "$program" -server -rank $rank -group $group -loops 200
    done
    SISCI_SHIM_NODE=100 "$@" "$program" -client -nodes 3 -group $group -loops 200 || exit 1
    await
}

if [ -z "$mode" ]; then
    echo "on one node"
    demonstrate 0 env
    echo "on a node each"
    demonstrate 1 env
    exit 0
fi

if [ "$(id -u)" != 0 ] || ! command -v ip >/dev/null || ! command -v unshare >/dev/null; then
    echo "namespaces need root, ip (package iproute2) and unshare"
    exit 77
fi
if ! unshare --pid --fork --mount --ipc --uts true 2>/dev/null; then
    echo "no namespaces can be made here"
    exit 77
fi
echo "each process in namespaces of its own, but for the network"
demonstrate 1 unshare --pid --fork --kill-child --mount --ipc --uts

first=scia$$
if ! ip netns add "$first" 2>/dev/null; then
    first=
    echo "no network namespaces can be made here"
    exit 77
fi
second=scib$$
ip netns add "$second" || exit 1
echo "in two network namespaces, which share IPC, at the same time"
for namespace in "$first" "$second"; do
    for rank in 1 2; do
        start ip netns exec "$namespace" "$program" -server -rank $rank -group $group -loops 200
    done
    start ip netns exec "$namespace" "$program" -client -nodes 2 -group $group -loops 200
done
await
echo "a server in one of them, a client in the other: they do not meet"
start ip netns exec "$first" "$program" -server -rank 1 -group $group -patience 1000
if ip netns exec "$second" "$program" -client -nodes 1 -group $group -patience 500; then
    echo "the client has met a server of another network namespace"
    exit 1
fi
wait "$servers" && exit 1
servers=
exit 0
