/* SPDX-License-Identifier: Apache-2.0 */
#include "shell/command.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "session/index_objects.h"
#include "views/views.h"

/* One a line, so a new command is one line of diff. */
/* clang-format off */
const struct cmd *const commands[] = {
	&cmd_accuracy,
	&cmd_add_exp,
	&cmd_addpath,
	&cmd_appendfile,
	&cmd_breaks,
	&cmd_callers_callees,
	&cmd_calltree,
	&cmd_cappend,
	&cmd_cgroups,
	&cmd_ci,
	&cmd_cmetric_list,
	&cmd_compare,
	&cmd_concurrency,
	&cmd_cprepend,
	&cmd_cpu_list,
	&cmd_cpu_select,
	&cmd_cpus,
	&cmd_crmfirst,
	&cmd_crmlast,
	&cmd_csingle,
	&cmd_describe,
	&cmd_disasm,
	&cmd_drop_exp,
	&cmd_dthresh,
	&cmd_experiment_list,
	&cmd_export,
	&cmd_fail_above,
	&cmd_filters,
	&cmd_fsingle,
	&cmd_fsummary,
	&cmd_functions,
	&cmd_group,
	&cmd_header,
	&cmd_help,
	&cmd_indxobj,
	&cmd_indxobj_define,
	&cmd_indxobj_list,
	&cmd_inlines,
	&cmd_json,
	&cmd_limit,
	&cmd_lines,
	&cmd_locks,
	&cmd_losses,
	&cmd_lsummary,
	&cmd_marks,
	&cmd_metric_list,
	&cmd_metrics,
	&cmd_name,
	&cmd_object_api,
	&cmd_object_hide,
	&cmd_object_list,
	&cmd_object_select,
	&cmd_object_show,
	&cmd_objects,
	&cmd_objects_default,
	&cmd_open_exp,
	&cmd_outfile,
	&cmd_overview,
	&cmd_pathmap,
	&cmd_pcs,
	&cmd_printmode,
	&cmd_process_list,
	&cmd_process_select,
	&cmd_processes,
	&cmd_psummary,
	&cmd_quit,
	&cmd_ranks,
	&cmd_recursion,
	&cmd_regions,
	&cmd_report,
	&cmd_report_strip,
	&cmd_sample_detail,
	&cmd_sample_list,
	&cmd_sample_select,
	&cmd_samples,
	&cmd_script,
	&cmd_seconds,
	&cmd_setpath,
	&cmd_sort,
	&cmd_source,
	&cmd_states,
	&cmd_statistics,
	&cmd_sthresh,
	&cmd_symbols,
	&cmd_symfs,
	&cmd_thread_list,
	&cmd_thread_select,
	&cmd_threads,
	&cmd_timeline,
	&cmd_version,
	&cmd_viewmode,
	&cmd_waits,
	&cmd_wakers,
	NULL,
};
/* clang-format on */

/* Other words for the same, most of them of other tools. */
static const struct {
	const char *word;
	const struct cmd *cmd;
} aliases[] = {
	{ "?", &cmd_help },
	{ "ctree", &cmd_calltree },
	{ "dmetrics", &cmd_metrics },
	{ "dsort", &cmd_sort },
	{ "exit", &cmd_quit },
	{ "exp_list", &cmd_experiment_list },
	{ "gmetric_list", &cmd_cmetric_list },
	{ "gprof", &cmd_callers_callees },
	{ "indx_metric_list", &cmd_metric_list },
	{ "lwp_list", &cmd_thread_list },
	{ "lwp_select", &cmd_thread_select },
	{ "procstats", &cmd_statistics },
};

/* Their commands that are missing here, and why. */
static const struct {
	const char *word, *why;
} missing[] = {
	{ "cc",
	  "compilers that er_print reads leave no commentary; source has the lines" },
	{ "dcc",
	  "compilers that er_print reads leave no commentary; disasm has the code" },
	{ "scc",
	  "compilers that er_print reads leave no commentary; source has the lines" },
	{ "en_desc", "descendants are in their parent's experiment, and process_select "
		     "selects them" },
	{ "ifreq",
	  "no event counts how often each instruction was executed; of insts, pcs and "
	  "disasm have the samples, which estimate it" },
	{ "preload_libdirs", "nothing is preloaded into the program" },
};

const char *command_alias(size_t index)
{
	return index < sizeof(aliases) / sizeof(aliases[0]) ? aliases[index].word : NULL;
}

static const struct cmd *find_alias(const char *word)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(aliases[i].word, word))
			return aliases[i].cmd;
	return NULL;
}

/* Whether WORD is in missing[]; explains it in ERR. */
static bool explain_missing(const char *word, struct strbuf *err)
{
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (!strcmp(missing[i].word, word)) {
			strbuf_addf(err, "there is no command '%s' here: %s", word,
				    missing[i].why);
			return true;
		}
	return false;
}

static int unknown_command(const char *word, struct strbuf *err)
{
	struct nearest near;

	if (explain_missing(word, err))
		return CMD_USAGE;
	nearest_init(&near, word);
	for (const struct cmd *const *cmd = commands; *cmd; cmd++)
		nearest_offer(&near, (*cmd)->name);
	strbuf_addf(err, "there is no command '%s'; ", word);
	if (near.count) {
		strbuf_addstr(err, "did you mean ");
		nearest_join(&near, err);
		strbuf_addch(err, '?');
	} else {
		strbuf_addstr(err, "'help' lists them all");
	}
	nearest_release(&near);
	return CMD_USAGE;
}

int command_find(const char *word, const struct cmd **out, struct strbuf *err)
{
	struct strbuf candidates = { 0 };
	unsigned found = 0;
	int status = 0;

	*out = find_alias(word);
	if (*out)
		return 0;
	for (const struct cmd *const *cmd = commands; *cmd; cmd++) {
		if (!strcmp((*cmd)->name, word)) {
			*out = *cmd;
			found = 1;
			break;
		}
		if (*word && !strncmp((*cmd)->name, word, strlen(word))) {
			strbuf_addf(&candidates, "%s%s", found ? ", " : "", (*cmd)->name);
			*out = *cmd;
			found++;
		}
	}
	if (!found) {
		status = unknown_command(word, err);
	} else if (found > 1) {
		strbuf_addf(err, "'%s' may be any of %s; write more of it", word,
			    candidates.data);
		status = CMD_USAGE;
	}
	strbuf_release(&candidates);
	return status;
}

bool command_is_whole(const char *word)
{
	for (const struct cmd *const *cmd = commands; *cmd; cmd++)
		if (!strcmp((*cmd)->name, word))
			return true;
	return find_alias(word);
}

bool command_is_index(const struct session *s, const char *word)
{
	struct index_object object;

	return !command_is_whole(word) &&
	       index_object_find(&s->set.index_objects, word, &object);
}

void command_arity(const struct cmd *cmd, int *least, int *most)
{
	*least = *most = 0;
	for (const char *at = cmd->args; *at;) {
		*least += *at != '[';
		*most += 1;
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
}

const char *command_value(const struct cmd *cmd, size_t index, size_t *len)
{
	const char *at = cmd->values ? cmd->values : "";

	while (*at) {
		*len = strcspn(at, " ");
		if (!index--)
			return at;
		at += *len;
		at += strspn(at, " ");
	}
	return NULL;
}

bool command_has_value(const struct cmd *cmd, const char *word)
{
	const char *value;
	size_t len;

	for (size_t i = 0; (value = command_value(cmd, i, &len)); i++)
		if (len == strlen(word) && !memcmp(value, word, len))
			return true;
	return false;
}

static bool is_experiment_name(const char *word)
{
	static const char ending[] = ".er";
	size_t len = strlen(word);

	while (len && word[len - 1] == '/')
		len--;
	return len >= strlen(ending) &&
	       !strncmp(word + len - strlen(ending), ending, strlen(ending));
}

static void put_misuse(const struct cmd *cmd, bool more, int argc, char **argv,
		       struct strbuf *err)
{
	if (!more) {
		strbuf_addf(err, "%s needs %s", cmd->name, cmd->args);
		return;
	}
	strbuf_addf(err, "%s takes %s, not '", cmd->name,
		    *cmd->args ? cmd->args : "no argument");
	for (int i = 0; i < argc; i++)
		strbuf_addf(err, "%s%s", i ? " " : "", argv[i]);
	strbuf_addch(err, '\'');
	if (*cmd->args == 'F')
		strbuf_addstr(err, "; quote a name with blanks");
}

/* An argument that was forgotten takes the experiment's place. */
static void put_no_experiment(const struct cmd *cmd, int argc, char **argv,
			      struct strbuf *err)
{
	const char *last = argc ? argv[argc - 1] : "";
	size_t len = strcspn(cmd->args, " ");

	strbuf_addf(err, "%s needs an experiment", cmd->name);
	if (argc && is_experiment_name(last))
		strbuf_addf(err, ", and took '%s' for its %.*s", last, (int)len,
			    cmd->args);
	else
		strbuf_addstr(err, ": name one after the commands");
}

int command_run(struct session *s, const struct cmd *cmd, int argc, char **argv,
		struct strbuf *err)
{
	int least, most;

	command_arity(cmd, &least, &most);
	if (argc < least || argc > most) {
		put_misuse(cmd, argc > most, argc, argv, err);
		return CMD_USAGE;
	}
	if (!cmd->alone && !s->model.sources.len) {
		put_no_experiment(cmd, argc, argv, err);
		return CMD_USAGE;
	}
	if (s->set.compare && cmd->comparable) {
		strbuf_addf(err,
			    "%s cannot compare: it would show the sum of both sides; "
			    "use %s, or compare off before it",
			    cmd->name, cmd->comparable);
		return CMD_FAILED;
	}
	strbuf_clear(&s->next_note); /* of a command that failed before its answer */
	return cmd->run(s, argc, argv, err);
}
