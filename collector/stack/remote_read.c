/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/remote_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "process/helper.h"
#include "base/xalloc.h"

/* A request and its answer. */
struct remote_reader {
	struct helper thread;
	pid_t pid;
	uint64_t address;
	size_t len;
	ssize_t got;
	unsigned char bytes[REMOTE_MAX];
};

static void read_memory(struct helper *thread)
{
	struct remote_reader *p = (struct remote_reader *)thread;
	struct iovec here = { .iov_base = p->bytes, .iov_len = p->len };
	struct iovec there = { .iov_base = (void *)(uintptr_t)p->address,
			       .iov_len = p->len };

	p->got = process_vm_readv(p->pid, &here, 1, &there, 1, 0);
	if (p->got < 0)
		p->got = -errno;
}

static void destroy(struct helper *thread)
{
	free(thread);
}

struct remote_reader *remote_reader_new(void)
{
	static const struct helper_kind kind = { read_memory, NULL, destroy,
						 .hurries = true };
	struct remote_reader *p = xcalloc(1, sizeof(*p));

	return helper_start(&p->thread, &kind) ? p : NULL;
}

void remote_reader_free(struct remote_reader *p)
{
	if (p)
		helper_end(&p->thread);
}

ssize_t remote_read(struct remote_reader *p, pid_t pid, uint64_t address, void *to,
		    size_t len)
{
	const int64_t until_ns = helper_now_ns() + REMOTE_WAIT_NS;

	if (helper_is_busy(&p->thread))
		return -EAGAIN;
	p->pid = pid;
	p->address = address;
	p->len = len < REMOTE_MAX ? len : REMOTE_MAX;
	if (!helper_ask(&p->thread, until_ns))
		return -EAGAIN;
	if (p->got > 0)
		memcpy(to, p->bytes, (size_t)p->got);
	return p->got;
}
