# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The source package, built in an empty Debian with only the packages that it names; the binary
# package installed in another, used, and purged.  RP_SUITES has the releases to try.
. "$RP_SRC/t/lib.sh"
need debootstrap dpkg-buildpackage dh unshare
[ "$(id -u)" -eq 0 ] || skip_all 'only root can make a root file system'
unset SOURCE_DATE_EPOCH MAKEFLAGS MFLAGS MAKELEVEL CFLAGS LDFLAGS DEB_BUILD_OPTIONS
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | head -n 1)
[ -n "$mirror" ] || skip_all 'apt names no mirror'

"$RP_SRC/configure" -q && DEB_BUILD=source make -s deb >source.log 2>&1 || test_bug 'make deb failed'

# in_root ROOT COMMAND…: with its own /proc, and mounts that end with the command.
in_root() {
	unshare --mount --pid --fork sh -c '
		root=$1 && shift && mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" &&
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive "$@"' in_root "$@" </dev/null
}

# files ROOT [TEST OF find…]: but for those of package managers, and caches (/tmp has that of the user).
files() {
	(cd "$1" && shift && find . -xdev \( -path ./proc -o -path ./dev -o -path ./pkg -o -path ./tmp \
		-o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg \
		-o -path ./var/lib/rpm -o -path ./etc/ld.so.cache \) -prune -o "$@" -print) | sort
}

for suite in ${RP_SUITES:-bookworm trixie}; do
	test_expect_success "$suite: an empty root" '
		debootstrap --variant=minbase $suite $suite "$mirror" && mkdir $suite/pkg &&
		in_root $PWD/$suite apt-get update -q && cp -a $suite $suite-build
	' || continue

	test_expect_success "$suite: the source package builds with the packages that it names" '
		cp packages/ringprof_*.xz packages/ringprof_*.dsc $suite-build/pkg/ &&
		in_root $PWD/$suite-build sh -c "
			cd /pkg && apt-get build-dep -q -y --no-install-recommends ./*.dsc &&
			chown nobody . && setpriv --reuid=65534 --regid=65534 --clear-groups sh -c \"
				dpkg-source -x ringprof_*.dsc tree && cd tree &&
				DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage --no-sign --build=binary\""
	'

	test_expect_success "$suite: installed, used, purged" '
		cp $suite-build/pkg/ringprof_*.deb $suite/pkg/ && files $suite >before.$suite &&
		in_root $PWD/$suite sh -c "
			apt-get install -q -y --no-install-recommends /pkg/ringprof_*.deb &&
			cd /tmp && collect -o /pkg/a.er sleep 0 && collect -o /pkg/b.er sh -c \"
				i=0; while [ \\\$i -lt 300000 ]; do i=\\\$((i + 1)); done\" &&
			er_print -functions /pkg/b.er" >out.$suite &&
		test_grep "<Total>" out.$suite && test_grep "evalloop\|evaltree\|dash" out.$suite &&
		in_root $PWD/$suite sh -c "
			apt-get purge -q -y ringprof && apt-get autoremove -q -y --purge" &&
		files $suite >after.$suite && test_cmp before.$suite after.$suite
	'

	# Some directories that it puts files in are of RPM's distributions; here nothing owns them.
	test_expect_success "$suite: the .rpm built there, installed and erased" '
		cp -R "$RP_SRC/packaging" $suite-build/pkg/ &&
		in_root $PWD/$suite-build sh -c "
			apt-get install -q -y --no-install-recommends rpm cpio && rpm --initdb" &&
		files $suite-build ! -type d >before.rpm &&
		in_root $PWD/$suite-build sh -c "
			cd /pkg/tree && ./configure -q && make -s rpm &&
			rpm --install --nodeps packages/*.rpm && collect -o /pkg/c.er sleep 0 &&
			er_print -header /pkg/c.er && rpm --erase ringprof" &&
		files $suite-build ! -type d >after.rpm && test_cmp before.rpm after.rpm
	'
	rm -rf "$suite" "$suite-build"
done

test_done
