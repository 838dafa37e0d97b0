# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# For the t0 scripts: the files of the source tree.  A checkout also holds build
# directories and autoreconf's output, so this lists directories, not everything.

rp_rooms='include lib events collector analyzer'

# rp_sources NAME PATTERN…: relative to $RP_SRC, sorted.
rp_sources() {
	rp_names=
	for rp_pattern; do
		rp_names="$rp_names ${rp_names:+-o} -name $rp_pattern"
	done
	(
		cd "$RP_SRC" || exit 99
		set -f
		# shellcheck disable=SC2086
		set -- $rp_names
		set +f
		for rp_dir in $rp_rooms t examples man m4 doc packaging .ci; do
			[ ! -d "$rp_dir" ] || find "$rp_dir" -type f \( "$@" \)
		done
		find . -maxdepth 1 -type f \( "$@" \) ! -name '*.in' ! -name 'config.*' \
			! -name configure ! -name '*~' ! -name aclocal.m4 ! -name .git | sed 's|^\./||'
	) | sort
}
