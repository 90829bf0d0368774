/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The latency histogram: one log-linear bucket function for the BPF and the user side. */
#ifndef STORPROTOTRACE_LAT_HIST_H
#define STORPROTOTRACE_LAT_HIST_H

#include <linux/types.h>

/*
 * Each power of two of nanoseconds from 2^10 (1.024 us) to 2^36 (68.7 s) is cut into 8 equal
 * buckets, so a bucket's middle is within 1/16 = 6.25 % of every value in it. Bucket 0 holds
 * what is shorter, the last one what is longer.
 */
#define LAT_HIST_SUB_BITS  3
#define LAT_HIST_MIN_SHIFT 10
#define LAT_HIST_MAX_SHIFT 36
#define LAT_HIST_BUCKETS   (((LAT_HIST_MAX_SHIFT - LAT_HIST_MIN_SHIFT) << LAT_HIST_SUB_BITS) + 2)

/* Bucket of a latency in ns: 0 .. LAT_HIST_BUCKETS - 1. No loops and no clz: BPF has neither. */
static inline __attribute__((always_inline)) __u64 lat_hist_bucket(__u64 ns)
{
	__u64 exponent = 0, v;

	if (ns < (1ULL << LAT_HIST_MIN_SHIFT))
		return 0;
	if (ns >= (1ULL << LAT_HIST_MAX_SHIFT))
		return LAT_HIST_BUCKETS - 1;
	/* The value in units of the first octave's eighth; its top four bits are what counts. */
	v = ns >> (LAT_HIST_MIN_SHIFT - LAT_HIST_SUB_BITS);
	if (v >> 19) {
		v >>= 16;
		exponent += 16;
	}
	if (v >> 11) {
		v >>= 8;
		exponent += 8;
	}
	if (v >> 7) {
		v >>= 4;
		exponent += 4;
	}
	if (v >> 5) {
		v >>= 2;
		exponent += 2;
	}
	if (v >> 4) {
		v >>= 1;
		exponent += 1;
	}
	return 1 + (exponent << LAT_HIST_SUB_BITS) + (v & ((1 << LAT_HIST_SUB_BITS) - 1));
}

/* Smallest latency in ns that falls into the bucket; for LAT_HIST_BUCKETS: beyond the last. */
static inline __u64 lat_hist_low_ns(__u32 bucket)
{
	__u32 octave, sub;

	if (bucket == 0)
		return 0;
	octave = (bucket - 1) >> LAT_HIST_SUB_BITS;
	sub = (bucket - 1) & ((1 << LAT_HIST_SUB_BITS) - 1);
	return (__u64)((1 << LAT_HIST_SUB_BITS) + sub)
	       << (octave + LAT_HIST_MIN_SHIFT - LAT_HIST_SUB_BITS);
}

#endif
