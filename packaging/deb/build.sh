#!/usr/bin/env bash
# build.sh JAR MANUAL VERSION FOLDER: makes a Debian package in that folder, of jfs.jar and of the manual's pages (AsciiDoc), and prints
# its name. The package is the same each time: its dates are SOURCE_DATE_EPOCH (seconds since 1970), or else 2026-01-01. Java is the one
# in JAVA_HOME, or else the one in PATH.
set -euo pipefail

readonly HERE=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")") NAME=java-fast-sockets
jar=$1 manual=$2 version=$3 folder=$4
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1767225600} TZ=UTC LC_ALL=C.UTF-8
umask 022
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

# By the processors that the jar has libraries for. With several of them one package fits all.
architectures=$("${JAVA_HOME:+$JAVA_HOME/bin/}jar" tf "$jar" |
    sed -n 's,^jfs/nativelib/linux-\(.*\)/libjfs_jni\.so$,\1,p' | sed 's/x86-64/amd64/; s/aarch64/arm64/')
[[ $architectures != *$'\n'* ]] || architectures=all

# fill FILE: its text with the values of this package.
fill() {
    sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architectures/; s/@SIZE@/${size:-}/; s/@DATE@/$(date -R -d "@$SOURCE_DATE_EPOCH")/" \
        "$HERE/$1"
}

install -D -m 755 "$HERE/jfs" "$root/usr/bin/jfs"
install -D -m 644 "$jar" "$root/usr/share/$NAME/jfs.jar"
mkdir -p "$root/usr/share/man/man1" "$root/usr/share/bash-completion/completions" "$root/usr/share/doc/$NAME" "$root/DEBIAN"
asciidoctor -b manpage -a "manmanual=Java Fast Sockets" -D "$root/usr/share/man/man1" "$manual"/*.adoc
gzip -9n "$root"/usr/share/man/man1/*
"$root/usr/bin/jfs" completion | sed '1{/^#!/d}' >"$root/usr/share/bash-completion/completions/jfs"
install -m 644 "$HERE/copyright" "$root/usr/share/doc/$NAME"
fill changelog | gzip -9n >"$root/usr/share/doc/$NAME/changelog.gz"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
size=$(find "$root/usr" -printf '%y %s\n' | awk '{ kb += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print kb }') # as dpkg-gencontrol
fill control >"$root/DEBIAN/control"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

mkdir -p "$folder"
package=$folder/${NAME}_${version}_$architectures.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >&2
echo "$package"
