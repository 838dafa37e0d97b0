/* SPDX-License-Identifier: Apache-2.0 */
#include "check/trial.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sample/record.h"
#include "sample/ring.h"

enum {
	RING_SIZE = 64 << 10,
	SAMPLES_ENOUGH = 16,
	ROUNDS = 100000, /* of one system call: some 10 ms if no sample comes */
	LOOK_EACH = 64,  /* rounds between two looks into the ring */
};

static void take_sample(const struct record *r, struct trial *out)
{
	const struct record_sample *s = &r->sample;
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	out->samples++;
	out->kernel += mode == PERF_RECORD_MISC_KERNEL;
	out->user += mode == PERF_RECORD_MISC_USER;
	out->regs += s->regs != NULL;
	if (s->chain_len > out->chain_len)
		out->chain_len = s->chain_len;
	if (s->stack_len > out->stack_len)
		out->stack_len = s->stack_len;
	if (s->branches.len > out->branches)
		out->branches = s->branches.len;
}

static void read_ring(struct ring *ring, const struct record_format *format,
		      struct trial *out)
{
	const void *bytes;
	size_t len;

	ring_look(ring);
	while ((bytes = ring_peek(ring, &len))) {
		struct record r;

		if (!record_decode(format, bytes, len, &r) &&
		    r.type == PERF_RECORD_SAMPLE)
			take_sample(&r, out);
		ring_step(ring, len);
	}
	ring_give_back(ring);
}

/* Works, half in user code and half in the kernel, until there are enough samples. */
static void work(struct ring *ring, const struct record_format *format, struct trial *out)
{
	for (unsigned round = 0; round < ROUNDS && out->samples < SAMPLES_ENOUGH;
	     round++) {
		syscall(SYS_getppid);
		if (round % LOOK_EACH == 0)
			read_ring(ring, format, out);
	}
}

static int run_opened(const struct sys *sys, int fd, const struct record_format *format,
		      struct trial *out)
{
	struct ring ring = { 0 };
	int error = ring_map(&ring, sys, fd, RING_SIZE);

	out->lost_room = error == -EPERM || error == -ENOMEM;
	if (!error && sys->ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL) < 0)
		error = -errno;
	if (!error) {
		work(&ring, format, out);
		sys->ioctl(fd, PERF_EVENT_IOC_DISABLE, NULL);
		read_ring(&ring, format, out);
		error = out->samples ? 0 : -ENODATA;
	}
	ring_unmap(&ring);
	return error;
}

static int open_disabled(const struct sys *sys, const struct perf_event_attr *attr,
			 pid_t task, int cpu, unsigned long flags)
{
	struct perf_event_attr asked = *attr;
	int fd;

	asked.size = sizeof(asked);
	asked.disabled = 1;
	fd = sys->perf_event_open(&asked, task, cpu, -1, flags | PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int trial_run(const struct sys *sys, const struct perf_event_attr *attr,
	      struct trial *out)
{
	const struct record_format format = {
		.sample_type = attr->sample_type,
		.regs_user = attr->sample_regs_user,
		.read_format = attr->read_format,
		.branch_type = attr->branch_sample_type,
		.no_id = true,
	};
	int fd = open_disabled(sys, attr, 0, -1, 0);
	int error;

	*out = (struct trial){ .opened = fd >= 0 };
	if (fd < 0)
		return fd;
	error = run_opened(sys, fd, &format, out);
	sys->close(fd);
	return error;
}

int trial_open(const struct sys *sys, const struct perf_event_attr *attr, pid_t task,
	       int cpu, unsigned long flags)
{
	int fd = open_disabled(sys, attr, task, cpu, flags);

	if (fd < 0)
		return fd;
	sys->close(fd);
	return 0;
}
