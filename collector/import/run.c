/* SPDX-License-Identifier: Apache-2.0 */
#include "import/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output/archive.h"
#include "base/diag.h"
#include "output/exp_dir.h"
#include "experiment/log.h"
#include "experiment/write.h"
#include "import/log.h"
#include "import/names.h"
#include "import/open.h"
#include "import/perf_read.h"
#include "process/symbol_writer.h"
#include "recording/left_out.h"
#include "base/exit_status.h"

/* The state of one import; each part is released whether or not it was set up. */
struct run {
	const struct options *opt;
	const char *name; /* of the file, for messages */
	int fd;
	import_fds parts;
	struct perf_file file;
	struct exp_dir dir;
	struct exp_writer *writer;
	struct exp_log log;
	struct recording rec;
	struct import import;
	bool recording; /* rec and import were set up */
	double shown;   /* when progress was last shown, in seconds; 0: not yet */
	bool showing;
	struct strbuf err;
};

static int open_file(struct run *r)
{
	int error;

	r->fd = import_open(r->opt->import, &r->err);
	if (r->fd < 0)
		return r->fd;
	strbuf_addf(&r->err, "%s cannot be imported: ", r->name);
	error = perf_file_open(&r->file, r->fd, &r->err);
	if (!error)
		error = import_open_parts(r->opt->import, &r->file, &r->parts, &r->err);
	return error;
}

/* MODE without what the file FD, or a link's target, does not allow everybody. */
static mode_t mode_as_of(mode_t mode, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return mode;
	if (!(st.st_mode & S_IRGRP))
		mode &= ~(mode_t)S_IRWXG;
	if (!(st.st_mode & S_IROTH))
		mode &= ~(mode_t)S_IRWXO;
	return mode;
}

/*
 * What not everybody may read of the files, not everybody may of the experiment.  In a
 * folder of somebody else's, a part may be a link to a recording of ours.
 */
static mode_t mode_as_of_all(const struct run *r)
{
	mode_t mode = mode_as_of(exp_dir_mode(false), r->fd);

	vec_for_each(const int, fd, &r->parts)
		mode = mode_as_of(mode, *fd);
	return mode;
}

static int create(struct run *r)
{
	const struct exp_place place = {
		.directory = r->opt->directory,
		.name = r->opt->experiment,
		.overwrite = r->opt->overwrite,
		.mode = mode_as_of_all(r),
	};
	int error;

	strbuf_clear(&r->err);
	error = exp_dir_create(&r->dir, &place, &r->err);
	if (error)
		return error;
	error = exp_writer_open_at(r->dir.fd, &r->writer);
	if (error)
		strbuf_addf(&r->err, "cannot write to %s: %s", r->dir.path,
			    strerror(-error));
	return error;
}

/* The first line comes when a user would begin to wonder. */
static void show_progress(void *ctx, uint64_t at, uint64_t end)
{
	const double every = 0.5;
	struct run *r = ctx;
	struct timespec t;
	double now;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
	if (!r->shown)
		r->shown = now;
	if (now - r->shown < every)
		return;
	r->shown = now;
	r->showing = true;
	if (end == PERF_WINDOW_ENDLESS)
		fprintf(stderr, "\r%s: %.0f MB ", r->name, (double)at / 1e6);
	else
		fprintf(stderr, "\r%s: %3.0f %% ", r->name,
			100.0 * (double)at / (double)(end ? end : 1));
}

static void end_progress(struct run *r)
{
	if (r->showing)
		fputs("\r\033[K", stderr);
	r->showing = false;
}

static int records(struct run *r)
{
	const struct recording_setup setup = {
		.writer = r->writer,
		.mode = STACK_OFF,
		.everyone = true,
		.groups = true,
		.no_splice = !r->opt->splice,
		.trust_paths = r->opt->trust_paths,
	};
	int error;

	recording_init(&r->rec, &setup);
	import_init(&r->import, &r->file, &r->rec);
	r->recording = true;
	if (isatty(STDERR_FILENO)) {
		r->import.progress = show_progress;
		r->import.progress_ctx = r;
	}
	strbuf_addf(&r->err, "%s cannot be imported: ", r->name);
	error = import_records(&r->import, &r->err);
	end_progress(r);
	return error;
}

/* The note of the source is obvious. */
static void tell_doubts(const struct exp_log *log)
{
	vec_for_each(const struct exp_note, note, &log->notes)
		if (!strcmp(note->severity, "warning"))
			diag_warn("%s", note->text);
}

static int finish(struct run *r)
{
	const struct carried_symbols carried = import_names(&r->file);
	struct symbols_left_out left;
	struct strbuf lost = { 0 };
	int error;

	left = symbol_writer_run(&r->rec.in, &r->rec.modules, &r->rec.kernel, "",
				 &carried);
	left_out_count_symbols(&r->rec, &left);
	import_log_fill(&r->log, &r->import, r->name, strbuf_str(&r->opt->comment));
	exp_log_set_labels(&r->log, r->opt->labels.data, r->opt->labels.len);
	error = exp_writer_flush(r->writer);
	r->log.bytes = exp_writer_bytes(r->writer);
	if (!error)
		error = exp_log_write_at(&r->log, r->dir.fd);
	strbuf_clear(&r->err);
	if (error) {
		strbuf_addf(&r->err, "cannot write to %s: %s", r->dir.path,
			    strerror(-error));
		return error;
	}
	tell_doubts(&r->log);
	exp_dir_commit(&r->dir); /* even if the archive fails */
	archive_write(&(struct archive){
		.experiment = r->dir.path,
		.dir = r->dir.fd,
		.modules = &r->rec.modules,
		.in = &r->rec.in,
		.log = &r->log,
		.mode = r->opt->archive,
		.limit = ARCHIVE_MAX,
	});
	exp_log_losses(&r->log, &lost);
	diag_note("%s: %" PRIu64 " sample%s, %s, %" PRIu64 " thread%s, imported from %s",
		  r->dir.path, r->rec.samples, r->rec.samples == 1 ? "" : "s",
		  strbuf_str(&lost), r->log.threads, r->log.threads == 1 ? "" : "s",
		  r->name);
	strbuf_release(&lost);
	return 0;
}

static void run_release(struct run *r)
{
	int error;

	if (r->recording) {
		import_release(&r->import);
		recording_release(&r->rec);
	}
	error = exp_writer_close(r->writer);
	(void)error; /* all was flushed, and reported, before */
	exp_dir_release(&r->dir);
	exp_log_release(&r->log);
	perf_file_release(&r->file);
	strbuf_release(&r->err);
	vec_for_each(const int, fd, &r->parts)
		close(*fd);
	vec_release(&r->parts);
	if (r->fd >= 0)
		close(r->fd);
}

int import_run(const struct options *opt)
{
	struct run r = {
		.opt = opt,
		.name = strcmp(opt->import, "-") ? opt->import : "standard input",
		.fd = -1,
		.dir = EXP_DIR_NONE,
	};
	int error = open_file(&r);

	if (!error)
		error = create(&r);
	if (!error)
		error = records(&r);
	if (!error)
		error = finish(&r);
	if (error)
		diag_error("%s", strbuf_str(&r.err));
	run_release(&r);
	return error ? EXIT_FAILED : 0;
}
