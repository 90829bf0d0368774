// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where in a CDB the logical block address, the number of blocks and the service action lie. */
#include "iscsi_bpf/scsi.h"

#include <stddef.h>
#include <string.h>

/* Offsets and sizes in bytes; size 0: has none. */
struct cdb_shape {
	__u8 opcode;
	__u8 service_action; /* of opcodes that have one: which; else 0 */
	__u8 lba, lba_size;
	__u8 blocks, blocks_size;
};

/* clang-format off */
static const struct cdb_shape shapes[] = {
	{0x08, 0, 1, 3, 4, 1},  {0x0a, 0, 1, 3, 4, 1},  /* READ(6), WRITE(6) */
	{0x28, 0, 2, 4, 7, 2},  {0x2a, 0, 2, 4, 7, 2},  /* READ(10), WRITE(10) */
	{0x2e, 0, 2, 4, 7, 2},  {0x2f, 0, 2, 4, 7, 2},  /* WRITE AND VERIFY(10), VERIFY(10) */
	{0x34, 0, 2, 4, 7, 2},  {0x35, 0, 2, 4, 7, 2},  /* PRE-FETCH(10), SYNCHRONIZE CACHE(10) */
	{0x41, 0, 2, 4, 7, 2},                          /* WRITE SAME(10) */
	{0xa8, 0, 2, 4, 6, 4},  {0xaa, 0, 2, 4, 6, 4},  /* READ(12), WRITE(12) */
	{0xae, 0, 2, 4, 6, 4},  {0xaf, 0, 2, 4, 6, 4},  /* WRITE AND VERIFY(12), VERIFY(12) */
	{0x88, 0, 2, 8, 10, 4}, {0x8a, 0, 2, 8, 10, 4}, /* READ(16), WRITE(16) */
	{0x8b, 0, 2, 8, 10, 4}, {0x8e, 0, 2, 8, 10, 4}, /* ORWRITE(16), WRITE AND VERIFY(16) */
	{0x8f, 0, 2, 8, 10, 4}, {0x90, 0, 2, 8, 10, 4}, /* VERIFY(16), PRE-FETCH(16) */
	{0x91, 0, 2, 8, 10, 4}, {0x93, 0, 2, 8, 10, 4}, /* SYNCHRONIZE CACHE(16), WRITE SAME(16) */
	{0x89, 0, 2, 8, 13, 1}, {0x9c, 0, 2, 8, 12, 2}, /* COMPARE AND WRITE, WRITE ATOMIC(16) */
	{0x9e, 0x12, 2, 8, 0, 0},                       /* GET LBA STATUS */
	{0x7f, 0x09, 12, 8, 28, 4}, {0x7f, 0x0b, 12, 8, 28, 4}, /* READ(32), WRITE(32) */
	{0x7f, 0x0a, 12, 8, 28, 4}, {0x7f, 0x0c, 12, 8, 28, 4}, /* VERIFY(32), WRITE AND VERIFY(32) */
	{0x7f, 0x0d, 12, 8, 28, 4},                             /* WRITE SAME(32) */
};
/* clang-format on */

static __u64 big_endian(const __u8 *bytes, size_t size)
{
	__u64 number = 0;

	for (size_t i = 0; i < size; i++)
		number = number << 8 | bytes[i];
	return number;
}

/* ~0: the opcode has none. */
static __u32 service_action(const __u8 *bytes)
{
	switch (bytes[0]) {
	case 0x7f: /* variable length */
		return big_endian(bytes + 8, 2);
	case 0x9d: /* SERVICE ACTION BIDIRECTIONAL */
	case 0x9e: /* SERVICE ACTION IN(16) */
	case 0x9f: /* SERVICE ACTION OUT(16) */
	case 0xa3: /* MAINTENANCE IN */
	case 0xa4: /* MAINTENANCE OUT */
	case 0xa9: /* SERVICE ACTION OUT(12) */
	case 0xab: /* SERVICE ACTION IN(12) */
	case 0x5e: /* PERSISTENT RESERVE IN */
	case 0x5f: /* PERSISTENT RESERVE OUT */
	case 0x83: /* third-party copy out */
	case 0x84: /* third-party copy in */
		return bytes[1] & 0x1f;
	default:
		return ~0U;
	}
}

static const struct cdb_shape *find_shape(__u8 opcode, __u32 action)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (shapes[i].opcode == opcode &&
		    (action == ~0U || shapes[i].service_action == action))
			return &shapes[i];
	return NULL;
}

void cdb_decode(const __u8 bytes[CDB_BYTES], struct cdb *out)
{
	const struct cdb_shape *shape;

	memset(out, 0xff, sizeof(*out));
	out->service_action = service_action(bytes);
	shape = find_shape(bytes[0], out->service_action);
	if (!shape)
		return;
	out->lba = big_endian(bytes + shape->lba, shape->lba_size);
	if (shape->blocks_size)
		out->blocks = big_endian(bytes + shape->blocks, shape->blocks_size);
	/* READ(6) and WRITE(6) have 21 bits of address, and 0 stands for 256 blocks. */
	if (shape->lba_size == 3) {
		out->lba &= 0x1fffff;
		out->blocks = out->blocks ? out->blocks : 256;
	}
}
