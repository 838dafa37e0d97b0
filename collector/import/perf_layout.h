/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of a perf.data file, as tools/perf/Documentation/perf.data-file-format.txt
 * of the kernel's sources gives them.
 *
 *	file mode	header, attrs, ids, data (records), then one section per feature
 *	pipe mode	a header of 16 bytes, then records alone; what the sections hold
 *			comes as records too
 *	a folder	"data", of file mode, and of layout 1 (perf.data-directory-format.txt)
 *			beside it data.0, data.1, …: records alone, each of one CPU's ring
 */
#ifndef PERF_LAYOUT_H
#define PERF_LAYOUT_H

#include <stdint.h>

/* "PERFILE2" as a number; read the other way round in a file of the other byte order. */
#define PERF_MAGIC UINT64_C(0x32454c4946524550)

enum {
	PERF_HEADER_PIPE_SIZE = 16,
	PERF_HEADER_BARE_SIZE = 72, /* before there were features */
	PERF_HEADER_FILE_SIZE = 104,
	PERF_RECORD_HEADER_SIZE = 8,
};

/* Records that perf adds to the kernel's own, whose types are below 64. */
enum {
	PERF_USER_TYPES = 64,
	PERF_HEADER_ATTR = 64,
	PERF_HEADER_TRACING_DATA = 66,
	PERF_HEADER_BUILD_ID = 67,
	PERF_FINISHED_ROUND = 68,
	PERF_AUXTRACE = 71,
	PERF_EVENT_UPDATE = 78,
	PERF_HEADER_FEATURE = 80,
	PERF_COMPRESSED = 81,
	PERF_COMPRESSED2 = 83,
};

/* Bits of the header's map, and numbers in PERF_HEADER_FEATURE. */
enum {
	PERF_FEATURE_TRACING_DATA = 1,
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_NRCPUS = 7,
	PERF_FEATURE_CPUDESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_TOPOLOGY = 13,
	PERF_FEATURE_GROUP_DESC = 17,
	PERF_FEATURE_STAT = 19,
	PERF_FEATURE_SAMPLE_TIME = 21,
	PERF_FEATURE_CLOCKID = 23,
	PERF_FEATURE_FOLDER = 24,
	PERF_FEATURE_CLOCK_DATA = 29,
	PERF_FEATURE_HYBRID = 30,
	PERF_FEATURE_FILE = 128, /* simpleperf's: names of functions */
	PERF_FEATURE_META_INFO = 129,
	PERF_FEATURE_FILE2 = 132,
	PERF_FEATURES = 256,
};

/* Values of PERF_FEATURE_FOLDER: the recording is one file, or has one for each ring. */
enum { PERF_FOLDER_SINGLE = 0, PERF_FOLDER_RINGS = 1 };

/* Kinds of PERF_EVENT_UPDATE. */
enum { PERF_UPDATE_UNIT, PERF_UPDATE_SCALE, PERF_UPDATE_NAME };

#endif
