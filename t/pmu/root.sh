#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints a folder with Debian for arm64, made on first use:
#
#	root/       libraries and headers to link programs with, and what the machine needs
#	vmlinuz     a kernel that drives the PMU
#	guest.cpio  the machine's file system
#
# apt fetches the packages from the host's own sources into a state of its own below
# $RP_PMU_CACHE (default: .pmu-vm in the source tree), so that neither the host's packages
# nor its list of architectures change, and nobody has to be root.  If that is impossible,
# the last line on stderr says why, and the status is 1.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
cache=${RP_PMU_CACHE:-$here/../../.pmu-vm}

for_linking='libc6-dev libcapstone-dev libdw-dev libedit-dev libelf-dev libiberty-dev libjson-c-dev
	liblzma-dev libpfm4-dev libzstd-dev zlib1g-dev'
for_running='busybox-static linux-perf'
modules='virtio_ring virtio virtio_mmio virtio_blk'
# perf is linked with Perl and Python: their libraries are enough.  Packages that set
# themselves up with dpkg are never set up.
needless='perl|perl-base|perl-modules-.*|python3.*|libpython3.*-(stdlib|minimal)|dpkg|tar'
needless="$needless|install-info|media-types|readline-common|ncurses-bin|libc-dev-bin"

die() {
	printf '%s\n' "$*" >&2
	exit 1
}

for tool in apt-get apt-cache cpio dpkg-deb flock sha256sum tar; do
	command -v $tool >/dev/null || die "$tool is not installed"
done
mkdir -p "$cache" && cache=$(cd "$cache" && pwd) || die "no folder $cache"
key=$(cat "$here/root.sh" "$here/init.sh" | sha256sum | cut -c 1-16)
done=$cache/$key work=$cache/$key.part apt=$cache/apt

# A state without a package, on which every dependency is missing.
apt_state() {
	rm -rf "$apt/packages"
	mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/packages" &&
		: >"$apt/status" || return
	cat >"$apt/apt.conf" <<-END
		APT::Architecture "arm64";
		APT::Architectures { "arm64"; };
		APT::Install-Recommends "false";
		APT::Sandbox::User "";
		Acquire::Retries "3";
		Debug::NoLocking "true";
		Dir::Cache "$apt";
		Dir::State "$apt";
		Dir::State::status "$apt/status";
	END
	export APT_CONFIG="$apt/apt.conf"
}

# The newest kernel for machines without real devices: it is small.
kernel_package() {
	apt-cache depends linux-image-cloud-arm64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1
}

# shellcheck disable=SC2086
fetch() {
	apt_state || die "cannot write to $apt"
	# One source that knows no arm64 does not matter where another does.
	apt-get update -qq >"$apt/log" 2>&1
	kernel=$(kernel_package)
	[ -n "$kernel" ] || die "the package sources have no kernel for arm64"
	names=$(apt-get install -s $for_linking $for_running 2>>"$apt/log" |
		awk '$1 == "Inst" { print $2 }' | grep -vxE "$needless")
	[ -n "$names" ] || die "the package sources lack libraries for arm64: $apt/log"
	(cd "$apt/packages" && apt-get download -qq $kernel $names) >>"$apt/log" 2>&1 ||
		die "apt-get could not fetch arm64 packages: $(tail -n 1 "$apt/log")"
}

# unpack PACKAGE FILE, FOLDER: with /lib being /usr/lib, as Debian's own set-up has it.
unpack() {
	dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"
}

make_root() {
	root=$work/root
	mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$work/kernel/usr/lib" &&
		ln -s usr/bin usr/sbin usr/lib "$root" && ln -s usr/lib "$work/kernel" || return
	for package in "$apt"/packages/*.deb; do
		case ${package##*/} in
		linux-image-*) unpack "$package" "$work/kernel" ;;
		*) unpack "$package" "$root" ;;
		esac || return
	done
	# The linker reads them here, where an absolute link leads out of the folder.
	find "$root" -lname '/*' -printf '%p %l\n' | while read -r link target; do
		ln -sfnr "$root$target" "$link"
	done
}

make_kernel() {
	mv "$work"/kernel/boot/vmlinuz-* "$work/vmlinuz" && mkdir "$work/root/modules" || return
	for name in $modules; do
		module=$work/root/modules/$name.ko
		# None where it is built in.
		file=$(find "$work/kernel/usr/lib" -name "$name.ko*")
		case $file in
		*.ko) cp "$file" "$module" ;;
		*.xz) xz -dc "$file" >"$module" ;;
		*.zst) zstd -qdc "$file" >"$module" ;;
		esac || return
	done
	rm -rf "$work/kernel"
}

# What only a compiler or a person reads stays out of the machine's memory.
make_guest() {
	cd "$work/root" && mkdir -p dev etc in out proc sys tmp || return
	cp "$here/init.sh" init && chmod 755 init || return
	printf 'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >etc/passwd
	printf 'root:x:0:\nnogroup:x:65534:\n' >etc/group
	find . \( -path ./usr/include -o -path './usr/share/*' -o -name gconv \) -prune -o \
		! -name '*.a' ! -name '*.o' -print | LC_ALL=C sort |
		cpio -o -H newc -R 0:0 --quiet >"$work/guest.cpio"
}

exec 9>"$cache/lock" && flock 9 || die "cannot write to $cache"
if [ ! -e "$done/guest.cpio" ]; then
	rm -rf "$work"
	fetch
	make_root && make_kernel && (make_guest) && mv "$work" "$done" ||
		die "cannot unpack the arm64 packages into $work"
	rm -rf "$apt/packages"
fi
echo "$done"
