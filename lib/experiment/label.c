/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char others[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

int exp_label_check(const char *text)
{
	size_t len = strspn(text, others);
	struct strbuf value = { 0 };
	bool fits;

	if (text[len] != '=' || !strspn(text, letters))
		return -EINVAL;
	utf8_clean(&value, text + len + 1);
	fits = len <= EXP_LABEL_KEY_MAX && value.len <= EXP_LABEL_VALUE_MAX;
	strbuf_release(&value);
	return fits ? 0 : -E2BIG;
}

static struct exp_label *find(struct exp_log *log, const char *key, size_t len)
{
	vec_for_each(struct exp_label, label, &log->labels)
		if (strlen(label->key) == len && !strncmp(label->key, key, len))
			return label;
	return NULL;
}

static void remove_label(struct exp_log *log, struct exp_label *label)
{
	size_t after = (size_t)(log->labels.data + log->labels.len - (label + 1));

	free(label->key);
	free(label->value);
	memmove(label, label + 1, after * sizeof(*label));
	log->labels.len--;
}

int exp_log_label(struct exp_log *log, const char *text)
{
	size_t len = strcspn(text, "=");
	struct exp_label *label = find(log, text, len);
	struct strbuf value = { 0 };
	int error = exp_label_check(text);

	if (error)
		return error;
	if (!text[len + 1]) {
		if (label)
			remove_label(log, label);
		return 0;
	}
	if (!label && log->labels.len == EXP_LABELS_MAX)
		return -E2BIG;
	if (!label) {
		label = vec_push(&log->labels);
		*label = (struct exp_label){ .key = xstrndup(text, len) };
	}
	utf8_clean(&value, text + len + 1);
	free(label->value);
	label->value = strbuf_detach(&value);
	return 0;
}

void exp_log_set_labels(struct exp_log *log, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (exp_log_label(log, texts[i]))
			continue;
}
