/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, each defined in the file that does its work. */
#ifndef VIEWS_H
#define VIEWS_H

#include "session/cmd.h"

/* The view functions unless compare is off.  0, or a CMD_… code. */
int compare_functions(struct session *s, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The same, if compare was requested and no view has compared yet. */
int compare_finish(struct session *s, struct strbuf *err)
	__attribute__((warn_unused_result));

extern const struct cmd cmd_add_exp, cmd_addpath, cmd_appendfile, cmd_breaks, cmd_losses,
	cmd_callers_callees, cmd_calltree, cmd_cappend, cmd_cgroups, cmd_ci,
	cmd_cmetric_list, cmd_compare, cmd_cprepend, cmd_cpu_list, cmd_cpu_select,
	cmd_cpus, cmd_crmfirst, cmd_crmlast, cmd_csingle, cmd_describe, cmd_disasm,
	cmd_drop_exp, cmd_dthresh, cmd_experiment_list, cmd_export, cmd_fail_above,
	cmd_filters, cmd_fsingle, cmd_fsummary, cmd_functions, cmd_header, cmd_help,
	cmd_group, cmd_inlines, cmd_json, cmd_limit, cmd_lines, cmd_lsummary,
	cmd_metric_list, cmd_metrics, cmd_name, cmd_object_api, cmd_object_hide,
	cmd_object_list, cmd_object_select, cmd_object_show, cmd_objects,
	cmd_objects_default, cmd_open_exp, cmd_outfile, cmd_overview, cmd_pathmap,
	cmd_pcs, cmd_printmode, cmd_process_list, cmd_process_select, cmd_processes,
	cmd_psummary, cmd_quit, cmd_recursion, cmd_report, cmd_report_strip,
	cmd_sample_detail, cmd_sample_list, cmd_sample_select, cmd_samples, cmd_script,
	cmd_seconds, cmd_setpath, cmd_sort, cmd_source, cmd_states, cmd_statistics,
	cmd_sthresh, cmd_symbols, cmd_symfs, cmd_thread_list, cmd_thread_select,
	cmd_threads, cmd_version, cmd_viewmode;
extern const struct cmd cmd_indxobj, cmd_indxobj_define, cmd_indxobj_list;
extern const struct cmd cmd_waits, cmd_wakers, cmd_locks, cmd_timeline, cmd_concurrency,
	cmd_regions, cmd_accuracy;
extern const struct cmd cmd_marks, cmd_ranks;

#endif
