#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#	machine.sh [-t SECONDS] IN OUT COMMAND [ARG…]
#
# Runs COMMAND as root on an arm64 machine that has a PMU, emulated by QEMU, and ends with
# its status.  The folder IN is /in there and comes first in PATH; COMMAND's working
# directory, /out, starts empty, and what is left in it comes back as the folder OUT.
# 124: not finished after SECONDS (default 900) of the host's time; 125: no machine, with
# the reason as the last line on stderr.
#
# One CPU, on which an instruction is a cycle and a nanosecond, and idle time passes at
# once: two runs of a program count the same.  Only cycles and instructions count.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 125
limit=900

die() {
	printf '%s\n' "$*" >&2
	exit 125
}

if [ "${1-}" = -t ]; then
	limit=$2
	shift 2
fi
[ $# -ge 3 ] || die 'usage: machine.sh [-t SECONDS] IN OUT COMMAND [ARG...]'
in=$1 out=$2
shift 2
command -v qemu-system-aarch64 >/dev/null || die 'qemu-system-aarch64 is not installed'
guest=$(sh "$here/root.sh") || exit 125
mkdir -p "$out" || die "no folder $out"
tmp=$(mktemp -d) || die 'no temporary folder'
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# Quoted for the shell there.
quoted() {
	for word; do
		printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
	done
}

# The kernel unpacks one archive after another.
archive() {
	(cd "$1" && find "$2" | cpio -o -L -H newc -R 0:0 --quiet)
}

quoted "$@" >"$tmp/command"
ln -s "$(cd "$in" && pwd)" "$tmp/in"
{ cat "$guest/guest.cpio" && archive "$tmp" command && archive "$tmp" in/; } >"$tmp/initrd" ||
	die "cannot pack $in"
truncate -s 256M "$tmp/disk" || die "no room for a disk in $tmp"

timeout -k 5 "$limit" qemu-system-aarch64 -M virt -cpu neoverse-n1 -m 1024 \
	-accel tcg -icount shift=0,sleep=off \
	-nodefaults -no-user-config -display none -no-reboot \
	-kernel "$guest/vmlinuz" -initrd "$tmp/initrd" -append 'quiet panic=-1' \
	-serial "file:$tmp/console" \
	-drive "if=none,id=disk,format=raw,file=$tmp/disk" -device virtio-blk-device,drive=disk \
	</dev/null >"$tmp/qemu" 2>&1
ended=$?
if ! tar -xf "$tmp/disk" -C "$out" 2>/dev/null || [ ! -s "$out/.status" ]; then
	cat "$tmp/qemu" "$tmp/console" >&2
	case $ended in 124 | 137) echo "not finished after $limit s" >&2 && exit 124 ;; esac
	die 'the machine ended without a result'
fi
cat "$out/.stdout"
cat "$out/.stderr" >&2
exit "$(cat "$out/.status")"
