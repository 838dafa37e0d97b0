/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/read.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/dictionary.h"
#include "experiment/thread_rows.h"
#include "base/file.h"
#include "elf/object_file.h"
#include "base/xalloc.h"

/* All LEN bytes at OFFSET.  0, EXP_BLOCK_SHORT or a negative errno. */
static int read_at(int fd, uint64_t offset, void *out, size_t len)
{
	int error = file_read_at(fd, offset, out, len);

	return error == -ENODATA ? EXP_BLOCK_SHORT : error;
}

/* ---- the file ---- */

/* A block that can be read later, by experiment_next. */
static void keep_extent(struct experiment *exp, uint64_t offset,
			const struct exp_block_header *header)
{
	*vec_push(&exp->extents) = (struct exp_extent){
		.offset = offset,
		.nodes = (uint32_t)exp->nodes.len,
		.threads = (uint32_t)exp->threads.len,
		.first = exp->samples,
	};
	exp->samples += header->rows;
	exp->digest = (exp->digest ^ header->crc ^ (uint64_t)header->rows << 32) *
		      UINT64_C(0x9e3779b97f4a7c15);
}

/* The EXP_BLOCK_HEADER_SIZE bytes at OFFSET, and their decoded content. */
static int read_header(struct experiment *exp, uint64_t offset, unsigned char *head,
		       struct exp_block_header *header)
{
	int error = read_at(exp->fd, offset, head, EXP_BLOCK_HEADER_SIZE);

	return error ? error : exp_block_header_decode(head, header);
}

/* Reads the payload of a block into WALK. */
static int read_payload(struct experiment *exp, uint64_t offset,
			const struct exp_block_header *header, struct exp_walk *walk)
{
	strbuf_clear(&walk->stored);
	strbuf_pad(&walk->stored, 0, header->stored_size);
	return read_at(exp->fd, offset + EXP_BLOCK_HEADER_SIZE, walk->stored.data,
		       header->stored_size);
}

int experiment_load(struct experiment *exp, enum exp_table table, uint64_t offset,
		    struct exp_walk *walk)
{
	unsigned char head[EXP_BLOCK_HEADER_SIZE];
	struct exp_block_header header;
	int error = read_header(exp, offset, head, &header);

	if (!error && header.table != table)
		error = EXP_BLOCK_DAMAGED;
	if (error)
		return error;
	error = read_payload(exp, offset, &header, walk);
	if (error)
		return error;
	return exp_block_decode(&header, head, walk->stored.data, &walk->raw,
				&walk->rows);
}

/*
 * 0, or EXP_BLOCK_BEYOND: a sound block that claims to become too large.  A damaged one
 * is never decoded, whatever it claims.
 */
static int take_budget(struct experiment *exp, uint64_t offset, const unsigned char *head,
		       const struct exp_block_header *header, struct exp_walk *walk)
{
	if (exp_budget_take(&exp->budget, exp_block_size(header)))
		return 0;
	if (header->stored_size > exp->bytes - offset - EXP_BLOCK_HEADER_SIZE ||
	    read_payload(exp, offset, header, walk))
		return 0;
	return exp_block_intact(header, head, walk->stored.data) ? EXP_BLOCK_BEYOND : 0;
}

/* The block at *OFFSET, which is moved past it.  0 or a code that ends the reading. */
static int take_block(struct experiment *exp, uint64_t *offset, struct exp_walk *walk)
{
	unsigned char head[EXP_BLOCK_HEADER_SIZE];
	struct exp_block_header header;
	exp_dictionary_fn *take;
	int error = read_header(exp, *offset, head, &header);

	if (error)
		return error;
	error = take_budget(exp, *offset, head, &header, walk);
	if (error)
		return error;
	take = exp_dictionary_taker(header.table);
	if (header.stored_size > exp->bytes - *offset - sizeof(head))
		return EXP_BLOCK_SHORT;
	if (header.table == EXP_SAMPLES) {
		keep_extent(exp, *offset, &header);
	} else if (header.table == EXP_DETAILS) {
		*vec_push(&exp->details) = *offset;
	} else if (take) {
		error = experiment_load(exp, header.table, *offset, walk);
		if (!error)
			error = take(exp, &walk->rows);
	} else { /* a later version's, or one of ours with a damaged number */
		error = read_payload(exp, *offset, &header, walk);
		if (!error && !exp_block_intact(&header, head, walk->stored.data))
			error = EXP_BLOCK_DAMAGED;
	}
	if (error)
		return error;
	*offset += sizeof(head) + header.stored_size;
	return 0;
}

static int check_header(struct experiment *exp, struct strbuf *err)
{
	unsigned char head[EXP_HEADER_SIZE];
	uint32_t version;

	if (read_at(exp->fd, 0, head, sizeof(head)) || memcmp(head, EXP_MAGIC, 8)) {
		strbuf_addf(err, "%s/%s is not the data of an experiment", exp->path,
			    EXP_DATA_FILE);
		return -EBADMSG;
	}
	memcpy(&version, head + 8, sizeof(version));
	version = le32toh(version);
	if (version == EXP_VERSION)
		return 0;
	strbuf_addf(err,
		    "%s has format version %u, and this er_print reads version %d; "
		    "use the er_print of the collect that wrote it",
		    exp->path, version, EXP_VERSION);
	return -EPROTONOSUPPORT;
}

/* A log may lack the size of the data. */
static bool is_long_enough(const struct experiment *exp)
{
	return exp->log.complete && exp->log.bytes && exp->bytes >= exp->log.bytes;
}

/* 0, or EXP_BLOCK_BEYOND; any other error ends the experiment there. */
static int load_blocks(struct experiment *exp)
{
	struct exp_walk walk = { 0 };
	uint64_t offset = EXP_HEADER_SIZE;
	int error = 0;

	while (offset < exp->bytes && !exp->truncated && error != EXP_BLOCK_BEYOND) {
		error = EXP_BLOCK_SHORT;
		if (exp->bytes - offset >= EXP_BLOCK_HEADER_SIZE)
			error = take_block(exp, &offset, &walk);
		if (error) {
			exp->truncated = true;
			exp->damaged = error == EXP_BLOCK_DAMAGED || is_long_enough(exp);
			exp->truncated_at = offset;
		}
	}
	exp_walk_release(&walk);
	return error == EXP_BLOCK_BEYOND ? error : 0;
}

/* There is a sum for each event and stack node: the product may be large. */
static bool sums_fit(struct experiment *exp)
{
	enum { SUM_SIZE = 16 };

	return exp_budget_take(&exp->budget,
			       SUM_SIZE * exp->log.events.len * exp->nodes.len);
}

static int load(struct experiment *exp, struct strbuf *err)
{
	if (!load_blocks(exp) && sums_fit(exp))
		return 0;
	strbuf_addf(err,
		    "%s expands to more than %d times its size, which no recording does: "
		    "it is forged or damaged; --any-size reads it anyway",
		    exp->path, EXP_BUDGET_RATIO);
	return -E2BIG;
}

static int open_data(struct experiment *exp, struct strbuf *err)
{
	struct stat st;
	int error = 0;

	exp->fd = folder_open_file(exp->dir, EXP_DATA_FILE);
	if (exp->fd < 0)
		error = exp->fd;
	else if (fstat(exp->fd, &st) < 0)
		error = -errno;
	if (error) {
		strbuf_addf(err, "%s/" EXP_DATA_FILE ": %s", exp->path,
			    folder_error(error));
		error = error == -EINVAL || error == -ELOOP ? -EBADMSG : error;
	} else {
		exp->bytes = (uint64_t)st.st_size;
		error = check_header(exp, err);
	}
	return error;
}

/* A descriptor, or an error with a sentence that says why PATH is no experiment. */
static int open_directory(const char *path, struct strbuf *err)
{
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), error = 0;
	struct stat st;

	if (dir >= 0 && !fstatat(dir, EXP_LOG_FILE, &st, AT_SYMLINK_NOFOLLOW))
		return dir;
	error = -errno;
	if (dir >= 0)
		close(dir);
	/* perhaps an export or a perf.data, but it cannot be read */
	if (error == -ENOTDIR && access(path, R_OK) && errno == EACCES)
		error = -EACCES;
	if (error == -EACCES || (dir < 0 && error != -ENOTDIR)) {
		strbuf_addf(err, "%s: %s%s", path, strerror(-error),
			    error == -EACCES ? "; its owner can share it with: chmod -R "
					       "a+rX"
					     : "");
		return error;
	}
	strbuf_addf(err,
		    "%s is not an experiment (a directory that collect wrote, "
		    "with %s in it)",
		    path, EXP_LOG_FILE);
	return -EBADMSG;
}

static void open_archive(struct experiment *exp)
{
	exp->archive.fd = folder_enter(exp->dir, EXP_ARCHIVE);
	if (exp->archive.fd >= 0)
		exp->archive.path = xasprintf("%s/%s", exp->path, EXP_ARCHIVE);
}

/* Only its size shows that a file was truncated between two blocks. */
static void find_end(struct experiment *exp)
{
	if (exp->truncated || !exp->log.complete || exp->bytes >= exp->log.bytes)
		return;
	exp->truncated = true;
	exp->truncated_at = exp->bytes;
}

static int open_within(const char *path, bool unbounded, struct experiment **out,
		       struct strbuf *err)
{
	struct experiment *exp;
	int dir = open_directory(path, err), error;

	if (dir < 0)
		return dir;
	exp = xcalloc(1, sizeof(*exp));
	exp->fd = -1;
	exp->dir = dir;
	exp->path = xstrdup(path);
	open_archive(exp);
	*vec_push(&exp->strings) = 0;
	strbuf_addch(&exp->text, '\0');
	*vec_push(&exp->nodes) = (struct exp_node){ 0 };
	*vec_push(&exp->region_paths) = (struct exp_region_path){ 0 };
	*vec_push(&exp->wakers) = (struct exp_waker){ 0 };
	error = exp_log_read_at(&exp->log, dir, path, err);
	if (!error)
		error = open_data(exp, err);
	exp_budget_init(&exp->budget, exp->bytes, unbounded);
	if (!error)
		error = load(exp, err);
	if (!error)
		find_end(exp);
	if (error) {
		experiment_free(exp);
		return error;
	}
	thread_rows_number(exp);
	thread_rows_name_processes(exp);
	thread_rows_trim_lives(exp);
	*out = exp;
	return 0;
}

int experiment_open(const char *path, struct experiment **out, struct strbuf *err)
{
	return open_within(path, false, out, err);
}

int experiment_open_unbounded(const char *path, struct experiment **out,
			      struct strbuf *err)
{
	return open_within(path, true, out, err);
}

void experiment_restore(struct experiment *exp)
{
	if (exp->divider)
		exp->divider->release(exp->divider);
	free(exp->factors);
	exp->factors = NULL;
}

void experiment_scale(struct experiment *exp, size_t event, double factor)
{
	if (!exp->factors) {
		exp->factors = xcalloc(exp->log.events.len, sizeof(*exp->factors));
		for (size_t e = 0; e < exp->log.events.len; e++)
			exp->factors[e] = 1;
	}
	exp->factors[event] *= factor;
}

void experiment_free(struct experiment *exp)
{
	if (!exp)
		return;
	experiment_restore(exp);
	if (exp->fd >= 0)
		close(exp->fd);
	close(exp->dir);
	free(exp->path);
	folder_release(&exp->archive);
	exp_log_release(&exp->log);
	strbuf_release(&exp->text);
	vec_release(&exp->strings);
	vec_release(&exp->modules);
	vec_release(&exp->frames);
	vec_release(&exp->nodes);
	vec_release(&exp->processes);
	vec_release(&exp->arguments);
	vec_release(&exp->threads);
	vec_release(&exp->symbols);
	vec_release(&exp->losses);
	vec_release(&exp->lives);
	vec_release(&exp->wakers);
	vec_release(&exp->region_paths);
	vec_release(&exp->marks);
	spans_release(&exp->spans);
	vec_release(&exp->points);
	vec_release(&exp->point_counts);
	vec_release(&exp->regions);
	vec_release(&exp->extents);
	vec_release(&exp->details);
	free(exp);
}

/* ---- samples ---- */

static bool all_below(const struct exp_rows *rows, unsigned column, uint64_t limit)
{
	const uint64_t *values = rows->column[column];
	uint64_t top = 0;

	for (size_t i = 0; i < rows->count; i++)
		top = values[i] > top ? values[i] : top;
	return !rows->count || top < limit;
}

/* NODE is S's own column. */
static void divide(struct exp_divider *divider, const struct exp_samples *s,
		   uint64_t *node)
{
	for (size_t i = 0; i < s->count; i++)
		node[i] = divider->node(divider, s, i);
}

/* The largest number if it exceeds 64 bits.  WEIGHT is S's own column. */
static void scale_weights(const double *factors, const struct exp_samples *s,
			  uint64_t *weight)
{
	for (size_t i = 0; i < s->count; i++) {
		const double factor = factors[s->event[i]];
		const double scaled = (double)weight[i] * factor + 0.5;

		if (factor != 1)
			weight[i] = scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
	}
}

int experiment_next(struct experiment *exp, struct exp_walk *walk,
		    struct exp_samples *out)
{
	uint64_t *const *column = walk->rows.column;
	const struct exp_extent *extent;
	int error;

	if (walk->next >= exp->extents.len)
		return 0;
	extent = &exp->extents.data[walk->next++];
	error = experiment_load(exp, EXP_SAMPLES, extent->offset, walk);
	if (error)
		return error;
	if (!all_below(&walk->rows, EXP_SAMPLE_NODE, extent->nodes) ||
	    !all_below(&walk->rows, EXP_SAMPLE_THREAD, extent->threads) ||
	    !all_below(&walk->rows, EXP_SAMPLE_EVENT, exp->log.events.len))
		return EXP_BLOCK_DAMAGED;
	*out = (struct exp_samples){
		.count = walk->rows.count,
		.first = extent->first,
		.time_ns = column[EXP_SAMPLE_TIME_NS],
		.thread = column[EXP_SAMPLE_THREAD],
		.cpu = column[EXP_SAMPLE_CPU],
		.event = column[EXP_SAMPLE_EVENT],
		.weight = column[EXP_SAMPLE_WEIGHT],
		.node = column[EXP_SAMPLE_NODE],
		.address = column[EXP_SAMPLE_ADDRESS],
		.latency = column[EXP_SAMPLE_LATENCY],
		.data_source = column[EXP_SAMPLE_DATA_SOURCE],
		.waker = column[EXP_SAMPLE_WAKER],
	};
	if (exp->divider)
		divide(exp->divider, out, column[EXP_SAMPLE_NODE]);
	if (exp->factors)
		scale_weights(exp->factors, out, column[EXP_SAMPLE_WEIGHT]);
	return 1;
}

bool experiment_is_growing(const struct experiment *exp)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return !exp->log.complete && !fcntl(exp->fd, F_GETLK, &lock) &&
	       lock.l_type != F_UNLCK;
}

void exp_walk_release(struct exp_walk *walk)
{
	strbuf_release(&walk->stored);
	strbuf_release(&walk->raw);
	exp_rows_release(&walk->rows);
	*walk = (struct exp_walk){ 0 };
}
