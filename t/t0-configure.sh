# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# configure names the packages of every library that is missing, and stops.
. "$RP_SRC/t/lib.sh"

[ -x "$RP_SRC/configure" ] || skip_all 'no configure in the source tree'

# Without pkg-config's files and with a compiler that finds neither libpfm4 nor libiberty.
cat >cc <<'END'
#!/bin/sh
for arg; do
	case $arg in *.c) ! grep -q 'perfmon\|rust_demangle' "$arg" || exit 1 ;; esac
done
exec gcc "$@"
END
chmod +x cc

test_expect_success 'configure stops if libraries are missing' '
	! PKG_CONFIG_LIBDIR=/nonexistent "$RP_SRC/configure" -q CC="$PWD/cc" 2>said
'

while read -r library debian fedora; do
	test_expect_success "$library: names $debian and $fedora" '
		test_grep "^  $library: apt-get install $debian " said &&
		test_grep "^  $library: dnf install $fedora " said
	'
done <<'END'
libelf libelf-dev elfutils-libelf-devel
libdw libdw-dev elfutils-devel
json-c libjson-c-dev json-c-devel
libzstd libzstd-dev libzstd-devel
zlib zlib1g-dev zlib-devel
liblzma liblzma-dev xz-devel
capstone libcapstone-dev capstone-devel
libedit libedit-dev libedit-devel
libpfm4 libpfm4-dev libpfm-devel
libiberty libiberty-dev binutils-devel
END

test_expect_success 'it offers bootstrap, and leaves no Makefile' '
	test_grep "bootstrap" said &&
	test ! -e Makefile
'

test_done
