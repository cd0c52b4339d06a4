#!/bin/sh
# usage: pair.sh [two-nodes] PROGRAM OPTIONS...
# Runs `PROGRAM -server` and `PROGRAM -client` side by side, as a node that no other such pair has, or as two. Both have to
# succeed.
set -u
server_node=$((1 + $$ % 32767))
client_node=$server_node
if [ "$1" = two-nodes ]; then
    client_node=$((server_node + 32767)) # no server's
    shift
fi

SISCI_SHIM_NODE=$server_node "$@" -server -rn "$client_node" &
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
trap 'exit 1' INT TERM
SISCI_SHIM_NODE=$client_node "$@" -client -rn "$server_node" || exit
wait "$server"
status=$?
trap - EXIT
exit "$status"
