/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SCSI's numbers in words: operations, statuses, host bytes, sense. For output/ only. */
#ifndef STORPROTOTRACE_SCSI_WORDS_H
#define STORPROTOTRACE_SCSI_WORDS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Enough for any of the texts. */
#define SCSI_WORDS_SIZE 80

/*
 * "READ(10)"; `service_action` tells apart what shares an opcode (all ones: there is none or it is
 * not known). What is not in the table: "0xNN".
 */
void scsi_opcode_name(uint32_t opcode, uint32_t service_action, char text[SCSI_WORDS_SIZE]);

/* SCSI status, "CHECK CONDITION" (SAM-5 5.3); "0xNN". */
void scsi_status_name(uint32_t status, char text[SCSI_WORDS_SIZE]);

/* Host byte, "DID_NO_CONNECT" (the kernel's include/scsi/scsi_status.h); "0xNN". */
void scsi_host_name(uint32_t host, char text[SCSI_WORDS_SIZE]);

/* "MEDIUM ERROR"; NULL for a number that is no sense key. */
const char *scsi_sense_key_name(uint32_t key);

/* ASC << 8 | ASCQ: "Unrecovered read error"; "ASC 0xNN ASCQ 0xNN" (SPC-5 annex F). */
void scsi_sense_text(uint32_t asc_ascq, char text[SCSI_WORDS_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
