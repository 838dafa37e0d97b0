/* SPDX-License-Identifier: Apache-2.0 */
/* Running processes as the target: by number, by name, or because they are in a group. */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/file.h"
#include "run/session_state.h"
#include "output/note.h"
#include "target/choose.h"

/* Of a name's processes some may end meanwhile, and collect may be one. */
int session_attach_to(struct session *s, pid_t pid, bool by_name)
{
	int error = target_attach(&s->target, pid);

	if (!error || error == -EEXIST ||
	    (by_name && (error == -ESRCH || error == -EDEADLK)))
		return 0;
	strbuf_clear(&s->err);
	strbuf_addf(&s->err, "cannot attach to process %d: %s", (int)pid,
		    error == -EINVAL    ? "that is a thread; name its process"
		    : error == -EDEADLK ? "that is collect itself"
					: strerror(-error));
	return EXIT_FAILED;
}

static int attach_by_name(struct session *s, const char *name)
{
	pid_vec pids = { 0 };
	int status = 0;

	if (choose_by_name(s->sys->root, name, s->target.attached.own_only, &pids,
			   &s->err))
		status = EXIT_USAGE;
	for (size_t i = 0; i < pids.len && !status; i++)
		status = session_attach_to(s, pids.data[i], true);
	vec_release(&pids);
	return status;
}

bool session_may_record_others(const struct sys *sys)
{
	uint64_t rights = sys_status_number(sys, "CapEff", 16, 0);

	return rights >> CAP_PERFMON & 1 || rights >> CAP_SYS_ADMIN & 1;
}

int session_attach(struct session *s)
{
	int status = 0;

	if (s->opt->processes.len)
		file_allow_many(); /* each takes a descriptor */
	s->target.attached.own_only = !session_may_record_others(s->sys);
	vec_for_each(char *const, word, &s->opt->processes) {
		status = choose_is_number(*word)
				 ? session_attach_to(s, (pid_t)strtol(*word, NULL, 10),
						     false)
				 : attach_by_name(s, *word);
		if (status)
			return status;
	}
	if (s->opt->processes.len && !s->target.pid) {
		strbuf_addstr(&s->err, "the processes of that name have ended");
		return EXIT_FAILED;
	}
	if (s->opt->follow)
		attached_add_below(&s->target.attached, s->sys->root);
	return 0;
}

void session_list_processes(const struct session *s, struct strbuf *out)
{
	const struct attached *a = &s->target.attached;
	pid_vec pids = { 0 };

	vec_for_each(const struct attached_process, p, &a->processes)
		if (attached_have(a, p->pid))
			*vec_push(&pids) = p->pid;
	choose_list(s->sys->root, &pids, out);
	vec_release(&pids);
}

void session_tell_processes(struct session *s)
{
	const struct attached *a = &s->target.attached;
	bool by_name = s->opt->cgroup != NULL;
	struct strbuf text = { 0 };

	vec_for_each(char *const, word, &s->opt->processes)
		by_name |= !choose_is_number(*word);
	if (!a->living || (a->processes.len < 2 && !by_name && !a->strangers))
		return;
	if (a->strangers)
		log_note(&s->log, "warning",
			 "processes of other users below them are left out: recording "
			 "those requires root, or CAP_PERFMON");
	strbuf_addf(&text, "recording %zu process%s%s%s: ", a->living,
		    a->living == 1 ? "" : "es",
		    !s->opt->follow  ? ""
		    : a->living == 1 ? " and its"
				     : " and their",
		    s->opt->follow ? " new children" : "");
	session_list_processes(s, &text);
	log_note(&s->log, "note", strbuf_str(&text));
	strbuf_release(&text);
}
