/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program says, on its way to collect: a file for each process, in a folder of
 * collect's, which libringprof.so maps and collect reads.
 *
 *	0                   struct channel_head
 *	CHANNEL_NAMES_AT    names: struct channel_name, each at a multiple of 8 bytes
 *	CHANNEL_SLOTS_AT    slots: struct channel_slot, which their threads write
 *	CHANNEL_TAILS_AT    how many events collect has read of each slot: uint64_t
 *	CHANNEL_EVENTS_AT   events: CHANNEL_EVENTS of each slot
 *
 * The file is sparse: it has memory for the slots that were used.
 *
 * A slot belongs to one thread at a time, which alone writes it: CHANNEL_THREAD is its
 * first event.  An event's place is its number modulo CHANNEL_EVENTS.  Both sides are of one
 * version, and of one machine.
 *
 * Requests to collect itself are in the head: the number of one is written last.  Then the
 * program writes a byte to the FIFO CHANNEL_WAKE, so that collect takes them at once, and not
 * when it reads the file; another byte says that a process has no file, since there was no
 * room for one.
 *
 * The reader must trust nothing of this: the program may write anything, and truncate it.
 */
#ifndef CHANNEL_LAYOUT_H
#define CHANNEL_LAYOUT_H

#include <stdint.h>

/* Where a process finds the folder, and its library. */
#define CHANNEL_FOLDER  "RINGPROF_REGIONS"
#define CHANNEL_LIBRARY "RINGPROF_LIBRARY"

/* Set if the program may count time in the CPU's ticks (channel/ticks.h). */
#define CHANNEL_MAY_TICK "RINGPROF_TICKS"

/* The inode of the namespace of collect's process ids; not set: it is not known. */
#define CHANNEL_NAMESPACE "RINGPROF_NAMESPACE"

/* If set, a list, with commas, of the domains of ITT that alone are wanted. */
#define CHANNEL_DOMAINS "RINGPROF_DOMAINS"

/* If set, NUMBER:NAME: the recording begins with the begin of that region of the name … */
#define CHANNEL_FROM "RINGPROF_FROM"
/* … and ends with the end of that one. */
#define CHANNEL_TO   "RINGPROF_TO"

/* A FIFO in the folder, and what is written to it. */
#define CHANNEL_WAKE "wake"
enum { CHANNEL_ASKS = '?', CHANNEL_HAS_NO_FILE = '!' };

/* Where programs that are instrumented by ITT look for a library. */
#define CHANNEL_ITT "INTEL_LIBITTNOTIFY64"

#define CHANNEL_MAGIC UINT64_C(0x32304e4752504e52)

enum {
	CHANNEL_NAMES_AT = 4096,
	CHANNEL_NAMES_BYTES = 256 << 10,
	CHANNEL_NAMES = CHANNEL_NAMES_BYTES / 8, /* all are below */
	CHANNEL_NAME_MAX = 1023,                 /* bytes; longer ones are cut */
	CHANNEL_SLOTS = 1024,
	CHANNEL_SLOTS_AT = CHANNEL_NAMES_AT + CHANNEL_NAMES_BYTES,
	CHANNEL_TAILS_AT = CHANNEL_SLOTS_AT + CHANNEL_SLOTS * 64,
	CHANNEL_EVENTS_AT = CHANNEL_TAILS_AT + CHANNEL_SLOTS * 8,
	CHANNEL_EVENTS = 1 << 16,
	CHANNEL_SLOT_BYTES = CHANNEL_EVENTS * 16, /* of its events */
	CHANNEL_CONTROLS = 64,                    /* requests that can wait */
	CHANNEL_NEST =
		256, /* regions that are open on a thread; those in them are not told */
};

/* VALUE is a name, if nothing else is said. */
enum channel_kind {
	CHANNEL_THREAD = 1, /* VALUE is its id */
	CHANNEL_BEGIN,      /* of a region of this thread */
	CHANNEL_END,        /* the same, or CHANNEL_INNERMOST */
	CHANNEL_LEAVE,      /* the thread ends */
	CHANNEL_DATA,  /* of the next event: TIME is it, VALUE an enum channel_data */
	CHANNEL_OPEN,  /* of a region apart, whose number is the data */
	CHANNEL_CLOSE, /* of the region with that number; VALUE means nothing */
	CHANNEL_SINCE, /* TIME is the begin of the next; VALUE means nothing */
	CHANNEL_WHOLE, /* a region apart that ends now */
	CHANNEL_MARKER,
	CHANNEL_COUNTER, /* the data is its new value */
	CHANNEL_NOTE,    /* on the innermost region; the data is what it says */
	CHANNEL_RENAME,  /* the thread has that name */
};

enum channel_data {
	CHANNEL_UNSIGNED = 1,
	CHANNEL_SIGNED,
	CHANNEL_REAL, /* the bits of a double */
	CHANNEL_TEXT, /* a name */
};

/* A name is the offset of its struct from CHANNEL_NAMES_AT, in units of 8 bytes. */
#define CHANNEL_NO_NAME   0u /* there was no room for it, or there is none */
#define CHANNEL_INNERMOST UINT32_MAX

/* What the times of a file count. */
enum channel_clock {
	CHANNEL_NS,    /* nanoseconds of CLOCK_MONOTONIC */
	CHANNEL_TICKS, /* channel/ticks.h */
};

struct channel_event {
	uint64_t time;
	uint32_t kind, value;
};

struct channel_name {
	uint32_t len;
	uint32_t
		domain; /* a name, the group that this one belongs to; or CHANNEL_NO_NAME */
	char text[];    /* with a NUL behind it */
};

enum channel_request {
	CHANNEL_PAUSE = 1,
	CHANNEL_RESUME,
	CHANNEL_POINT, /* a sample point, with a name */
	CHANNEL_TERMINATE,
};

struct channel_control {
	uint64_t number; /* from 1; another one, or 0: it is being written */
	uint64_t time;
	uint32_t request, name;
};

struct channel_head {
	uint64_t magic;
	uint32_t pid;
	uint32_t slots;    /* given out so far */
	uint32_t clock;    /* enum channel_clock */
	uint32_t foreign;  /* 0: process and thread ids are of collect's namespace */
	uint64_t names;    /* units of 8 bytes used */
	uint64_t unnamed;  /* begins with CHANNEL_NO_NAME */
	uint64_t lost;     /* events of threads without a slot */
	uint64_t fileless; /* forked children that found no room, or may not write here */
	uint64_t controls; /* requests so far; the place of one is its number modulo … */
	struct channel_control control[CHANNEL_CONTROLS];
};

/* A line of its own for each thread. */
struct channel_slot {
	uint64_t head; /* events written */
	uint64_t lost; /* events that found no room */
	uint64_t deep; /* begins in CHANNEL_NEST others */
	uint64_t unused[5];
};

_Static_assert(sizeof(struct channel_head) <= CHANNEL_NAMES_AT, "the head has its room");
_Static_assert(sizeof(struct channel_slot) == 64, "slots have theirs");
_Static_assert(sizeof(struct channel_event) * CHANNEL_EVENTS == CHANNEL_SLOT_BYTES,
	       "so have events");
_Static_assert(CHANNEL_EVENTS_AT % 4096 == 0, "events begin with a page");

#endif
