/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment's log.json as a struct: the program, the machine, the events, the end,
 * the losses.  Fields are those of ringprof-experiment(5), in its units.  Strings are
 * owned by the log and never NULL once it was read; all-zero is an empty log.
 */
#ifndef EXP_LOG_H
#define EXP_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/format.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct exp_event {
	char *leader; /* the metric whose samples read it; "": it has its own */
	char *asked, *got, *reason;      /* reason: "" if got is asked */
	char *metric, *label, *unit;     /* unit: "cycles", "events", "ns" */
	char *state;                     /* its samples are waits, see state.h; "": no */
	char *skid;                      /* "constant skid"; "": unknown */
	unsigned precise, precise_asked; /* precise_ip of perf_event_attr */
	uint64_t period;                 /* 0: it varied */
	double hz;                       /* cycles a second, measured; 0: unknown */
	double scale;                    /* 1: counted all the time */
	uint64_t samples, count, unsampled;
	char *unsampled_why; /* "": not known, or the share is small */
	uint64_t addressed;  /* samples with an address of data */
};

struct exp_note {
	char *severity; /* "note", "warning", "error" */
	char *text;
};

/* Whose exp_usage it is: "" is unknown. */
#define EXP_USAGE_WAITED    "waited"    /* the program, and descendants waited for */
#define EXP_USAGE_PROCESSES "processes" /* processes that ran already: no switches */

/* What the kernel counted for the target, as in getrusage(2). */
struct exp_usage {
	char *of;
	uint64_t minor_faults, major_faults;
	uint64_t voluntary_switches, involuntary_switches;
	int blocks; /* whether the next two are known of processes */
	uint64_t input_blocks, output_blocks; /* of 512 bytes */
};

/* What the user, or a batch system, said of the recording. */
struct exp_label {
	char *key, *value;
};

enum {
	EXP_LABELS_MAX = 64,
	EXP_LABEL_KEY_MAX = 64,     /* bytes */
	EXP_LABEL_VALUE_MAX = 1024, /* as given */
};

/* Things that exceeded a limit, see the manual page: indexes in the log. */
enum exp_left_out {
	EXP_LEFT_MAPPINGS,
	EXP_LEFT_PROCESSES,
	EXP_LEFT_MODULES,
	EXP_LEFT_KERNEL,
	EXP_LEFT_STACKS,
	EXP_LEFT_JIT,
	EXP_LEFT_THREADS,
	EXP_LEFT_NAMES,
	EXP_LEFT_CGROUPS,
	EXP_LEFT_TABLES,
	EXP_LEFT_ORIGINS,
	EXP_LEFT_LOCKED,
	EXP_LEFT_DEBUG,
	EXP_LEFT_FILES,
	EXP_LEFT_SYMBOLS,
	EXP_LEFT_LABELS,
	EXP_LEFT_COMMANDS,
	EXP_LEFT_KINDS,
};

/* "mappings" */
extern const char *const exp_left_out_names[EXP_LEFT_KINDS];

struct exp_log {
	bool complete;
	char *version; /* of collect */
	VEC(char *) command;
	char *cwd;
	char *cgroup; /* the one that was recorded; "": none was asked for */
	int64_t pid;
	int exit_status; /* -1: unknown, or a signal */
	int signal;      /* 0: none */
	uint64_t rusage_user_ns, rusage_system_ns;
	struct exp_usage usage;
	char *hostname, *kernel, *arch, *cpu;
	unsigned cpus, page_size;
	double hz; /* of the machine, nominal */
	char *started;
	uint64_t started_ns, duration_ns;
	uint64_t recorded_ns; /* of it, if not all could be written; else 0 */
	char *comment, *stack, *scope;
	int wakers;   /* who ended waits was recorded, if only of none */
	char *series; /* that this is a recording of (collect --every); "": of none */
	VEC(struct exp_event) events;
	uint64_t bytes; /* of the data file; 0: unknown */
	uint64_t samples, throttled, unthrottled, processes, threads;
	/* samples; other records; and records that may be either */
	uint64_t lost, lost_other, lost_records;
	uint64_t filtered; /* samples that perf's filter dropped on purpose: no loss */
	uint64_t left_out[EXP_LEFT_KINDS];
	uint64_t stack_ends[EXP_ENDS];
	uint64_t completed_stacks; /* with the part read beyond the kernel's copies */
	uint64_t collector_cpu_ns, collector_max_rss_kb;
	uint64_t lowered_ns; /* collect had no real-time priority, because of a flood */
	VEC(struct exp_note) notes;
	VEC(struct exp_label) labels; /* each key once */
};

void exp_log_release(struct exp_log *log);

/* When the recording started, in seconds since the epoch; 0: unknown. */
int64_t exp_log_started(const struct exp_log *log);

/*
 * Adds the losses, and what is none: "3 lost", "3 lost, 17 other records lost", "17 records
 * lost", "0 lost, 5 filtered out".
 */
void exp_log_losses(const struct exp_log *log, struct strbuf *out);

/*
 * Whether TEXT is "KEY=VALUE", with a KEY of letters, digits, '_', '.' and '-' after a
 * letter.  0; -EINVAL: it is not; -E2BIG: one of them is too long.
 */
int exp_label_check(const char *text) __attribute__((warn_unused_result));

/*
 * Sets the label "KEY=VALUE", instead of another value; an empty VALUE removes it.  As
 * above; -E2BIG also if there are too many.
 */
int exp_log_label(struct exp_log *log, const char *text)
	__attribute__((warn_unused_result));

/* Sets COUNT of them, without those that would be refused. */
void exp_log_set_labels(struct exp_log *log, const char *const *texts, size_t count);

/* Keeps a copy of TEXT. */
void exp_log_note(struct exp_log *log, const char *severity, const char *text);

/* Adds the text that exp_log_write_at writes. */
void exp_log_text(const struct exp_log *log, struct strbuf *out);

/*
 * Writes log.json in the directory with the descriptor DIR, atomically, through a
 * temporary file.  0 or a negative errno.
 */
int exp_log_write_at(const struct exp_log *log, int dir)
	__attribute__((warn_unused_result));
int exp_log_write(const struct exp_log *log, const char *dir)
	__attribute__((warn_unused_result));

/*
 * Reads log.json in that directory, whose path is PATH, into LOG, which is overwritten.
 * 0, or a negative errno with one sentence in ERR that names the file; LOG can be
 * released either way.  -EPROTONOSUPPORT: a format unknown to this version.  -EBADMSG:
 * not a log.
 */
int exp_log_read_at(struct exp_log *log, int dir, const char *path, struct strbuf *err)
	__attribute__((warn_unused_result));
int exp_log_read(struct exp_log *log, const char *dir, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
