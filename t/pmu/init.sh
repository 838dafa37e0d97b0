#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
#
# The first process of the machine, see machine.sh.
export PATH=/in:/usr/bin:/usr/sbin HOME=/ LC_ALL=C TZ=UTC
/bin/busybox --install -s /usr/bin 2>/dev/null
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tracefs tracefs /sys/kernel/tracing
mount -t cgroup2 cgroup2 /sys/fs/cgroup
# Any change there gives the groups below their part of perf_event, see cgroups(7).
echo +pids >/sys/fs/cgroup/cgroup.subtree_control
chmod 1777 /tmp
hostname arm64
# Which of them needs which differs by kernel: what fails at first works the second time.
for module in /modules/*.ko /modules/*.ko; do insmod "$module" 2>/dev/null; done
# An emulated interrupt takes long, so that the kernel would throttle all sampling.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

cd /out || poweroff -f
sh /command >/out/.stdout 2>/out/.stderr </dev/null
echo $? >/out/.status
# The results travel as an archive that is the disk.
tar -cf /dev/vda -C /out .
sync
poweroff -f
