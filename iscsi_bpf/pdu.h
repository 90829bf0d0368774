/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* iSCSI PDUs: what is read of their headers. */
#ifndef STORPROTOTRACE_PDU_H
#define STORPROTOTRACE_PDU_H

/* Basic header segment (RFC 7143 11.2.1): opcode in byte 0, ITT in bytes 16-19. */
#define BHS_ITT 16
/* SCSI command: flags in byte 1, W: it writes. R2T: what it asks for, offset and length. */
#define BHS_FLAGS	    1
#define FLAG_WRITE	    0x20
#define BHS_R2T_OFFSET	    40
#define BHS_R2T_LENGTH	    44
#define OPCODE_MASK	    0x3f
#define OPCODE_NOP_OUT	    0x00
#define OPCODE_NOP_IN	    0x20
#define OPCODE_SCSI_RSP	    0x21
#define OPCODE_SCSI_DATA_IN 0x25
#define OPCODE_R2T	    0x31
/* No task: an answer to the target's own NOP-In, which is not answered in turn. */
#define ITT_RESERVED 0xffffffffU

#endif
