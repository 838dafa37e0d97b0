/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/operators.h"

static int64_t op_bit_or(int64_t a, int64_t b)
{
	return a | b;
}

static int64_t op_bit_xor(int64_t a, int64_t b)
{
	return a ^ b;
}

static int64_t op_bit_and(int64_t a, int64_t b)
{
	return a & b;
}

static int64_t op_equal(int64_t a, int64_t b)
{
	return a == b;
}

static int64_t op_unequal(int64_t a, int64_t b)
{
	return a != b;
}

static int64_t op_less(int64_t a, int64_t b)
{
	return a < b;
}

static int64_t op_less_equal(int64_t a, int64_t b)
{
	return a <= b;
}

static int64_t op_greater(int64_t a, int64_t b)
{
	return a > b;
}

static int64_t op_greater_equal(int64_t a, int64_t b)
{
	return a >= b;
}

static int64_t op_shift_left(int64_t a, int64_t b)
{
	return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b);
}

static int64_t op_shift_right(int64_t a, int64_t b)
{
	return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a >> b);
}

static int64_t op_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t op_subtract(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t op_multiply(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* The smallest number has no positive counterpart: -1 is treated separately. */
static int64_t op_divide(int64_t a, int64_t b)
{
	if (b == -1)
		return op_subtract(0, a);
	return b ? a / b : 0;
}

static int64_t op_remainder(int64_t a, int64_t b)
{
	return b && b != -1 ? a % b : 0;
}

filter_operator_fn *const filter_operators[FILTER_OPS] = {
	[OP_BIT_OR] = op_bit_or,
	[OP_BIT_XOR] = op_bit_xor,
	[OP_BIT_AND] = op_bit_and,
	[OP_EQUAL] = op_equal,
	[OP_UNEQUAL] = op_unequal,
	[OP_LESS] = op_less,
	[OP_LESS_EQUAL] = op_less_equal,
	[OP_GREATER] = op_greater,
	[OP_GREATER_EQUAL] = op_greater_equal,
	[OP_SHIFT_LEFT] = op_shift_left,
	[OP_SHIFT_RIGHT] = op_shift_right,
	[OP_ADD] = op_add,
	[OP_SUBTRACT] = op_subtract,
	[OP_MULTIPLY] = op_multiply,
	[OP_DIVIDE] = op_divide,
	[OP_REMAINDER] = op_remainder,
};
