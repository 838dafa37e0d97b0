/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STACK_MODE_H
#define STACK_MODE_H

/*
 * How to collect stacks: by tables from copies of the stack (CFI), by frame pointers or
 * the CPU's branch records, both followed by the kernel, or not at all.
 */
enum stack_mode { STACK_CFI, STACK_FP, STACK_LBR, STACK_OFF, STACK_MODES };

/* "cfi", "fp", "lbr", "off": for options and log.json. */
extern const char *const stack_mode_names[STACK_MODES];

#endif
