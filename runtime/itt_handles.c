/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/itt_handles.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "channel/layout.h"

enum { NUMBERED_MAX = 1 << 16, CHAINS = 4096 };

/* Names with numbers, from 1. */
struct numbered {
	const char *names[NUMBERED_MAX];
	int count;
};

/* By a hash of their names. */
static struct itt_string *strings[CHAINS];
static struct itt_counter *counters[CHAINS];
static struct itt_domain *domains;
static struct numbered events, marks;
static const char *chosen; /* domains; NULL: all */
static pthread_mutex_t creating = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
	pthread_mutex_lock(&creating);
}

static void unlock(void)
{
	pthread_mutex_unlock(&creating);
}

void itt_handles_init(void)
{
	const char *names = secure_getenv(CHANNEL_DOMAINS);

	chosen = names ? strdup(names) : NULL;
	pthread_atfork(lock, unlock, unlock);
}

int itt_domain_is_chosen(const char *name)
{
	const size_t len = name ? strlen(name) : 0;
	const char *at = chosen;

	if (!chosen || !name)
		return 1;
	while (*at) {
		const size_t word = strcspn(at, ",");

		if (word == len && !strncmp(at, name, len))
			return 1;
		at += word + (at[word] == ',');
	}
	return 0;
}

struct itt_domain *itt_domain_of(const char *name)
{
	struct itt_domain *domain;

	if (!name)
		return NULL;
	lock();
	for (domain = domains; domain && strcmp(domain->name, name) != 0;)
		domain = domain->next;
	if (!domain && (domain = calloc(1, sizeof(*domain)))) {
		domain->name = strdup(name);
		domain->flags = itt_domain_is_chosen(name);
		domain->next = domains;
		if (domain->name)
			domains = domain;
	}
	unlock();
	return domain;
}

static unsigned hash_of(unsigned hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

enum { HASH_START = 18652614 };

struct itt_string *itt_string_of(const char *text)
{
	struct itt_string *string, **chain;

	if (!text)
		return NULL;
	chain = &strings[hash_of(HASH_START, text) % CHAINS];
	lock();
	for (string = *chain; string && strcmp(string->text, text) != 0;)
		string = string->next;
	if (!string && (string = calloc(1, sizeof(*string)))) {
		string->text = strdup(text);
		string->next = *chain;
		if (string->text)
			*chain = string;
	}
	unlock();
	return string;
}

static int same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static struct itt_counter *find_counter(struct itt_counter *counter, const char *domain,
					const char *name)
{
	while (counter && !(same(counter->name, name) && same(counter->domain, domain)))
		counter = counter->next;
	return counter;
}

static struct itt_counter *make_counter(struct itt_counter **chain, const char *domain,
					const char *name, int type)
{
	struct itt_counter *counter = calloc(1, sizeof(*counter));

	if (!counter)
		return NULL;
	counter->domain = domain ? strdup(domain) : NULL;
	counter->name = name ? strdup(name) : NULL;
	counter->type = type;
	counter->wanted = itt_domain_is_chosen(domain);
	counter->next = *chain;
	__atomic_store_n(chain, counter, __ATOMIC_RELEASE);
	return counter;
}

/* Those that are there are found without the lock: some programs ask each time. */
struct itt_counter *itt_counter_of(const char *domain, const char *name, int type)
{
	struct itt_counter **chain =
		&counters[hash_of(hash_of(HASH_START, domain), name) % CHAINS];
	struct itt_counter *counter = find_counter(
		__atomic_load_n(chain, __ATOMIC_ACQUIRE), domain, name);

	if (counter)
		return counter;
	lock();
	counter = find_counter(*chain, domain, name);
	if (!counter)
		counter = make_counter(chain, domain, name, type);
	unlock();
	return counter;
}

/* COUNT is published last: readers take no lock. */
static int number_of(struct numbered *n, const char *name, size_t len)
{
	int number = 0;

	lock();
	for (int i = 1; i <= n->count && !number; i++)
		if (!strncmp(n->names[i], name, len) && !n->names[i][len])
			number = i;
	if (!number && n->count + 1 < NUMBERED_MAX) {
		n->names[n->count + 1] = strndup(name, len);
		if (n->names[n->count + 1])
			number = __atomic_add_fetch(&n->count, 1, __ATOMIC_RELEASE);
	}
	unlock();
	return number;
}

static const char *name_of(const struct numbered *n, int number)
{
	if (number < 1 || number >= NUMBERED_MAX ||
	    number > __atomic_load_n(&n->count, __ATOMIC_ACQUIRE))
		return NULL;
	return n->names[number];
}

int itt_event_of(const char *name, int len)
{
	return name && len >= 0 ? number_of(&events, name, (size_t)len) : 0;
}

int itt_mark_of(const char *name)
{
	return name ? number_of(&marks, name, strlen(name)) : 0;
}

const char *itt_event_name(int event)
{
	return name_of(&events, event);
}

const char *itt_mark_name(int mark)
{
	return name_of(&marks, mark);
}
