#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-rpm.sh DIRECTORY: a binary package for RPM's distributions, in DIRECTORY.
# With RP_PREBUILT=yes the programs are those of the build tree.
# shellcheck source=packaging/lib.sh
. "${0%/*}/lib.sh"
need rpmbuild 'rpm-build, on Debian rpm'

mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$out/rpm
rm -rf "$work"
release_tree "$work"
release_archive "$work" "$work/$release.tar.xz" ${RP_PREBUILT:+0}
rm -rf "${work:?}/$release"
fill "$RP_SRC/packaging/ringprof.spec.in" "$work/ringprof.spec"

set -- --define "_topdir $work" --define "_sourcedir $work" --define "_rpmdir $work/RPMS" \
	--define "_tmppath $work" --define "_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm" \
	--define "packager $PACKAGER" --define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' \
	--define 'clamp_mtime_to_source_date_epoch 1'
[ -z "${RP_PREBUILT:-}" ] || set -- "$@" --define "prebuilt $RP_BUILD"
# Where programs come in other packages, RPM's own list knows none of them.
rpm -q rpm >/dev/null 2>&1 || set -- "$@" --nodeps --define "_dbpath $work/db"

say "building a package of $release (output: $work/build.log)"
logged "$work/build" rpmbuild -bb "$@" "$work/ringprof.spec"
rm -rf "$work/BUILD" "$work/BUILDROOT"
for file in "$work"/RPMS/*.rpm; do
	mv -f "$file" "$out"
	echo "$out/${file##*/}"
done
