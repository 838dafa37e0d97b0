/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One record of the perf ring (or of a perf.data file) as a struct.  Layouts are those
 * of <linux/perf_event.h>, enum perf_event_type; either byte order is read.
 *
 * Decoding only reads bytes: it neither prints nor keeps anything.  A record's pointers
 * (names, chains, the stack copy) lead into the decoded bytes, and are valid as long as
 * these.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "base/file_id.h"

/* The most words of a record, whose size has 16 bits. */
#define RECORD_WORDS_MAX 8192

/*
 * The format of a ring's records, from the perf_event_attr of its events.  SWAPPED is set
 * only for bytes of the other byte order: room for RECORD_WORDS_MAX words, for the runs
 * of a decoded record (chains, registers, …) in the host's order.
 */
struct record_format {
	uint64_t sample_type;
	uint64_t regs_user, regs_intr; /* masks */
	uint64_t read_format;
	uint64_t branch_type; /* branch_sample_type */
	uint64_t period;      /* of a sample without one */
	bool no_id; /* attr.sample_id_all is off: only samples have time and thread */
	bool no_build_ids; /* attr.build_id is off in all events of a file */
	uint64_t *swapped; /* borrowed; NULL: the bytes are in the host's order */
};

struct record_id { /* the part that every record carries (attr.sample_id_all) */
	uint32_t pid, tid, cpu;
	uint64_t time, id;
};

/* Addresses, innermost first.  The first is an instruction pointer, if only at kernel entry. */
struct record_chain {
	const uint64_t *ips;
	size_t len;
};

struct record_branches {       /* the last taken branches, newest first */
	const uint64_t *words; /* for each: from, to, flags (in little-endian order) */
	size_t len;
};

/*
 * The counters of the event or its group: WIDTH words each, the value first; in a group
 * with PERF_FORMAT_ID the event's id follows it.
 */
struct record_counts {
	const uint64_t *words;
	size_t len, width;
};

struct record_sample {
	uint64_t ip, period;
	struct record_chain kernel, user;
	size_t chain_len; /* as recorded: both, with markers and guests' parts */
	struct record_counts counts;
	struct record_branches branches;
	const uint64_t *regs; /* one for each bit of the mask; NULL: none */
	uint64_t regs_abi;    /* PERF_SAMPLE_REGS_ABI_* */
	const void *stack;    /* the copy of the user stack, from the stack pointer up */
	size_t stack_len;     /* bytes copied */
	size_t stack_room;    /* bytes requested */
	uint64_t address;     /* of the data that the event accessed; 0: unknown */
	uint64_t latency;     /* of the access, in cycles; 0: unknown */
	uint64_t data_source; /* union perf_mem_data_src */
	uint16_t weight2, weight3;     /* further parts of the weight, CPU-specific */
	uint64_t transaction;          /* PERF_TXN_* */
	uint64_t physical;             /* address of the data */
	uint64_t data_page, code_page; /* sizes in bytes */
	uint64_t cgroup;               /* its id; another record has the path */
	const void *raw;               /* a tracepoint's data; not aligned */
	size_t raw_len;
	uint64_t aux_len; /* bytes that are not read */
};

struct record_mmap {
	uint32_t pid, tid, prot;
	uint64_t start, len, pgoff;
	unsigned char build_id[20];
	unsigned build_id_len; /* 0: the kernel did not report it */
	struct file_id file;   /* not reported if a build-id is */
	const char *path;
};

struct record_task { /* FORK, EXIT */
	uint32_t pid, ppid, tid, ptid;
};

struct record_comm {
	uint32_t pid, tid;
	bool exec;
	const char *name;
};

struct record_ksymbol { /* code that the kernel added or removed: BPF programs */
	uint64_t start;
	uint32_t len;
	bool gone;
	const char *name;
};

struct record_cgroup {
	uint64_t id;
	const char *path;
};

/*
 * A thread, the record's own, leaves a CPU or gets it.  The other one is that which gets the
 * CPU, or left it; only events of CPUs and groups have it.
 */
struct record_switch {
	bool out;
	bool preempted; /* OUT, but it goes on as soon as it gets a CPU */
	uint32_t other_pid, other_tid;
};

struct record {
	uint32_t type; /* PERF_RECORD_* */
	uint16_t misc;
	struct record_id at;
	union {
		struct record_sample sample;
		struct record_mmap mmap;
		struct record_task task;
		struct record_comm comm;
		struct record_ksymbol ksymbol;
		struct record_cgroup cgroup;
		struct record_switch switched;
		uint64_t lost; /* LOST, LOST_SAMPLES: their number */
	};
};

/*
 * BYTES: one whole record, aligned to 8; LEN is the header's.  0, or -EBADMSG if the record
 * contradicts itself or the format; OUT is then undefined.  For an unknown type, only the
 * type is decoded.
 */
int record_decode(const struct record_format *format, const void *bytes, size_t len,
		  struct record *out) __attribute__((warn_unused_result));

/* Whether a filter (perf record --filter, by BPF) dropped the LOST samples on purpose. */
bool record_is_filtered(const struct record *record);

/* Only its type. */
uint32_t record_type(const struct record_format *format, const void *bytes);

/* Only the time, for the sorter: reads nothing else.  0: there is none. */
uint64_t record_time(const struct record_format *format, const void *bytes, size_t len);

/* Only the CPU; UINT32_MAX: there is none. */
uint32_t record_cpu(const struct record_format *format, const void *bytes, size_t len);

/* Only the event's id: for files whose events have different formats. */
uint64_t record_event_id(const struct record_format *format, const void *bytes,
			 size_t len);

#endif
