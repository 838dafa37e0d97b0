# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# make deb and make rpm, twice: the packages are equal byte by byte, and lint finds nothing.
. "$RP_SRC/t/lib.sh"
need dpkg-buildpackage dh rpmbuild
unset SOURCE_DATE_EPOCH MAKEFLAGS MFLAGS MAKELEVEL CFLAGS LDFLAGS DEB_BUILD_OPTIONS
mkdir a

# The first build: beside the source tree.
test_expect_success 'make deb and make rpm' '
	cd a && "$RP_SRC/configure" -q && make -s deb && make -s rpm
'

# The second differs in everything that should not matter: it has the released files and builds
# among them, in another place, as another user, with another umask, language and clock.
other=$(mktemp -d "${TMPDIR:-/tmp}/ringprof-elsewhere-XXXXXX") || test_bug 'no other folder'
trap 'rm -rf "$other"' EXIT
chmod 755 "$other"
if [ "$(id -u)" -eq 0 ]; then
	chown 65534:65534 "$other"
	second=as_nobody
else
	second='env'
fi
cat >"$other/build" <<'END'
umask 077
HOME=$PWD TZ=Asia/Kolkata LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8
export HOME TZ LANG LC_ALL
tar -xf release.tar.xz && cd ringprof-* && ./configure -q && make -s deb && make -s rpm
END
test_expect_success '… by another user, from the release' '
	cp a/packages/ringprof_*.orig.tar.xz "$other/release.tar.xz" &&
	(cd "$other" && $second sh ./build)
'

for kind in deb dsc orig.tar.xz debian.tar.xz rpm; do
	test_expect_success "… and they are equal: .$kind" '
		ls a/packages/ringprof*.$kind &&
		for file in a/packages/ringprof*.$kind; do
			cmp "$file" "$other"/ringprof-*/packages/"${file##*/}" || return 1
		done
	'
done

for tool in lintian rpmlint; do
	name=$(echo $tool | tr '[:lower:]' '[:upper:]')
	if command -v $tool >/dev/null; then
		test_set_prereq "$name"
	else
		test_set_prereq "$name" "$tool is not installed"
	fi
done

test_expect_success LINTIAN 'lintian has nothing to say' '
	lintian --allow-root --fail-on error,warning \
		--suppress-tags-from-file "$RP_SRC/packaging/lintian.tags" a/packages/*.changes >got 2>&1 &&
	: >want && test_cmp want got
'

test_expect_success RPMLINT 'rpmlint has nothing to say' '
	rpmlint -c "$RP_SRC/packaging/rpmlint.toml" a/packages/*.rpm a/packages/rpm/*.spec >got 2>&1
	grep -E "(^|:| )[EW]: " got >complaints
	: >want && test_cmp want complaints && test_grep " 0 errors, 0 warnings" got
'

test_done
