/* SPDX-License-Identifier: Apache-2.0 */
/* Which control group a word of --cgroup means, in a simulated hierarchy. */
#include "target/group_find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"

#define DOCKER "3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708"
#define PODMAN "a0b1c2d3e4f5a0b1c2d3e4f5a0b1c2d3e4f5a0b1c2d3e4f5a0b1c2d3e4f5a0b1"
#define CRI    "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"
#define CRIO   "d00d1234d00d1234d00d1234d00d1234d00d1234d00d1234d00d1234d00d1234"
#define PLAIN  "3f2a999999999999999999999999999999999999999999999999999999999999"
#define POD    "6d1f0a9e-1111-2222-3333-444455556666"
#define POD_   "6d1f0a9e_1111_2222_3333_444455556666"

static const char *const groups[] = {
	"/system.slice",
	"/system.slice/nginx.service",
	"/system.slice/system-getty.slice",
	"/system.slice/system-getty.slice/getty@tty1.service",
	"/system.slice/my\\x2dunit.service",
	"/system.slice/_cpu.load.service",
	"/system.slice/docker.service",
	"/system.slice/docker-" DOCKER ".scope",
	"/system.slice/docker-" DOCKER ".scope/system.slice",
	"/system.slice/docker-" DOCKER ".scope/system.slice/ssh.service",
	"/system.slice/ssh.service",
	"/machine.slice",
	"/machine.slice/machine-qemu\\x2d1\\x2ddebian.scope",
	"/machine.slice/systemd-nspawn@box.service",
	"/machine.slice/libpod-" PODMAN ".scope",
	"/machine.slice/libpod-" PODMAN ".scope/container",
	"/machine.slice/libpod-conmon-" PODMAN ".scope",
	"/kubepods.slice",
	"/kubepods.slice/kubepods-pod" POD_ ".slice",
	"/kubepods.slice/kubepods-pod" POD_ ".slice/cri-containerd-" CRI ".scope",
	"/kubepods.slice/kubepods-pod" POD_ ".slice/crio-" CRIO ".scope",
	"/docker",
	("/docker/" PLAIN),
	"/lxc.payload.web",
	"/lxc.monitor.web",
	"/nginx.exporter",
};

static const struct {
	const char *what, *word;
	int error;
	const char *want; /* a path, or part of the sentence */
} words[] = {
	{ "a path", "/system.slice/nginx.service", 0, "/system.slice/nginx.service" },
	{ "a path without /", "system.slice/nginx.service", 0,
	  "/system.slice/nginx.service" },
	{ "a path with too many", "//system.slice/./nginx.service/", 0,
	  "/system.slice/nginx.service" },
	{ "a unit", "nginx.service", 0, "/system.slice/nginx.service" },
	{ "a unit without its kind", "nginx", 0, "/system.slice/nginx.service" },
	{ "a template", "getty@tty1", 0,
	  "/system.slice/system-getty.slice/getty@tty1.service" },
	{ "a unit with its escapes", "my\\x2dunit.service", 0,
	  "/system.slice/my\\x2dunit.service" },
	{ "and without", "my-unit", 0, "/system.slice/my\\x2dunit.service" },
	{ "a name that a file could have", "cpu.load.service", 0,
	  "/system.slice/_cpu.load.service" },
	{ "the name itself first", "docker", 0, "/docker" },
	{ "a container of docker", DOCKER, 0, "/system.slice/docker-" DOCKER ".scope" },
	{ "its beginning", "3f2a1b", 0, "/system.slice/docker-" DOCKER ".scope" },
	{ "one that two have", "3f2a", -ENOTUNIQ,
	  "2 groups have that name, say which: /docker/" PLAIN
	  ", /system.slice/docker-" },
	{ "too short", "3f2", -ENOENT, "no control group" },
	{ "its end", "8091a2b3c4d5e6f708", -ENOENT, "no control group" },
	{ "not hexadecimal", "xyz3f2a", -ENOENT, "no control group" },
	{ "of podman, not its monitor", "a0b1c2d3e4f5", 0,
	  "/machine.slice/libpod-" PODMAN ".scope" },
	{ "of containerd, as kubectl says it", "containerd://" CRI, 0,
	  "/kubepods.slice/kubepods-pod" POD_ ".slice/cri-containerd-" CRI ".scope" },
	{ "of CRI-O", "d00d1234", 0,
	  "/kubepods.slice/kubepods-pod" POD_ ".slice/crio-" CRIO ".scope" },
	{ "a pod", POD, 0, "/kubepods.slice/kubepods-pod" POD_ ".slice" },
	{ "a machine of libvirt", "qemu-1-debian", 0,
	  "/machine.slice/machine-qemu\\x2d1\\x2ddebian.scope" },
	{ "of nspawn", "box", 0, "/machine.slice/systemd-nspawn@box.service" },
	{ "of LXC, not its monitor", "web", 0, "/lxc.payload.web" },
	{ "a unit of the machine and of a container", "ssh", -ENOTUNIQ,
	  "/system.slice/ssh.service" },
	{ "a mistyped one", "ngnix", -ENOENT, "did you mean nginx?" },
	{ "a mistyped path", "/system.slice/ngnix.service", -ENOENT,
	  "did you mean /system.slice/nginx.service" },
	{ "the whole machine", "/", -EINVAL, "say -a" },
	{ "the whole machine by detours", "/./", -EINVAL, "say -a" },
	{ "a way up", "/system.slice/..", -EINVAL, "no .." },
	{ "a way up and down", "system.slice/../system.slice/nginx.service", -EINVAL,
	  "no .." },
	{ "nothing", "", -ENOENT, "no control group" },
	{ "a file", "/system.slice/cgroup.events", -ENOENT, "no control group" },
	{ "our own", "self", 0, "/system.slice/nginx.service" },
};

static void make(const char *root)
{
	char *mounts = xasprintf("none %s/cg tmpfs rw 0 0\n"
				 "none %s/cg/cpu cgroup rw,cpu 0 0\n"
				 "none %s/cg/unified cgroup2 rw 0 0\n",
				 root, root, root);

	scratch_text(root, "proc/self/mounts", mounts);
	scratch_text(root, "proc/self/cgroup",
		     "1:cpu:/elsewhere\n0::/system.slice/nginx.service\n");
	scratch_text(root, "cg/cpu/batch/tasks", "");
	scratch_text(root, "cg/unified/cgroup.procs", "");
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		char *events = xasprintf("cg/unified%s/cgroup.events", groups[i]);

		scratch_text(root, events, "populated 0\n");
		free(events);
	}
	free(mounts);
}

static void find(const char *root, const char *word, int error, const char *want,
		 const char *what)
{
	struct group_place place;
	struct strbuf err = { 0 };
	int got = group_find(root, word, &place, &err);

	is_i64(got, error, "%s", what);
	if (error)
		ok(strstr(strbuf_str(&err), want) != NULL, "%s: %s", what,
		   strbuf_str(&err));
	else
		is_str(place.path, want, "%s", what);
	group_place_release(&place);
	strbuf_release(&err);
}

static void test_places(const char *root)
{
	char *whole = xasprintf("%s/cg/unified/system.slice/nginx.service", root);
	char *other = xasprintf("%s/cg/cpu/batch", root);
	struct group_place place;
	struct strbuf err = { 0 };

	find(root, whole, 0, "/system.slice/nginx.service", "a directory");
	find(root, other, -ENOTSUP, "version 1", "a directory of version 1");
	ok(!group_find(root, "nginx", &place, &err), "a place");
	is_str(place.directory, whole, "its directory");
	group_place_release(&place);
	scratch_text(root, "proc/self/cgroup", "0::/../other\n");
	find(root, "self", -EINVAL, "no ..", "our own, outside of what is visible");
	scratch_text(root, "proc/self/mounts", "none /sys/fs/cgroup/cpu cgroup rw 0 0\n");
	find(root, "nginx", -ENOTSUP, "version 1", "only version 1");
	strbuf_release(&err);
	free(whole);
	free(other);
}

int main(void)
{
	char *root = scratch_make();

	make(root);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		find(root, words[i].word, words[i].error, words[i].want, words[i].what);
	test_places(root);
	scratch_remove(root);
	return done_testing();
}
