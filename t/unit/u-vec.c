/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static void test_growth(void)
{
	VEC(uint32_t) v = { 0 };
	uint64_t sum = 0;
	size_t cap;

	vec_for_each(uint32_t, it, &v)
		sum += *it;
	is_u64(sum, 0, "an all-zero vec has no elements");
	for (uint32_t i = 0; i < 10000; i++)
		*vec_push(&v) = i;
	is_u64(v.len, 10000, "each push is counted");
	vec_for_each(uint32_t, it, &v)
		sum += *it;
	is_u64(sum, 10000ull * 9999 / 2, "each element is visited once");

	cap = v.cap;
	vec_clear(&v);
	ok(!v.len && v.cap == cap, "clear keeps the room");
	vec_reserve(&v, 5);
	is_u64(v.cap, cap, "reserve within the room changes nothing");
	vec_reserve(&v, cap + 1);
	ok(v.cap > cap && !v.len, "reserve beyond it makes room, not elements");
	vec_release(&v);
	vec_release(&v);
	ok(!v.data && !v.cap, "release twice is harmless");
}

/* The program's exit status; it must not continue with a short allocation. */
static int status_of_growth_by(size_t len, size_t more, size_t size)
{
	size_t cap = 0;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(STDERR_FILENO);
		free(vec_grow(NULL, len, &cap, more, size));
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	test_growth();
	is_i64(status_of_growth_by(1, 1, 8), 0, "growth by one is fine");
	is_i64(status_of_growth_by(2, SIZE_MAX, 1), 1,
	       "a count that wraps ends the program");
	is_i64(status_of_growth_by(0, SIZE_MAX / 8, 16), 1, "so does a size that wraps");
	return done_testing();
}
