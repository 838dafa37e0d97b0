/* SPDX-License-Identifier: Apache-2.0 */
#include "run/out_of_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/program.h"
#include "base/file.h"
#include "base/exit_status.h"

#define REASON                                                                           \
	"collect ran out of memory: the recording ends there, before the target did"

/* Writes the log in one piece over the old one, which is shorter. */
static void end_recording(void *ctx)
{
	struct out_of_memory *o = ctx;
	ssize_t done = 0;

	if (o->log >= 0)
		done = pwrite(o->log, o->text.data, o->text.len, 0);
	if (!file_write(STDERR_FILENO, o->message.data, o->message.len))
		done = 0;
	(void)done; /* the error cannot be reported */
	loop_outlive(o->loop);
	_exit(target_is_child(o->loop->target) ? target_exit_status(o->loop->target)
					       : EXIT_FAILED);
}

/* Prepares the final log. */
static void prepare_text(struct out_of_memory *o, struct exp_log *log)
{
	struct exp_note *note;

	exp_log_note(log, "error", REASON);
	exp_log_text(log, &o->text);
	note = &log->notes.data[--log->notes.len];
	free(note->severity);
	free(note->text);
}

void out_of_memory_prepare(struct out_of_memory *o, struct loop *loop,
			   struct exp_log *log, const struct exp_dir *dir)
{
	o->loop = loop;
	o->log = openat(dir->fd, EXP_LOG_FILE, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	prepare_text(o, log);
	strbuf_addf(&o->message,
		    "collect: error: out of memory: the recording ends here; %s has what "
		    "was written until now, all but the last second\n",
		    dir->path);
	program_on_oom(end_recording, o);
}

void out_of_memory_release(struct out_of_memory *o)
{
	if (!o->loop)
		return;
	program_on_oom(NULL, NULL);
	if (o->log >= 0)
		close(o->log);
	strbuf_release(&o->text);
	strbuf_release(&o->message);
	o->loop = NULL;
}
