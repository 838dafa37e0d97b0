/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf.data file of arbitrary bytes, from its header to the experiment.  It either
 * becomes one or ends in a sentence that says why not.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/log.h"
#include "experiment/write.h"
#include "import/import.h"
#include "import/log.h"
#include "import/names.h"
#include "import/perf_read.h"
#include "process/symbol_writer.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static int import_all(struct perf_file *file, struct recording *rec, struct strbuf *err)
{
	struct exp_log log = { 0 };
	struct import imp;
	int error;

	import_init(&imp, file, rec);
	error = import_records(&imp, err);
	if (!error) {
		const struct carried_symbols carried = import_names(file);

		symbol_writer_run(&rec->in, &rec->modules, &rec->kernel, "", &carried);
		import_log_fill(&log, &imp, "fuzz", NULL);
	}
	import_release(&imp);
	exp_log_release(&log);
	return error;
}

static void import_file(int fd, const char *dir)
{
	struct recording_setup setup = { .mode = STACK_OFF, .everyone = true };
	struct strbuf err = { 0 };
	struct recording rec;
	struct perf_file file;
	int error = perf_file_open(&file, fd, &err);

	if (!error && exp_writer_open(dir, &setup.writer))
		abort();
	if (!error) {
		recording_init(&rec, &setup);
		error = import_all(&file, &rec, &err);
		recording_release(&rec);
		if (exp_writer_close(setup.writer))
			abort();
	}
	if (!error != !err.len)
		abort();
	perf_file_release(&file);
	strbuf_release(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char dir[SCRATCH_PATH_MAX];
	int fd = memfd_create("perf.data", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	scratch_make(dir);
	import_file(fd, dir);
	scratch_remove(dir, EXP_DATA_FILE);
	close(fd);
	return 0;
}
