/* SPDX-License-Identifier: Apache-2.0 */
#include "events/alias.h"

#include <string.h>

/* All reasons; bit 3 is one only on Zen 2. */
#define ZEN2_STALLS "amd64_fam17h_zen2::DISPATCH_RESOURCE_STALL_CYCLES_1:0xff"
#define ZEN3_STALLS "DISPATCH_RESOURCE_STALL_CYCLES_1:0xf7"

/* Loads and TLB reloads that missed the second level too. */
#define ZEN_DTLB                                                                         \
	"L1_DTLB_MISS:TLB_RELOAD_1G_L2_MISS:TLB_RELOAD_2M_L2_MISS"                       \
	":TLB_RELOAD_COALESCED_PAGE_MISS:TLB_RELOAD_4K_L2_MISS"

/* The L3 has counters of the socket; a core counts the sources of its own lines. */
#define ZEN2_FILL "DATA_CACHE_REFILLS_FROM_SYSTEM"
#define ZEN3_FILL "ANY_DATA_CACHE_FILLS_FROM_SYSTEM"

#define ZEN2_DRAM ":LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_DRAM"
#define ZEN2_FAR  ":LS_MABRESP_LCL_CACHE:LS_MABRESP_RMT_CACHE" ZEN2_DRAM
#define ZEN3_DRAM ":MEM_IO_LCL:MEM_IO_RMT"
#define ZEN3_FAR  ":INT_CACHE:EXT_CACHE_LCL:EXT_CACHE_RMT" ZEN3_DRAM
#define ZEN4_DRAM ":DRAM_IO_NEAR:DRAM_IO_FAR"
#define ZEN4_FAR                                                                         \
	":LOCAL_CCX:NEAR_CACHE_NEAR_FAR:FAR_CACHE_NEAR_FAR:ALT_MEM_NEAR_FAR" ZEN4_DRAM

/* Each instruction once, whatever its width; fused multiply-add twice. */
#define BDW_FP                                                                           \
	"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:SCALAR_SINGLE:128B_PACKED_DOUBLE"           \
	":128B_PACKED_SINGLE:256B_PACKED_DOUBLE:256B_PACKED_SINGLE"
#define SKL_FP BDW_FP ":512B_PACKED_DOUBLE:512B_PACKED_SINGLE"

/* A row reads best as one paragraph. */
/* clang-format off */
static const struct alias aliases[] = {
	{ "cycles", "CPU Cycles", "cycles of the core while it runs",
	  EVENT_UNIT_CYCLES, ALIAS_TIME | ALIAS_EVERYWHERE, 2999999,
	  { "UNHALTED_CORE_CYCLES", "CYCLES_NOT_IN_HALT", "CPU_CLK_UNHALTED",
	    "CPU_CYCLES" },
	  "cpu-cycles" },
	{ "insts", "Instructions Executed", "instructions retired",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 2999999,
	  { "INSTRUCTION_RETIRED", "RETIRED_INSTRUCTIONS", "INST_RETIRED:ANY_P",
	    "INST_RETIRED" },
	  "instructions" },
	{ "ref-cycles", "Reference Cycles",
	  "cycles at the rate of the reference clock while the core runs",
	  EVENT_UNIT_REF_CYCLES, ALIAS_TIME, 2000003,
	  { "UNHALTED_REFERENCE_CYCLES", "CPU_CLK_UNHALTED:REF_TSC",
	    "P0_FREQ_CYCLES_NOT_IN_HALT:P0_FREQ_CYCLES" },
	  "ref-cycles" },
	{ "ring0", "Ring 0 Cycles", "cycles of the core in the kernel",
	  EVENT_UNIT_CYCLES, ALIAS_TIME | ALIAS_EVERYWHERE, 2999999,
	  { "CPL_CYCLES:RING0", "UNHALTED_CORE_CYCLES:k", "CYCLES_NOT_IN_HALT:k",
	    "CPU_CLK_UNHALTED:k", "CPU_CYCLES:k" },
	  "cpu-cycles:k" },
	{ "ring123", "Ring 1,2,3 Cycles", "cycles of the core outside the kernel",
	  EVENT_UNIT_CYCLES, ALIAS_TIME | ALIAS_EVERYWHERE, 2999999,
	  { "CPL_CYCLES:RING123", "UNHALTED_CORE_CYCLES:u", "CYCLES_NOT_IN_HALT:u",
	    "CPU_CLK_UNHALTED:u", "CPU_CYCLES:u" },
	  "cpu-cycles:u" },
	{ "usr_time", "User CPU", "cycles of the core in user code",
	  EVENT_UNIT_CYCLES, ALIAS_TIME | ALIAS_EVERYWHERE, 2999999,
	  { "UNHALTED_CORE_CYCLES:u", "CYCLES_NOT_IN_HALT:u", "CPU_CLK_UNHALTED:u",
	    "CPU_CYCLES:u" },
	  "cpu-cycles:u" },
	{ "sys_time", "System CPU", "cycles of the core in the kernel",
	  EVENT_UNIT_CYCLES, ALIAS_TIME | ALIAS_EVERYWHERE, 2999999,
	  { "UNHALTED_CORE_CYCLES:k", "CYCLES_NOT_IN_HALT:k", "CPU_CLK_UNHALTED:k",
	    "CPU_CYCLES:k" },
	  "cpu-cycles:k" },
	{ "branches", "Branches", "branch instructions retired",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 500009,
	  { "BR_INST_RETIRED:ALL_BRANCHES", "BRANCH_INSTRUCTIONS_RETIRED",
	    "RETIRED_BRANCH_INSTRUCTIONS", "BR_RETIRED", "PC_WRITE_RETIRED", "BR_PRED",
	    "BRANCH_PRED" },
	  "branch-instructions" },
	{ "brmisp", "Branch Mispredictions", "mispredicted branches",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 10007,
	  { "BR_MISP_RETIRED:ALL_BRANCHES", "MISPREDICTED_BRANCH_RETIRED",
	    "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", "BR_MIS_PRED_RETIRED",
	    "BR_MIS_PRED", "BRANCH_MISPRED" },
	  "branch-misses" },
	{ "l1d-misses", "L1 D-cache Misses", "lines brought into the L1 data cache",
	  EVENT_UNIT_EVENTS, 0, 100003,
	  { "L1D:REPLACEMENT", ZEN3_FILL ":LCL_L2" ZEN4_FAR,
	    ZEN3_FILL ":LCL_L2" ZEN3_FAR, ZEN2_FILL ":MABRESP_LCL_L2" ZEN2_FAR,
	    "L1D_CACHE_REFILL" },
	  "L1-dcache-load-misses" },
	{ "l2-misses", "L2 Cache Misses",
	  "requests of the core that missed the L2 cache",
	  EVENT_UNIT_EVENTS, 0, 20011,
	  { "L2_RQSTS:ALL_DEMAND_MISS",
	    "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS",
	    "L2_LINES_IN:ALL", "L2D_CACHE_REFILL" },
	  NULL },
	{ "llc-refs", "Last-Level Cache References",
	  "requests that reached the last level of cache",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 20011,
	  { "LONGEST_LAT_CACHE:REFERENCE", "LONGEST_LAT_CACHE:REFERENCES",
	    "LLC_REFERENCES", ZEN3_FILL ZEN4_FAR, ZEN3_FILL ZEN3_FAR,
	    ZEN2_FILL ZEN2_FAR, "LL_CACHE_RD", "L2D_CACHE", "L2D_CACHE_ACCESS" },
	  "cache-references" },
	{ "llc-misses", "Last-Level Cache Misses", "requests served by memory",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 10007,
	  { "LONGEST_LAT_CACHE:MISS", "LLC_MISSES", ZEN3_FILL ZEN4_DRAM,
	    ZEN3_FILL ZEN3_DRAM, ZEN2_FILL ZEN2_DRAM, "LL_CACHE_MISS_RD",
	    "L2D_CACHE_REFILL" },
	  "cache-misses" },
	{ "dtlbm", "Data TLB Misses", "loads that missed every level of the data TLB",
	  EVENT_UNIT_EVENTS, 0, 10007,
	  { "DTLB_LOAD_MISSES:MISS_CAUSES_A_WALK", "DTLB_LOAD_MISSES:WALK_COMPLETED",
	    ZEN_DTLB, "DTLB_WALK", "L1D_TLB_REFILL" },
	  "dTLB-load-misses" },
	{ "itlbm", "Instruction TLB Misses",
	  "fetches that missed every level of the instruction TLB",
	  EVENT_UNIT_EVENTS, 0, 5003,
	  { "ITLB_MISSES:MISS_CAUSES_A_WALK", "ITLB_MISSES:WALK_COMPLETED",
	    "L1_ITLB_MISS_L2_ITLB_MISS:COALESCED4K:IF1G:IF2M:IF4K",
	    "L1_ITLB_MISS_L2_ITLB_MISS:IF1G:IF2M:IF4K", "ITLB_WALK", "L1I_TLB_REFILL" },
	  "iTLB-load-misses" },
	{ "stalled-fe", "Front-end Stall Cycles",
	  "cycles with no instruction to issue",
	  EVENT_UNIT_CYCLES, 0, 1000003,
	  { "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE", "OPS_QUEUE_EMPTY",
	    "UOPS_QUEUE_EMPTY", "STALL_FRONTEND" },
	  "stalled-cycles-frontend" },
	{ "stalled-be", "Back-end Stall Cycles",
	  "cycles without an issue for lack of resources",
	  EVENT_UNIT_CYCLES, 0, 1000003,
	  { "RESOURCE_STALLS:ANY", "CYCLE_ACTIVITY:STALLS_TOTAL",
	    ZEN2_STALLS, ZEN3_STALLS, "STALL_BACKEND" },
	  "stalled-cycles-backend" },
	{ "fp-ops", "Floating-point Operations",
	  "floating-point work, in the unit of the counter behind the alias",
	  EVENT_UNIT_EVENTS, 0, 1000003,
	  { SKL_FP, BDW_FP, "FP_ARITH_INST_RETIRED:0xff", "FP_COMP_OPS_EXE:0xf1",
	    "RETIRED_SSE_AVX_FLOPS:ANY", "VFP_SPEC", "INST_SPEC_EXEC_VFP" },
	  NULL },
	{ "loads", "Loads", "instructions that read memory",
	  EVENT_UNIT_EVENTS, 0, 1000003,
	  { "MEM_INST_RETIRED:ALL_LOADS", "MEM_UOPS_RETIRED:ALL_LOADS",
	    "LS_DISPATCH:LD_DISPATCH:LD_ST_DISPATCH", "LD_RETIRED", "LD_SPEC",
	    "INST_SPEC_EXEC_LOAD" },
	  "L1-dcache-loads" },
	{ "stores", "Stores", "instructions that write memory",
	  EVENT_UNIT_EVENTS, 0, 500009,
	  { "MEM_INST_RETIRED:ALL_STORES", "MEM_UOPS_RETIRED:ALL_STORES",
	    "LS_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH", "ST_RETIRED", "ST_SPEC",
	    "INST_SPEC_EXEC_STORE" },
	  "L1-dcache-stores" },
	{ "page-faults", "Page Faults", "faults served by the kernel",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 101,
	  { NULL }, "page-faults" },
	{ "cs", "Context Switches", "switches from one thread to another",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 11,
	  { NULL }, "context-switches" },
	{ "migrations", "CPU Migrations", "moves of a thread to another CPU",
	  EVENT_UNIT_EVENTS, ALIAS_EVERYWHERE, 1,
	  { NULL }, "cpu-migrations" },
};
/* clang-format on */

const struct alias *alias_nth(size_t n)
{
	return n < sizeof(aliases) / sizeof(*aliases) ? &aliases[n] : NULL;
}

const struct alias *alias_find(const char *name)
{
	const struct alias *alias;

	for (size_t n = 0; (alias = alias_nth(n)); n++)
		if (!strcasecmp(alias->name, name))
			return alias;
	return NULL;
}
