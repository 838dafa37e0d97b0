# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The packages of make deb and make rpm have what make install installs.  They are made of the
# programs just built; `make check-packages` builds them as users do.
. "$RP_SRC/t/lib.sh"

# make_here TARGET [VARIABLE=VALUE…]: with the build tree's programs, in this folder.
make_here() {
	(unset MAKEFLAGS MFLAGS MAKELEVEL SOURCE_DATE_EPOCH DEB_BUILD_OPTIONS
	RP_PREBUILT=yes make -s -C "$RP_BUILD" "$@" PACKAGES="$PWD/packages" \
		PACKAGER='Ann & Bob <ann@example.com>') >"$1.log" 2>&1 || {
		tail -n 40 "$1.log"
		return 1
	}
}

set_tools DEB dpkg-buildpackage dh dpkg-deb
set_tools RPM rpmbuild rpm
version=$(collect -V | sed -n '1s/.* //p')

(unset MAKEFLAGS MFLAGS MAKELEVEL && make -s -C "$RP_BUILD" install prefix=/usr DESTDIR="$PWD/root") \
	>install.log 2>&1 || test_bug 'make install failed'
(cd root && find . -type f | sed 's|^\.||') | sort >installed
mkdir packages

# as_installed: the files listed on stdin, less those that only a package has, and manual pages
# by their names before compression.
as_installed() {
	sed 's|\(/man/man./.*\)\.gz$|\1|' | grep -vE '^/usr/(share/(doc|licenses)/|lib/debug/|lib/\.build-id)' | sort
}

# has_documents: the files listed on stdin have these.
has_documents() {
	sed 's|^/usr/share/doc/ringprof[^/]*/||' >documents &&
		for file in README.md SECURITY.md doc/BENCHMARKS.md doc/DECISIONS.md; do
			test_grep "^$file$" documents || return 1
		done
}

test_expect_success DEB 'make deb: what make install installs, and the documents' '
	make_here deb &&
	dpkg-deb --fsys-tarfile packages/ringprof_*.deb | tar -t | sed -n "s|^\.\(.*[^/]\)$|\1|p" >deb.files &&
	as_installed <deb.files >got && test_cmp installed got &&
	has_documents <deb.files &&
	test_grep "^/usr/share/doc/ringprof/copyright$" deb.files &&
	test_grep "^/usr/share/doc/ringprof/changelog.gz$" deb.files
'

test_expect_success DEB "… with configure's version, and the maintainer whom the publisher names" '
	dpkg-deb -f packages/ringprof_*.deb Package Version Maintainer >got &&
	cat >want <<-END &&
	Package: ringprof
	Version: $version-1
	Maintainer: Ann & Bob <ann@example.com>
	END
	test_cmp want got
'

test_expect_success DEB '… it depends on the libraries of the programs' '
	dpkg-deb -f packages/ringprof_*.deb Depends >depends &&
	for library in libc6 libdw1 libelf1 libpfm4 libzstd1; do
		test_grep "\b$library\b" depends || return 1
	done
'

test_expect_success DEB '… and its programs run' '
	dpkg-deb -x packages/ringprof_*.deb deb.root &&
	for program in collect er_print; do
		deb.root/usr/bin/$program -V >out && test_grep "^$program (ringprof) $version$" out || return 1
	done
'

# rpm_query FORMAT
rpm_query() {
	rpm --dbpath "$PWD/db" -qp --qf "$1" packages/ringprof-*.rpm
}

test_expect_success RPM 'make rpm: what make install installs, and the documents' '
	make_here rpm &&
	rpm_query "[%{FILEMODES:perms} %{FILENAMES}\n]" | sed -n "s/^-[^ ]* //p" >rpm.files &&
	as_installed <rpm.files | sed "s|^/usr/lib64/|/usr/lib/|" >got && test_cmp installed got &&
	has_documents <rpm.files
'

test_expect_success RPM "… with configure's version, and the packager whom the publisher names" '
	rpm_query "%{NAME} %{VERSION}-%{RELEASE} %{PACKAGER}\n[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]" | sort -u >got &&
	printf "%s\n" "ringprof $version-1 Ann & Bob <ann@example.com>" root:root | sort >want &&
	test_cmp want got
'

test_expect_success 'nothing is written into the source tree' '
	test ! -e "$RP_SRC/debian" && test ! -e "$RP_SRC/packaging/debian/control"
'

test_done
