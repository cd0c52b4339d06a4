#!/bin/sh
# usage: pair.sh PROGRAM OPTIONS...
# Runs the program as a server, with an endpoint id that is free, and as a client of it. Both have to succeed.
set -u
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/said"
"$program" -e any >"$folder/said" &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
read -r host _ id <"$folder/said" || exit 1
"$program" -d "$host" -r "$id" "$@" || exit
wait "$server"
status=$?
trap 'rm -rf "$folder"' EXIT
exit "$status"
