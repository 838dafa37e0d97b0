/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_attr.h"

#include <string.h>

#include "base/bits.h"

/* The last field that we read is sample_regs_intr. */
enum { KNOWN_SIZE = 104 };

/* Numbers of the bits behind read_format. */
enum {
	FLAG_INHERIT = 1,
	FLAG_EXCLUDE_USER = 4,
	FLAG_EXCLUDE_KERNEL = 5,
	FLAG_EXCLUDE_HV = 6,
	FLAG_MMAP = 8,
	FLAG_COMM,
	FLAG_FREQ,
	FLAG_INHERIT_STAT,
	FLAG_TASK = 13,
	FLAG_PRECISE = 15, /* two of them */
	FLAG_SAMPLE_ID_ALL = 18,
	FLAG_EXCLUDE_HOST = 19,
	FLAG_EXCLUDE_GUEST = 20,
	FLAG_EXCLUDE_CALLCHAIN_KERNEL = 21,
	FLAG_MMAP2 = 23,
	FLAG_COMM_EXEC,
	FLAG_USE_CLOCKID = 25,
	FLAG_SWITCH,
	FLAG_NAMESPACES = 28,
	FLAG_KSYMBOL,
	FLAG_BPF,
	FLAG_CGROUP = 32,
	FLAG_TEXT_POKE,
	FLAG_BUILD_ID,
};

#define BIT(number) (UINT64_C(1) << (number))

static const uint64_t bookkeeping = BIT(FLAG_MMAP) | BIT(FLAG_COMM) |
				    BIT(FLAG_INHERIT_STAT) | BIT(FLAG_TASK) |
				    BIT(FLAG_MMAP2) | BIT(FLAG_SWITCH) |
				    BIT(FLAG_NAMESPACES) | BIT(FLAG_KSYMBOL) |
				    BIT(FLAG_BPF) | BIT(FLAG_CGROUP) |
				    BIT(FLAG_TEXT_POKE);

/* The higher bit comes first if bits are numbered from the other end. */
static unsigned decode_precise(uint64_t flags, bool swap)
{
	unsigned first = flags >> FLAG_PRECISE & 1,
		 second = flags >> (FLAG_PRECISE + 1) & 1;

	return swap ? first << 1 | second : second << 1 | first;
}

static void decode_flags(uint64_t flags, struct perf_attr *attr)
{
	attr->inherit = flags >> FLAG_INHERIT & 1;
	attr->exclude_user = flags >> FLAG_EXCLUDE_USER & 1;
	attr->exclude_kernel = flags >> FLAG_EXCLUDE_KERNEL & 1;
	attr->exclude_hv = flags >> FLAG_EXCLUDE_HV & 1;
	attr->exclude_host = flags >> FLAG_EXCLUDE_HOST & 1;
	attr->exclude_guest = flags >> FLAG_EXCLUDE_GUEST & 1;
	attr->exclude_callchain_kernel = flags >> FLAG_EXCLUDE_CALLCHAIN_KERNEL & 1;
	attr->freq = flags >> FLAG_FREQ & 1;
	attr->sample_id_all = flags >> FLAG_SAMPLE_ID_ALL & 1;
	attr->bookkeeping = flags & bookkeeping;
	attr->build_id = flags >> FLAG_BUILD_ID & 1;
	attr->comm_exec = flags >> FLAG_COMM_EXEC & 1;
	attr->context_switch = flags >> FLAG_SWITCH & 1;
	attr->use_clockid = flags >> FLAG_USE_CLOCKID & 1;
}

bool perf_attr_decode(struct cursor *c, size_t size, struct perf_attr *attr)
{
	unsigned char room[KNOWN_SIZE] = { 0 };
	const void *bytes = cursor_bytes(c, size);
	struct cursor in;
	uint64_t flags;

	*attr = (struct perf_attr){ 0 };
	if (!bytes || size < PERF_ATTR_SIZE_LEAST || size > PERF_ATTR_SIZE_MOST)
		return false;
	memcpy(room, bytes, size < sizeof(room) ? size : sizeof(room));
	cursor_init(&in, room, sizeof(room));
	in.swap = c->swap;
	attr->type = cursor_u32(&in);
	cursor_u32(&in); /* its size */
	attr->config = cursor_u64(&in);
	attr->period = cursor_u64(&in);
	attr->sample_type = cursor_u64(&in);
	attr->read_format = cursor_u64(&in);
	flags = cursor_u64(&in);
	flags = c->swap ? bits_reversed(flags) : flags;
	decode_flags(flags, attr);
	attr->precise = decode_precise(flags, c->swap);
	cursor_u64(&in); /* wake-up, breakpoint type */
	attr->config1 = cursor_u64(&in);
	cursor_u64(&in); /* config2 */
	attr->branch_type = cursor_u64(&in);
	attr->regs_user = cursor_u64(&in);
	cursor_u32(&in); /* room for the stack */
	attr->clockid = (int32_t)cursor_u32(&in);
	attr->regs_intr = cursor_u64(&in);
	return true;
}

size_t perf_attr_size(const struct cursor *c)
{
	struct cursor in = *c;
	uint32_t size;

	cursor_u32(&in);
	size = cursor_u32(&in);
	if (!cursor_ok(&in))
		return 0;
	return size ? size : PERF_ATTR_SIZE_LEAST;
}
