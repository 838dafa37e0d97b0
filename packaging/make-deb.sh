#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-deb.sh DIRECTORY: packages for Debian and Ubuntu, binary and source, in DIRECTORY.
# DEB_BUILD=source makes only the latter, or what else dpkg-buildpackage --build knows.
# With RP_PREBUILT=yes the programs are those of the build tree, and there is no source package.
# shellcheck source=packaging/lib.sh
. "${0%/*}/lib.sh"
need dpkg-buildpackage dpkg-dev
need dh debhelper

mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$out/deb
rm -rf "$work"
release_tree "$work"
[ -n "${RP_PREBUILT:-}" ] || release_archive "$work" "$work/ringprof_$version.orig.tar.xz"

tree=$work/$release
cp -R "$RP_SRC/packaging/debian" "$tree/debian"
fill "$RP_SRC/packaging/debian/control.in" "$tree/debian/control"
fill "$RP_SRC/packaging/debian/changelog.in" "$tree/debian/changelog"
rm "$tree"/debian/*.in
chmod -R u=rwX,go=rX "$tree/debian"
chmod 755 "$tree/debian/rules"

# The tests are `make check`'s.
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-nocheck}"
if [ -n "${RP_PREBUILT:-}" ]; then
	export RP_PREBUILT="$RP_BUILD" DEB_BUILD_OPTIONS='nocheck nostrip'
	set -- --build=binary --no-check-builddeps
else
	set -- --build="${DEB_BUILD:-full}"
fi
cd "$tree" || exit
say "building packages of $release (output: $work/build.log)"
logged "$work/build" dpkg-buildpackage --no-sign "$@"
cd "$out" || exit
rm -rf "$tree"
for file in "$work"/ringprof*_*; do
	mv -f "$file" .
	echo "$out/${file##*/}"
done
