/* SPDX-License-Identifier: Apache-2.0 */
/* Why lines are missing, and the remedy. */
#include "model/sites.h"

#include <errno.h>

#include "model/debug_package.h"
#include "elf/debuginfod.h"
#include "elf/lineinfo_apart.h"

void sites_remedy(const struct sites *sites, const struct model *model, uint32_t object,
		  struct strbuf *out)
{
	const struct object_lines *lines = &sites->objects.data[object];
	const char *path = object_path(model, object);

	if (!lines->asked)
		return;
	if (lines->error && debuginfod_trouble(model->search.online))
		strbuf_addf(out, "the server in DEBUGINFOD_URLS %s; ",
			    debuginfod_trouble(model->search.online));
	if (lines->error == -ESTALE)
		strbuf_addf(out,
			    "bring back the build %s, or record again with -A used, "
			    "which keeps it",
			    model_string(model, lines->build_id));
	else if (lines->error == -ENOKEY)
		strbuf_addstr(out,
			      "say where that is (symfs DIR), or build with --build-id");
	else if (lines->error == -ENODATA && !debug_package("", path, out))
		strbuf_addf(out, "compile it with -g");
	else if (line_job_failure(lines->error))
		strbuf_addstr(out, "report it with that file");
	else if (lines->error == -EACCES || lines->error == -EPERM)
		strbuf_addstr(out, "make the file readable");
	else if (lines->error && lines->error != -ENODATA)
		strbuf_addstr(
			out,
			"restore the file, or say where it is (pathmap OLD NEW, symfs "
			"DIR); collect -A used keeps the next one");
	else if (lines->missing)
		strbuf_addf(out, "bring back %s, or the package %s.dwp", lines->missing,
			    path);
}

static const struct {
	int error;
	const char *text;
} troubles[] = {
	{ -ESTALE, "differs from the recorded file" },
	{ -ENOKEY,
	  "has no build-id, and nothing shows that the file here is the one that "
	  "ran" },
	{ -ENODATA, "has no debug information" },
	{ -ENOEXEC, "is damaged, or its debug information is" },
	{ -ENOENT, "no longer exists" },
	{ 0, "has no line for it in its debug information" },
};

void sites_explain(const struct sites *sites, const struct model *model, uint32_t object,
		   struct strbuf *out)
{
	const struct object_lines *lines = &sites->objects.data[object];
	const char *text = "cannot be read", *failure = line_job_failure(lines->error);
	size_t before;

	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++)
		if (troubles[i].error == lines->error)
			text = lines->asked ? troubles[i].text : "is not a file";
	if (failure)
		strbuf_addf(out, "%s has debug information that %s: ",
			    object_path(model, object), failure);
	else
		strbuf_addf(out, "%s %s: ", object_path(model, object), text);
	before = out->len;
	sites_remedy(sites, model, object, out);
	if (out->len == before)
		strbuf_truncate(out, before - 2);
}
