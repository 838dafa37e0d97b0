#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#	cross-build.sh FOLDER [TARGET…]
#
# Makes what is installed and the targets for arm64 in FOLDER, with Debian's cross compiler and
# arm64 libraries (root.sh).  125: that is impossible here, with the reason as the last line on stderr.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 125
top=$(cd "$here/../.." && pwd) || exit 125
host=aarch64-linux-gnu
folder=$1
shift

command -v $host-gcc >/dev/null || {
	echo "$host-gcc is not installed" >&2
	exit 125
}
root=$(sh "$here/root.sh")/root || exit 125
mkdir -p "$folder" && cd "$folder" || exit 1
exec 9>lock && flock 9 || exit 1
# Another root, and what was found in the old one counts no more.
if [ "$(cat root-used 2>/dev/null)" != "$root" ]; then
	PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/$host/pkgconfig \
		PKG_CONFIG=pkg-config "$top/configure" -q --host=$host CC="$host-gcc --sysroot=$root" \
			--enable-werror || exit 1
	make -s clean && echo "$root" >root-used || exit 1
fi
# One after the other: make would build the same libraries for both at once.
make -s -j"$(getconf _NPROCESSORS_ONLN)" all && { [ $# -eq 0 ] || make -s -j"$(getconf _NPROCESSORS_ONLN)" "$@"; }
