/* SPDX-License-Identifier: Apache-2.0 */
/* object_hide, object_api, object_show, object_list …: whose functions are separate. */
#include <stdlib.h>

#include "views/views.h"
#include "base/xalloc.h"

static int set_view(struct session *s, const char *list, enum object_view view,
		    struct strbuf *err)
{
	if (hidden_set(&s->set.hidden, &s->model, list, view, err))
		return CMD_FAILED;
	session_changed(s, INPUT_HIDDEN);
	return 0;
}

static int run_object_hide(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return set_view(s, argv[0], OBJECT_HIDDEN, err);
}

const struct cmd cmd_object_hide = {
	.name = "object_hide",
	.args = "LIST",
	.help = "show each of these objects as one function: a.so,b.so",
	.group = GROUP_FILTER,
	.example = "object_hide libc.so.6",
	.run = run_object_hide,
	.setting = true,
};

static int run_object_api(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return set_view(s, argv[0], OBJECT_API, err);
}

const struct cmd cmd_object_api = {
	.name = "object_api",
	.args = "LIST",
	.help = "show of these objects the functions that others call",
	.group = GROUP_FILTER,
	.example = "object_api libc.so.6",
	.run = run_object_api,
	.setting = true,
};

static int run_object_show(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return set_view(s, argv[0], OBJECT_SHOWN, err);
}

const struct cmd cmd_object_show = {
	.name = "object_show",
	.args = "LIST",
	.help = "show the functions of these objects again, or all",
	.group = GROUP_FILTER,
	.example = "object_show all",
	.run = run_object_show,
};

static int run_objects_default(struct session *s, int argc, char **argv,
			       struct strbuf *err)
{
	(void)argc;
	(void)argv;
	(void)err;
	hidden_release(&s->set.hidden);
	s->set.hidden = (struct hidden){ 0 };
	session_changed(s, INPUT_HIDDEN);
	return 0;
}

const struct cmd cmd_objects_default = {
	.name = "objects_default",
	.args = "",
	.help = "show the functions of all objects, as in the beginning",
	.group = GROUP_FILTER,
	.run = run_objects_default,
};

/* Shows only those of LIST.  An error in it changes nothing. */
static int run_object_select(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct hidden selected = { 0 };
	int status = hidden_set(&selected, &s->model, "all", OBJECT_HIDDEN, err);

	(void)argc;
	if (!status)
		status = hidden_set(&selected, &s->model, argv[0], OBJECT_SHOWN, err);
	if (status) {
		hidden_release(&selected);
		return CMD_FAILED;
	}
	hidden_release(&s->set.hidden);
	s->set.hidden = selected;
	session_changed(s, INPUT_HIDDEN);
	return 0;
}

const struct cmd cmd_object_select = {
	.name = "object_select",
	.args = "LIST",
	.help = "hide all other objects",
	.group = GROUP_FILTER,
	.example = "object_select all",
	.run = run_object_select,
};

static int run_object_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	static const char *const words[] = {
		[OBJECT_SHOWN] = "shown",
		[OBJECT_HIDDEN] = "hidden",
		[OBJECT_API] = "API",
	};
	bool *used = xcalloc(s->model.objects.len + 1, sizeof(*used));
	struct table table = { .key = "object_list" };

	(void)argc;
	(void)argv;
	table_column(&table, "shown", "Functions", COLUMN_TEXT);
	table_column(&table, "object", "Object", COLUMN_TEXT);
	vec_for_each(const struct function, f, &s->model.functions)
		used[f->object] = true;
	for (uint32_t o = 0; o < s->model.objects.len; o++) {
		if (!used[o])
			continue;
		table_add_text(&table, words[hidden_view(&s->set.hidden, o)]);
		table_add_text(&table, object_path(&s->model, o));
	}
	free(used);
	return command_show(s, &table, err);
}

const struct cmd cmd_object_list = {
	.name = "object_list",
	.args = "",
	.help = "the objects, and whether their functions are shown",
	.group = GROUP_FIND,
	.run = run_object_list,
};
