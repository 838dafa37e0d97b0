# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# bootstrap on an empty machine: a PATH with a few tools, and package managers that only
# log their arguments.
. "$RP_SRC/t/lib.sh"

mkdir tree
cp "$RP_SRC/bootstrap" tree/

# machine PROGRAM…: a PATH in ./bin with the shell's tools and these, faked.
machine() {
	rm -rf bin calls && mkdir bin && : >calls || return
	for tool in cat dirname env getconf grep ls mkdir mktemp rm sh sort tr; do
		ln -s "$(command -v $tool)" bin/ || return
	done
	for tool in id "$@"; do
		printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' "$tool" "$PWD" >"bin/$tool"
		chmod +x "bin/$tool"
	done
	is_user 0
}

is_user() {
	printf '#!/bin/sh\necho %s\n' "$1" >bin/id
}

# On this machine.
bootstrap() {
	(unset CC && PATH=$PWD/bin sh tree/bootstrap "$@") >out 2>err
}

test_expect_success 'it shows its usage' '
	machine &&
	bootstrap --help && test_grep "^usage: ./bootstrap" out &&
	test_expect_code 2 bootstrap rubbish && test_grep "^usage: ./bootstrap" err
'

test_expect_success 'Debian: it installs missing packages with apt-get' '
	machine apt-get &&
	test_expect_code 1 bootstrap &&
	grep "^apt-get install" calls | tail -n 1 >call &&
	for package in autoconf automake gcc libc6-dev libcapstone-dev libdw-dev libedit-dev libelf-dev \
		libiberty-dev libjson-c-dev liblzma-dev libpfm4-dev libzstd-dev make pkg-config zlib1g-dev; do
		test_grep " $package\b" call || return 1
	done
'

test_expect_success '… and stops if they are still missing' '
	test_grep "installed, yet still not found: autoconf automake" err &&
	test ! -e tree/build
'

test_expect_success 'Fedora: the same, with dnf and its names' '
	machine dnf &&
	test_expect_code 1 bootstrap &&
	for package in binutils-devel capstone-devel elfutils-devel elfutils-libelf-devel glibc-devel \
		json-c-devel libedit-devel libpfm-devel libzstd-devel pkgconf-pkg-config xz-devel zlib-devel; do
		test_grep "^dnf install.* $package\b" calls || return 1
	done
'

test_expect_success 'packages: what makes a .deb or an .rpm, only when asked for' '
	machine apt-get && test_expect_code 1 bootstrap &&
	test_no_grep "debhelper\|build-essential" calls &&
	machine apt-get && test_expect_code 1 bootstrap packages &&
	test_grep "apt-get install.* build-essential .*debhelper .*libpfm4-dev" calls &&
	test_no_grep " rpm" calls &&
	machine dnf && test_expect_code 1 bootstrap packages &&
	test_grep "dnf install.* libpfm-devel .*rpm-build" calls &&
	test_no_grep debhelper calls
'

test_expect_success 'it uses sudo for an ordinary user' '
	machine apt-get sudo && is_user 1000 &&
	test_expect_code 1 bootstrap &&
	test_grep "^sudo env DEBIAN_FRONTEND=noninteractive apt-get install" calls &&
	test_no_grep "^apt-get" calls
'

test_expect_success '… and without sudo it names the command' '
	machine apt-get && is_user 1000 &&
	test_expect_code 1 bootstrap &&
	test_grep "no sudo here; as root run: .*apt-get install.* libpfm4-dev" err &&
	test_grep "Install them by hand" err
'

test_expect_success 'a package manager that fails: its output, and the packages by name' '
	machine && printf "#!/bin/sh\necho no network; exit 100\n" >bin/apt-get &&
	chmod +x bin/apt-get &&
	test_expect_code 1 bootstrap &&
	test_grep "^no network" err &&
	test_grep "could not install .*libpfm4-dev .*Install them by hand" err
'

test_expect_success 'an unknown package manager: the packages by name' '
	machine &&
	test_expect_code 1 bootstrap &&
	test_grep "neither apt-get nor dnf" err &&
	test_grep "could not install .*libpfm4-dev" err
'

test_done
