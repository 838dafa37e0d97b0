# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Programs and libraries that change while collect or er_print reads them, at times and in
# ways that are drawn: RP_CHANGES is how many, from the number RP_FIRST on.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc python3

RP_MOUNTS=
if mkdir mounted && mount -t tmpfs none mounted 2>/dev/null; then
	umount mounted && RP_MOUNTS=yes
fi
export RP_MOUNTS

test_expect_success "no crash, no name of another file, ${RP_CHANGES:-12} times" '
	"$RP_SRC/t/changing" "${RP_FIRST:-0}" "${RP_CHANGES:-12}"
'

# A library without a build-id, while it runs.
test_expect_success 'what is written over in its place does not come into the archive' '
	RP_MOUNTS= "$RP_SRC/t/changing" 60 1 >drawn && test_grep "written over, running" drawn
'

test_done
