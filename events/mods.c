/* SPDX-License-Identifier: Apache-2.0 */
#include "events/mods.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/xalloc.h"

#define LETTERS "ukhpP"

static void letters_read(const char *letters, struct mods *mods)
{
	for (; *letters; letters++) {
		mods->user = mods->user || *letters == 'u';
		mods->kernel = mods->kernel || *letters == 'k';
		mods->hv = mods->hv || *letters == 'h';
		mods->precise += *letters == 'p';
		mods->precisest = mods->precisest || *letters == 'P';
	}
}

void mods_cut(char *name, struct mods *mods)
{
	char *colon, *slash = strrchr(name, '/');

	memset(mods, 0, sizeof(*mods));
	if (slash) {
		if (slash > name && slash[1] && !slash[1 + strspn(slash + 1, LETTERS)]) {
			letters_read(slash + 1, mods);
			slash[1] = '\0';
		}
		return;
	}
	while ((colon = strrchr(name, ':')) && colon[1] && colon > name &&
	       colon[-1] != ':' && !colon[1 + strspn(colon + 1, LETTERS)]) {
		letters_read(colon + 1, mods);
		*colon = '\0';
	}
}

static int event_check(const struct event *event, bool hv_asked, struct strbuf *err)
{
	if (event->exclude_user && event->exclude_kernel && !hv_asked) {
		strbuf_addf(err, "%s would count nothing: neither user nor system",
			    event->name);
		return -EINVAL;
	}
	return 0;
}

int mods_apply(const struct mods *mods, struct event *event, struct strbuf *err)
{
	if (mods->precise > EVENT_PRECISE_MAX) {
		strbuf_addf(err, "%s: the most precise is :ppp", event->name);
		return -EINVAL;
	}
	if (mods->precise || mods->precisest) {
		event->precise_ip = mods->precisest ? EVENT_PRECISE_MAX : mods->precise;
		event->precision = mods->precisest ? EVENT_PRECISION_MOST
						   : EVENT_PRECISION_FIXED;
	}
	if (!mods->user && !mods->kernel && !mods->hv)
		return 0;
	event->exclude_user = event->exclude_user || !mods->user;
	event->exclude_kernel = event->exclude_kernel || !mods->kernel;
	event->exclude_hv = event->exclude_hv || !mods->hv;
	return event_check(event, mods->hv, err);
}

/* Bits of the event select register, if the CPU has one with this layout. */
struct bits {
	const char *key;
	unsigned shift, width;
};

#if defined(__x86_64__) || defined(__i386__)
static const struct bits register_bits[] = {
	{ "umask", 8, 8 },  { "edge", 18, 1 }, { "inv", 23, 1 },
	{ "cmask", 24, 8 }, { NULL, 0, 0 },
};
#else
static const struct bits register_bits[] = { { NULL, 0, 0 } };
#endif

static int attr_fail(const struct spec_attr *attr, const struct event *event,
		     uint64_t max, struct strbuf *err)
{
	strbuf_addf(err, "the attribute ~%s of %s goes from 0 to %llu", attr->key,
		    event->name, (unsigned long long)max);
	return -EINVAL;
}

static void suffix_add(char **text, const struct spec_attr *attr)
{
	char *longer = xasprintf(attr->value < 2 ? "%s:%s=%llu" : "%s:%s=0x%llx", *text,
				 attr->key, (unsigned long long)attr->value);

	free(*text);
	*text = longer;
}

static int bits_apply(const struct spec_attr *attr, struct event *event,
		      struct strbuf *err)
{
	const struct bits *bits;
	uint64_t max;

	for (bits = register_bits; bits->key; bits++)
		if (!strcmp(bits->key, attr->key))
			break;
	if (!bits->key || event->type != PERF_TYPE_RAW) {
		strbuf_addf(err,
			    "%s has no attribute ~%s; all have ~user ~system ~hypervisor "
			    "~precise%s",
			    event->name, attr->key,
			    register_bits[0].key
				    ? ", and raw counters ~umask ~edge ~inv ~cmask"
				    : "");
		return -EINVAL;
	}
	max = (UINT64_C(1) << bits->width) - 1;
	if (attr->value > max)
		return attr_fail(attr, event, max, err);
	event->config &= ~(max << bits->shift);
	event->config |= attr->value << bits->shift;
	event->measures_time = false; /* it no longer counts time */
	suffix_add(&event->name, attr);
	suffix_add(&event->raw, attr);
	return 0;
}

int mods_apply_attr(const struct spec_attr *attr, struct event *event, struct strbuf *err)
{
	const struct {
		const char *key;
		bool *exclude;
	} levels[] = {
		{ "user", &event->exclude_user },
		{ "system", &event->exclude_kernel },
		{ "hypervisor", &event->exclude_hv },
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		if (strcmp(levels[i].key, attr->key) != 0)
			continue;
		if (attr->value > 1)
			return attr_fail(attr, event, 1, err);
		*levels[i].exclude = !attr->value;
		if (!attr->value)
			event->exclude_hv = true;
		return event_check(event, false, err);
	}
	if (strcmp(attr->key, "precise") != 0)
		return bits_apply(attr, event, err);
	if (attr->value > EVENT_PRECISE_MAX)
		return attr_fail(attr, event, EVENT_PRECISE_MAX, err);
	event->precise_ip = (unsigned)attr->value;
	event->precision = EVENT_PRECISION_FIXED;
	return 0;
}

void mods_spell(const struct event *event, struct strbuf *out)
{
	bool levels = event->exclude_user || event->exclude_kernel;

	if (!levels && !event->precise_ip)
		return;
	strbuf_addch(out, ':');
	if (levels && !event->exclude_user)
		strbuf_addch(out, 'u');
	if (levels && !event->exclude_kernel)
		strbuf_addch(out, 'k');
	if (levels && !event->exclude_hv)
		strbuf_addch(out, 'h');
	if (event->precision == EVENT_PRECISION_MOST)
		strbuf_addch(out, 'P');
	else
		strbuf_pad(out, 'p', event->precise_ip);
}

/* The modifiers behind the last colons are those that the event had before. */
void event_respell(struct event *event)
{
	size_t len = strlen(event->raw);
	struct strbuf out = { 0 };
	const char *colon;

	while ((colon = memrchr(event->raw, ':', len)) && colon > event->raw &&
	       colon[-1] != ':' && colon + 1 < event->raw + len &&
	       colon + 1 + strspn(colon + 1, LETTERS) >= event->raw + len)
		len = (size_t)(colon - event->raw);
	strbuf_add(&out, event->raw, len);
	mods_spell(event, &out);
	free(event->raw);
	event->raw = strbuf_detach(&out);
}
