#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Programs whose files only they can see keep their names: those in a chroot, and those of
# a mount namespace that is gone when the run is over.
. "$RP_SRC/t/lib.sh"
need_sampling
need unshare ldd

mkdir root hidden
unshare -m true 2>/dev/null && chroot / true 2>/dev/null || unable='only root may do this here'
test_set_prereq ROOT "${unable-}"

# fill DIRECTORY: burn and the libraries that it needs.
fill() {
	burn=$(command -v burn)
	cp "$burn" "$1/inside" &&
		ldd "$burn" | sed -n 's/^[^/]*\(\/[^ ]*\) (.*/\1/p' | while read -r library; do
			mkdir -p "$1$(dirname "$library")" && cp "$library" "$1$library" || exit
		done
}

# named NAME: function one() has a name, and the file is seen at PATH.
named() {
	er_print -functions "$1.er" >"$1.functions" && test_grep " one$" "$1.functions" &&
		test_no_grep "<inside>" "$1.functions" &&
		er_print -objects "$1.er" >"$1.objects" && test_grep "inside" "$1.objects"
}

test_expect_success ROOT 'a program in a chroot' '
	fill root && collect -p hi -O chroot.er chroot root /inside one=200 >chroot.out 2>chroot.said &&
	test ! -e /inside && named chroot
'

test_expect_success ROOT 'a program in a mount namespace of its own' '
	collect -p hi -O mounts.er unshare -m sh -c "mount -t tmpfs ours hidden &&
		cp \"\$1\" hidden/inside && hidden/inside one=200" sh "$(command -v burn)" >mounts.out 2>mounts.said &&
	test ! -e hidden/inside && named mounts
'

test_done
