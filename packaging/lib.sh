# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# For the scripts of packaging/.  They need, from make:
#
#	RP_SRC, RP_BUILD   the source tree and the configured build tree
#	PACKAGER           NAME <ADDRESS> of whoever publishes the packages
#
# Clears the caller's settings that could affect a package.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
LC_ALL=C.UTF-8 TZ=UTC
export LC_ALL TZ
umask 022

say() { printf 'packaging: %s\n' "$*" >&2; }
die() {
	say "error: $*"
	exit 1
}

[ -d "${RP_SRC:-}" ] && [ -e "${RP_BUILD:-}/config.status" ] || die 'run it through make'

# need PROGRAM PACKAGE: says what is missing.
need() {
	command -v "$1" >/dev/null || die "$1 is not installed (package $2); ./bootstrap packages installs it"
}

# The seconds that the packages are dated with: the caller's choice, or those of the last
# commit.  A release has no commits, but its files are of that time.
source_date() {
	if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
		echo "$SOURCE_DATE_EPOCH"
	elif [ "$(git -C "$RP_SRC" rev-parse --show-cdup 2>/dev/null || echo none)" = '' ]; then
		git -C "$RP_SRC" log -1 --format=%ct
	else
		stat -c %Y "$RP_SRC/CHANGELOG.md"
	fi
}

# The value of a variable that configure substituted.
configured() {
	printf '@%s@' "$1" | (cd "$RP_BUILD" && ./config.status -q --file=-)
}

SOURCE_DATE_EPOCH=$(source_date)
export SOURCE_DATE_EPOCH
version=$(configured PACKAGE_VERSION)
release=ringprof-$version

# release_tree DIRECTORY: the files of a release, in DIRECTORY/$release.  dpkg changes the times of
# newer files alone; a checkout can have older ones.
release_tree() {
	rm -rf "${1:?}/$release"
	mkdir -p "$1"
	make -s -C "$RP_BUILD" distdir distdir="$1/$release" >"$1/distdir.log" 2>&1 || {
		cat "$1/distdir.log" >&2
		die 'make distdir failed'
	}
	find "$1/$release" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# release_archive DIRECTORY FILE.tar.xz [LEVEL]: of DIRECTORY/$release, equal wherever it is made.
release_archive() {
	tar -C "$1" --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" \
		--owner=0 --group=0 --numeric-owner --mode=u+rw,go+r-w,a-s+X \
		-cf - "$release" | xz -T1 "-${3:-6}" >"$2"
}

# fill FILE.in FILE: @NAME@ becomes what configure, the publisher and the calendar say.
fill() {
	packager=$(printf '%s\n' "$PACKAGER" | sed 's/[\\&|]/\\&/g')
	sed -e "s|@VERSION@|$version|g" -e "s|@PACKAGER@|$packager|g" \
		-e "s|@DATE@|$(date -u -R -d "@$SOURCE_DATE_EPOCH")|g" \
		-e "s|@DAY@|$(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y')|g" "$1" >"$2"
}

# logged NAME COMMAND…: its output is shown only if it fails.
logged() {
	log=$1.log
	shift
	"$@" >"$log" 2>&1 || {
		tail -n 60 "$log" >&2
		die "$1 failed; all of its output: $log"
	}
}
