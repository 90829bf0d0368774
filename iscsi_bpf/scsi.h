/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the bytes of a CDB and of sense data say (SPC-5, SBC-4). No state, no kernel. */
#ifndef STORPROTOTRACE_SCSI_H
#define STORPROTOTRACE_SCSI_H

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of sense data that sense_code() looks at. */
#define SENSE_BYTES 16
/* There is no sense data. */
#define SENSE_NONE 0xffffffffU

/*
 * Sense key << 16 | ASC << 8 | ASCQ, from either format: fixed (70h, 71h) and descriptor (72h,
 * 73h). SENSE_NONE for anything else.
 */
static inline __attribute__((always_inline)) __u32 sense_code(const __u8 sense[SENSE_BYTES])
{
	__u8 format = sense[0] & 0x7f;

	if (format == 0x70 || format == 0x71) {
		/* Fixed format: byte 7 says how many bytes follow; ASC and ASCQ may be cut off. */
		__u32 code = (__u32)(sense[2] & 0xf) << 16;

		if (sense[7] >= 5)
			code |= sense[12] << 8;
		if (sense[7] >= 6)
			code |= sense[13];
		return code;
	}
	if (format == 0x72 || format == 0x73)
		return (__u32)(sense[1] & 0xf) << 16 | sense[2] << 8 | sense[3];
	return SENSE_NONE;
}

#define CDB_BYTES 32

/* What a CDB asks for; all ones: it says no such thing, or it is not known where it would. */
struct cdb {
	__u64 lba;
	__u32 blocks;
	__u32 service_action;
};

/* `bytes`: what lies behind the end of a shorter CDB is not looked at. */
void cdb_decode(const __u8 bytes[CDB_BYTES], struct cdb *out);

#ifdef __cplusplus
}
#endif

#endif
