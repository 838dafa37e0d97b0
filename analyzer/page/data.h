/* SPDX-License-Identifier: Apache-2.0 */
/* What a page knows of a recording. */
#ifndef PAGE_DATA_H
#define PAGE_DATA_H

#include "page/code.h"
#include "page/places.h"
#include "page/regions.h"
#include "page/slots.h"
#include "page/stacks.h"
#include "page/states.h"
#include "page/strip.h"
#include "page/tags.h"
#include "page/waits.h"
#include "session/session.h"

struct page_data {
	struct session *session;
	uint32_t metric; /* the first to show */
	struct page_stacks stacks;
	struct page_times times;
	struct page_slots *slots; /* by metric */
	struct page_states states;
	struct page_waits waits;
	struct page_regions regions;
	struct page_code code;
	struct page_places places;
	struct page_tags tags;
	struct page_strip strip;
};

/* STRIP: without folders and users, see strip.h.  Overwrites OUT, which the caller releases. */
void page_data_read(struct page_data *out, struct session *s, bool strip);
void page_data_release(struct page_data *data);

/* Sentences on what the page leaves out, one a line; none if nothing is. */
void page_data_notes(const struct page_data *data, struct strbuf *out);

#endif
