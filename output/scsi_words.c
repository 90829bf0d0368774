// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The tables of SCSI's words. They hold what initiators send and hosts of storage meet; libsgutils
 * has all, but no pkg-config file, and another name for each of its versions.
 */
#include "output/scsi_words.h"

#include <stdio.h>

struct number_word {
	uint32_t number;
	const char *word;
};

/* Opcode, or opcode << 16 | service action + 1. */
#define ACTION(opcode, action) ((opcode) << 16 | ((action) + 1))

static const struct number_word opcodes[] = {
	{0x00, "TEST UNIT READY"},
	{0x01, "REWIND"},
	{0x03, "REQUEST SENSE"},
	{0x04, "FORMAT UNIT"},
	{0x08, "READ(6)"},
	{0x0a, "WRITE(6)"},
	{0x12, "INQUIRY"},
	{0x15, "MODE SELECT(6)"},
	{0x16, "RESERVE(6)"},
	{0x17, "RELEASE(6)"},
	{0x1a, "MODE SENSE(6)"},
	{0x1b, "START STOP UNIT"},
	{0x1c, "RECEIVE DIAGNOSTIC RESULTS"},
	{0x1d, "SEND DIAGNOSTIC"},
	{0x1e, "PREVENT ALLOW MEDIUM REMOVAL"},
	{0x25, "READ CAPACITY(10)"},
	{0x28, "READ(10)"},
	{0x2a, "WRITE(10)"},
	{0x2e, "WRITE AND VERIFY(10)"},
	{0x2f, "VERIFY(10)"},
	{0x34, "PRE-FETCH(10)"},
	{0x35, "SYNCHRONIZE CACHE(10)"},
	{0x37, "READ DEFECT DATA(10)"},
	{0x3b, "WRITE BUFFER"},
	{0x3c, "READ BUFFER(10)"},
	{0x41, "WRITE SAME(10)"},
	{0x42, "UNMAP"},
	{0x4c, "LOG SELECT"},
	{0x4d, "LOG SENSE"},
	{0x55, "MODE SELECT(10)"},
	{0x5a, "MODE SENSE(10)"},
	{0x5e, "PERSISTENT RESERVE IN"},
	{0x5f, "PERSISTENT RESERVE OUT"},
	{0x7f, "VARIABLE LENGTH"},
	{ACTION(0x7f, 0x09), "READ(32)"},
	{ACTION(0x7f, 0x0a), "VERIFY(32)"},
	{ACTION(0x7f, 0x0b), "WRITE(32)"},
	{ACTION(0x7f, 0x0c), "WRITE AND VERIFY(32)"},
	{ACTION(0x7f, 0x0d), "WRITE SAME(32)"},
	{0x83, "THIRD-PARTY COPY OUT"},
	{ACTION(0x83, 0x00), "EXTENDED COPY(LID1)"},
	{ACTION(0x83, 0x01), "EXTENDED COPY(LID4)"},
	{ACTION(0x83, 0x10), "POPULATE TOKEN"},
	{ACTION(0x83, 0x11), "WRITE USING TOKEN"},
	{0x84, "THIRD-PARTY COPY IN"},
	{0x85, "ATA PASS-THROUGH(16)"},
	{0x88, "READ(16)"},
	{0x89, "COMPARE AND WRITE"},
	{0x8a, "WRITE(16)"},
	{0x8b, "ORWRITE(16)"},
	{0x8e, "WRITE AND VERIFY(16)"},
	{0x8f, "VERIFY(16)"},
	{0x90, "PRE-FETCH(16)"},
	{0x91, "SYNCHRONIZE CACHE(16)"},
	{0x93, "WRITE SAME(16)"},
	{0x94, "ZBC OUT"},
	{0x95, "ZBC IN"},
	{0x9c, "WRITE ATOMIC(16)"},
	{0x9e, "SERVICE ACTION IN(16)"},
	{ACTION(0x9e, 0x10), "READ CAPACITY(16)"},
	{ACTION(0x9e, 0x12), "GET LBA STATUS"},
	{0x9f, "SERVICE ACTION OUT(16)"},
	{0xa0, "REPORT LUNS"},
	{0xa1, "ATA PASS-THROUGH(12)"},
	{0xa2, "SECURITY PROTOCOL IN"},
	{0xa3, "MAINTENANCE IN"},
	{ACTION(0xa3, 0x05), "REPORT IDENTIFYING INFORMATION"},
	{ACTION(0xa3, 0x0a), "REPORT TARGET PORT GROUPS"},
	{ACTION(0xa3, 0x0c), "REPORT SUPPORTED OPERATION CODES"},
	{ACTION(0xa3, 0x0d), "REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS"},
	{0xa4, "MAINTENANCE OUT"},
	{ACTION(0xa4, 0x0a), "SET TARGET PORT GROUPS"},
	{0xa8, "READ(12)"},
	{0xaa, "WRITE(12)"},
	{0xae, "WRITE AND VERIFY(12)"},
	{0xaf, "VERIFY(12)"},
	{0xb5, "SECURITY PROTOCOL OUT"},
};

static const struct number_word statuses[] = {
	{0x00, "GOOD"},
	{0x02, "CHECK CONDITION"},
	{0x04, "CONDITION MET"},
	{0x08, "BUSY"},
	{0x10, "INTERMEDIATE"},
	{0x14, "INTERMEDIATE-CONDITION MET"},
	{0x18, "RESERVATION CONFLICT"},
	{0x22, "COMMAND TERMINATED"},
	{0x28, "TASK SET FULL"},
	{0x30, "ACA ACTIVE"},
	{0x40, "TASK ABORTED"},
};

static const struct number_word hosts[] = {
	{0x00, "DID_OK"},
	{0x01, "DID_NO_CONNECT"},
	{0x02, "DID_BUS_BUSY"},
	{0x03, "DID_TIME_OUT"},
	{0x04, "DID_BAD_TARGET"},
	{0x05, "DID_ABORT"},
	{0x06, "DID_PARITY"},
	{0x07, "DID_ERROR"},
	{0x08, "DID_RESET"},
	{0x09, "DID_BAD_INTR"},
	{0x0a, "DID_PASSTHROUGH"},
	{0x0b, "DID_SOFT_ERROR"},
	{0x0c, "DID_IMM_RETRY"},
	{0x0d, "DID_REQUEUE"},
	{0x0e, "DID_TRANSPORT_DISRUPTED"},
	{0x0f, "DID_TRANSPORT_FAILFAST"},
	{0x10, "DID_TARGET_FAILURE"},
	{0x11, "DID_NEXUS_FAILURE"},
	{0x12, "DID_ALLOC_FAILURE"},
	{0x13, "DID_MEDIUM_ERROR"},
	{0x14, "DID_TRANSPORT_MARGINAL"},
};

static const struct number_word senses[] = {
	{0x0000, "No additional sense information"},
	{0x0400, "Logical unit not ready, cause not reportable"},
	{0x0401, "Logical unit is in process of becoming ready"},
	{0x0402, "Logical unit not ready, initializing command required"},
	{0x0403, "Logical unit not ready, manual intervention required"},
	{0x0404, "Logical unit not ready, format in progress"},
	{0x040a, "Logical unit not accessible, asymmetric access state transition"},
	{0x040b, "Logical unit not accessible, target port in standby state"},
	{0x040c, "Logical unit not accessible, target port in unavailable state"},
	{0x0800, "Logical unit communication failure"},
	{0x0801, "Logical unit communication time-out"},
	{0x0c00, "Write error"},
	{0x0c02, "Write error - auto reallocation failed"},
	{0x0c0d, "Write error - not enough unsolicited data"},
	{0x0e03, "Invalid field in command information unit"},
	{0x1000, "ID CRC or ECC error"},
	{0x1001, "Logical block guard check failed"},
	{0x1002, "Logical block application tag check failed"},
	{0x1003, "Logical block reference tag check failed"},
	{0x1100, "Unrecovered read error"},
	{0x1104, "Unrecovered read error - auto reallocate failed"},
	{0x1a00, "Parameter list length error"},
	{0x1d00, "Miscompare during verify operation"},
	{0x2000, "Invalid command operation code"},
	{0x2100, "Logical block address out of range"},
	{0x2400, "Invalid field in CDB"},
	{0x2500, "Logical unit not supported"},
	{0x2600, "Invalid field in parameter list"},
	{0x2604, "Invalid release of persistent reservation"},
	{0x2700, "Write protected"},
	{0x2701, "Hardware write protected"},
	{0x2702, "Logical unit software write protected"},
	{0x2707, "Space allocation failed write protect"},
	{0x2800, "Not ready to ready change, medium may have changed"},
	{0x2900, "Power on, reset, or bus device reset occurred"},
	{0x2901, "Power on occurred"},
	{0x2902, "SCSI bus reset occurred"},
	{0x2903, "Bus device reset function occurred"},
	{0x2904, "Device internal reset"},
	{0x2907, "I_T nexus loss occurred"},
	{0x2a01, "Mode parameters changed"},
	{0x2a03, "Reservations preempted"},
	{0x2a04, "Reservations released"},
	{0x2a05, "Registrations preempted"},
	{0x2a06, "Asymmetric access state changed"},
	{0x2a07, "Implicit asymmetric access state transition failed"},
	{0x2a09, "Capacity data has changed"},
	{0x2c00, "Command sequence error"},
	{0x2f00, "Commands cleared by another initiator"},
	{0x3100, "Medium format corrupted"},
	{0x3807, "Thin provisioning soft threshold reached"},
	{0x3a00, "Medium not present"},
	{0x3e00, "Logical unit has not self-configured yet"},
	{0x3e01, "Logical unit failure"},
	{0x3f03, "Inquiry data has changed"},
	{0x3f0e, "Reported LUNs data has changed"},
	{0x4400, "Internal target failure"},
	{0x4700, "SCSI parity error"},
	{0x4900, "Invalid message error"},
	{0x4b00, "Data phase error"},
	{0x4e00, "Overlapped commands attempted"},
	{0x5500, "System resource failure"},
	{0x5503, "Insufficient resources"},
	{0x5d00, "Failure prediction threshold exceeded"},
};

/* NULL: it is not in the table. */
#define FIND(table, number) find(table, sizeof(table) / sizeof((table)[0]), number)

static const char *find(const struct number_word *table, size_t count, uint32_t number)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].number == number)
			return table[i].word;
	return NULL;
}

static void word_or_number(const char *word, uint32_t number, char text[SCSI_WORDS_SIZE])
{
	if (word)
		snprintf(text, SCSI_WORDS_SIZE, "%s", word);
	else
		snprintf(text, SCSI_WORDS_SIZE, "0x%02x", number);
}

void scsi_opcode_name(uint32_t opcode, uint32_t service_action, char text[SCSI_WORDS_SIZE])
{
	const char *word = NULL;

	if (opcode <= 0xff && service_action < 0xffff)
		word = FIND(opcodes, ACTION(opcode, service_action));
	word_or_number(word ? word : FIND(opcodes, opcode), opcode, text);
}

void scsi_status_name(uint32_t status, char text[SCSI_WORDS_SIZE])
{
	word_or_number(FIND(statuses, status), status, text);
}

void scsi_host_name(uint32_t host, char text[SCSI_WORDS_SIZE])
{
	word_or_number(FIND(hosts, host), host, text);
}

const char *scsi_sense_key_name(uint32_t key)
{
	static const char *const names[] = {
		"NO SENSE",	  "RECOVERED ERROR", "NOT READY",      "MEDIUM ERROR",
		"HARDWARE ERROR", "ILLEGAL REQUEST", "UNIT ATTENTION", "DATA PROTECT",
		"BLANK CHECK",	  "VENDOR SPECIFIC", "COPY ABORTED",   "ABORTED COMMAND",
		"RESERVED (0xc)", "VOLUME OVERFLOW", "MISCOMPARE",     "COMPLETED",
	};

	return key < sizeof(names) / sizeof(names[0]) ? names[key] : NULL;
}

void scsi_sense_text(uint32_t asc_ascq, char text[SCSI_WORDS_SIZE])
{
	const char *word = FIND(senses, asc_ascq);

	if (word)
		snprintf(text, SCSI_WORDS_SIZE, "%s", word);
	else
		snprintf(text, SCSI_WORDS_SIZE, "ASC 0x%02x ASCQ 0x%02x", asc_ascq >> 8 & 0xff,
			 asc_ascq & 0xff);
}
