/* SPDX-License-Identifier: Apache-2.0 */
#include "fake.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "records.h"

enum { FD_BASE = 100000, FD_COUNT = 4096, MAP_COUNT = 1024 };

struct fake fake;

/* The open descriptors; closing or unmapping any other counts as wrong. */
static bool is_open[FD_COUNT];
static struct {
	struct perf_event_attr attr;
	size_t members; /* of its group, with itself */
} files[FD_COUNT];
static struct {
	void *at;
	size_t len;
} mapped[MAP_COUNT];

void fake_boot(void)
{
	fake = (struct fake){ .offline_cpu = -1, .precise_max = 3 };
	memset(is_open, 0, sizeof(is_open));
	memset(mapped, 0, sizeof(mapped));
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       attr->config == PERF_COUNT_SW_CPU_CLOCK;
}

/* The upper half of a generic event's config is the kind of core. */
static bool elsewhere(const struct perf_event_attr *attr, int cpu)
{
	uint64_t kind = attr->type == PERF_TYPE_HARDWARE ? attr->config >> 32 : 0;
	uint64_t mask = kind == 1 || kind == 2 ? fake.cores[kind - 1] : 0;
	int bit = cpu < 62 ? cpu : 62; /* bit 63 is no CPU's */

	return mask && cpu >= 0 && !(mask >> bit & 1);
}

static int refusal(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	if (fake.any_error)
		return fake.any_error;
	if ((attr->build_id && fake.no_build_id) ||
	    ((attr->cgroup || attr->sample_type & PERF_SAMPLE_CGROUP) &&
	     fake.no_cgroup) ||
	    (attr->inherit_thread && fake.no_inherit_thread) ||
	    ((attr->read_format & PERF_FORMAT_LOST) && fake.no_lost) ||
	    ((attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) && fake.no_weights) ||
	    (attr->inherit && attr->sample_type & PERF_SAMPLE_READ &&
	     fake.no_inherit_read))
		return EINVAL;
	if (cpu >= 0 && cpu == fake.offline_cpu)
		return ENODEV;
	if (elsewhere(attr, cpu))
		return ENOENT;
	if (is_clock(attr) ? fake.clock_error : fake.counter_error)
		return is_clock(attr) ? fake.clock_error : fake.counter_error;
	if (attr->config == 1 && fake.one_error)
		return fake.one_error;
	if (pid > 0 && pid != 77 && fake.task_error)
		return fake.task_error;
	if (pid == -1 && fake.cpu_error)
		return fake.cpu_error;
	if (!attr->exclude_kernel && fake.kernel_error)
		return fake.kernel_error;
	if (attr->sample_period && attr->type >= PERF_TYPE_MAX && fake.counts_only)
		return EINVAL;
	if (attr->precise_ip > fake.precise_max ||
	    (attr->sample_type & PERF_SAMPLE_BRANCH_STACK && fake.no_branches))
		return EOPNOTSUPP;
	if (attr->sample_type & PERF_SAMPLE_DATA_SRC && fake.no_addresses)
		return EINVAL;
	return fake.open_max && (int)fake.open >= fake.open_max ? EMFILE : 0;
}

static bool known(int fd)
{
	bool yes = fd >= FD_BASE && fd < FD_BASE + FD_COUNT && is_open[fd - FD_BASE];

	fake.wrong += !yes;
	return yes;
}

/* A new event in the group of FD; false: it has no room. */
static bool join(int fd)
{
	size_t *members;

	if (fd == -1)
		return true;
	if (!known(fd))
		return false;
	members = &files[fd - FD_BASE].members;
	if (fake.group_max && *members >= fake.group_max)
		return false;
	++*members;
	fake.grouped++;
	fake.leader = files[fd - FD_BASE].attr;
	return true;
}

static int fake_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		     unsigned long flags)
{
	fake.wrong += !(flags & PERF_FLAG_FD_CLOEXEC);
	errno = refusal(attr, pid, cpu);
	if (!errno && !join(group_fd))
		errno = EINVAL;
	if (flags & PERF_FLAG_PID_CGROUP && fake.cgroup_error)
		errno = fake.cgroup_error;
	if (errno)
		return -1;
	for (int i = 0; i < FD_COUNT; i++) {
		if (is_open[i])
			continue;
		is_open[i] = true;
		files[i].attr = *attr;
		files[i].members = 1;
		fake.last = *attr;
		fake.last_pid = pid;
		fake.cpus |= cpu >= 0 && cpu < 64 ? UINT64_C(1) << cpu : 0;
		fake.opened++;
		fake.tellers += attr->task;
		fake.open++;
		return FD_BASE + i;
	}
	errno = EMFILE;
	return -1;
}

static int fake_close(int fd)
{
	if (!known(fd))
		return -1;
	is_open[fd - FD_BASE] = false;
	fake.open--;
	return 0;
}

/* Samples as the last event that was opened asked for them, in the last ring. */
static void write_samples(void)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1000, 0x2000 };
	static const uint64_t regs[64];
	const struct rec_sample sample = {
		.ip = 0x1000,
		.chain = chain,
		.chain_len = 3,
		.abi = PERF_SAMPLE_REGS_ABI_64,
		.regs = regs,
		.regs_len = (size_t)__builtin_popcountll(fake.last.sample_regs_user),
		.stack_room = 64,
		.stack_used = 32,
	};
	struct strbuf sb = { 0 };
	size_t last = MAP_COUNT;

	while (last-- > 0 && !mapped[last].at)
		;
	for (unsigned i = 0; last < MAP_COUNT && i < fake.samples; i++) {
		strbuf_clear(&sb);
		rec_sample(&sb, fake.last.sample_type, fake.sample_misc, &sample);
		fake_write(mapped[last].at,
			   mapped[last].len - (size_t)sysconf(_SC_PAGESIZE), sb.data,
			   sb.len);
	}
	strbuf_release(&sb);
}

static int take_interval(uint64_t interval)
{
	errno = fake.interval_error;
	if (errno)
		return -1;
	fake.varied++;
	fake.interval = interval;
	return 0;
}

static int fake_ioctl(int fd, unsigned long request, void *argument)
{
	if (!known(fd))
		return -1;
	errno = fake.ioctl_error;
	if (errno)
		return -1;
	if (request == PERF_EVENT_IOC_SET_OUTPUT)
		fake.redirected += known((int)(intptr_t)argument);
	else if (request == PERF_EVENT_IOC_ENABLE)
		fake.enabled++;
	else if (request == PERF_EVENT_IOC_DISABLE)
		fake.disabled++;
	else if (request == PERF_EVENT_IOC_ID)
		*(uint64_t *)argument = (uint64_t)fd;
	else if (request == PERF_EVENT_IOC_PERIOD)
		return take_interval(*(const uint64_t *)argument);
	else
		fake.wrong++;
	if (request == PERF_EVENT_IOC_ENABLE)
		write_samples();
	return 0;
}

static void *fake_mmap(size_t len, int fd)
{
	void *map;

	if (!known(fd))
		return MAP_FAILED;
	if (fake.ring_max && len > fake.ring_max) {
		errno = EPERM;
		return MAP_FAILED;
	}
	map = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; map != MAP_FAILED && i < MAP_COUNT; i++) {
		if (mapped[i].at)
			continue;
		mapped[i].at = map;
		mapped[i].len = len;
		fake.maps++;
		break;
	}
	return map;
}

static int fake_munmap(void *at, size_t len)
{
	for (size_t i = 0; i < MAP_COUNT; i++) {
		if (mapped[i].at != at || mapped[i].len != len)
			continue;
		mapped[i].at = NULL;
		fake.maps--;
		return munmap(at, len);
	}
	fake.wrong++;
	return -1;
}

/* Of a group each member has the same. */
static size_t read_group(uint64_t *word, size_t members, bool lost)
{
	size_t n = 0;

	word[n++] = members;
	word[n++] = fake.counts[1];
	word[n++] = fake.counts[2];
	for (size_t i = 0; i < members; i++) {
		word[n++] = fake.counts[0];
		word[n++] = fake.counts[3];
		if (lost)
			word[n++] = fake.counts[4];
	}
	return n;
}

static ssize_t fake_read(int fd, void *buf, size_t len)
{
	uint64_t word[256];
	const struct perf_event_attr *attr;
	bool lost;
	size_t words;

	if (!known(fd))
		return -1;
	attr = &files[fd - FD_BASE].attr;
	if (attr->pinned && fake.pinned_held)
		return 0;
	lost = attr->read_format & PERF_FORMAT_LOST;
	memcpy(word, fake.counts, sizeof(fake.counts));
	words = lost ? 5 : attr->read_format & PERF_FORMAT_ID ? 4 : 3;
	if (attr->read_format & PERF_FORMAT_GROUP)
		words = read_group(word, files[fd - FD_BASE].members, lost);
	if (len < words * sizeof(word[0])) {
		errno = ENOSPC;
		return -1;
	}
	memcpy(buf, word, words * sizeof(word[0]));
	return (ssize_t)(words * sizeof(word[0]));
}

static uint64_t fake_now(void)
{
	return fake.now;
}

static long fake_sysconf(int name)
{
	bool of_cpus = name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN;

	return of_cpus && fake.cpus_here ? fake.cpus_here : sysconf(name);
}

const struct sys fake_sys = {
	.perf_event_open = fake_open,
	.ioctl = fake_ioctl,
	.mmap = fake_mmap,
	.munmap = fake_munmap,
	.read = fake_read,
	.close = fake_close,
	.now = fake_now,
	.sysconf = fake_sysconf,
	.root = "/nonexistent",
};

void fake_write(struct perf_event_mmap_page *page, size_t size, const void *record,
		size_t len)
{
	unsigned char *data = (unsigned char *)page + sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < len; i++)
		data[(page->data_head + i) & (size - 1)] = ((
			const unsigned char *)record)[i];
	__atomic_store_n(&page->data_head, page->data_head + len, __ATOMIC_RELEASE);
}
