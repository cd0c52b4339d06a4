#!/bin/sh
# usage: namespaces.sh PAIR BENCH NODE
# Processes in namespaces of the kernel, as those of containers: two that share the network namespace alone find each other, and
# what the benchmark moves arrives. A network namespace is a fabric of its own: two pairs with the same node, number and id do not
# disturb each other, even where they share all else (IPC), and a node of the one fabric does not exist in the other one.
set -eu
pair=$1 bench=$2 node=$3
if [ "$(id -u)" != 0 ] || ! unshare --net --mount --pid --ipc --uts --fork true 2>/dev/null; then
    echo "this test needs root, and namespaces (unshare)"
    exit 77
fi
folder=$(mktemp -d)
keeper=
# shellcheck disable=SC2086 # no process is no word
trap 'kill $keeper 2>/dev/null || :; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

echo "namespaces of their own, but for the network"
cat >"$folder/contained" <<'END'
#!/bin/sh
exec unshare --mount --pid --ipc --uts --fork --kill-child "$@"
END
chmod +x "$folder/contained"
"$pair" "$folder/contained" "$bench" -size 100001 -seconds 0.001 >"$folder/out"
cat "$folder/out"

echo "two network namespaces, each with a pair, beside each other"
for fabric in a b; do
    # In a PID namespace of its own each pair.sh has the number 1, and so both pairs have the same node.
    unshare --net --pid --fork --kill-child "$pair" "$bench" -size 100001 -seconds 0.001 >"$folder/out.$fabric" 2>&1 &
    keeper="$keeper $!"
done
for process in $keeper; do
    wait "$process" || { cat "$folder"/out.*; exit 1; }
done
keeper=
grep -h "PIO write *8 " "$folder/out.a" "$folder/out.b"

echo "a node of another network namespace"
SISCI_SHIM_NODE=$((1 + $$ % 32767)) "$bench" -server & # until this script ends it
keeper=$!
there=$((1 + $$ % 32767))
until "$node" -client -rn "$there" >"$folder/out"; do
    kill -0 "$keeper" || exit 1
done
if unshare --net "$node" -client -rn "$there" >"$folder/out"; then
    cat "$folder/out"
    exit 1
fi
grep "node: $there does not answer" "$folder/out"
