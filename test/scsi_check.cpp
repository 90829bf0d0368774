// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What is read out of CDBs and sense data, and SCSI's words.
#include <cstring>
#include <string>
#include <gtest/gtest.h>
#include "iscsi_bpf/scsi.h"
#include "output/scsi_words.h"

namespace
{

struct cdb decode(std::initializer_list<unsigned> bytes)
{
	__u8 all[CDB_BYTES];
	struct cdb cdb;
	size_t i = 0;

	// What follows a short CDB in memory must not matter.
	memset(all, 0xa5, sizeof(all));
	for (unsigned byte : bytes)
		all[i++] = static_cast<__u8>(byte);
	cdb_decode(all, &cdb);
	return cdb;
}

void expect_cdb(const struct cdb &cdb, uint64_t lba, uint32_t blocks, uint32_t action)
{
	EXPECT_EQ(lba, cdb.lba);
	EXPECT_EQ(blocks, cdb.blocks);
	EXPECT_EQ(action, cdb.service_action);
}

std::string opcode(uint32_t opcode, uint32_t action = UINT32_MAX)
{
	char text[SCSI_WORDS_SIZE];

	scsi_opcode_name(opcode, action, text);
	return text;
}

uint32_t sense(std::initializer_list<unsigned> bytes)
{
	__u8 all[SENSE_BYTES] = {};
	size_t i = 0;

	for (unsigned byte : bytes)
		all[i++] = static_cast<__u8>(byte);
	return sense_code(all);
}

const uint32_t NONE = UINT32_MAX;

} // namespace

TEST(cdb, reads_and_writes_of_every_length)
{
	expect_cdb(decode({0x08, 0xe1, 0x02, 0x03, 0x04, 0}), 0x010203, 4, NONE);
	expect_cdb(decode({0x0a, 0x1f, 0xff, 0xff, 0x00, 0}), 0x1fffff, 256, NONE);
	expect_cdb(decode({0x28, 0, 1, 2, 3, 4, 0, 5, 6, 0}), 0x01020304, 0x0506, NONE);
	expect_cdb(decode({0x2a, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}), 0xffffffff, 0, NONE);
	expect_cdb(decode({0xa8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0}), 0x01020304, 0x05060708, NONE);
	expect_cdb(decode({0x8a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0}),
		   0x0102030405060708, 0x090a0b0c, NONE);
	expect_cdb(decode({0x7f, 0, 0, 0, 0,  0,  0,  0x18, 0,	0x09, 0,  0,  1, 2,  3,	 4,
			   5,	 6, 7, 8, 20, 21, 22, 23,   24, 25,   26, 27, 9, 10, 11, 12}),
		   0x0102030405060708, 0x090a0b0c, 0x09);
}

TEST(cdb, others)
{
	expect_cdb(decode({0x35, 0, 0, 0, 1, 0, 0, 0, 9, 0}), 0x100, 9, NONE);
	expect_cdb(decode({0x89, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0}), 0x100, 3, NONE);
	// READ CAPACITY(16) and GET LBA STATUS share an opcode; only one has an address.
	expect_cdb(decode({0x9e, 0x10, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 32, 0, 0}), UINT64_MAX,
		   NONE, 0x10);
	expect_cdb(decode({0x9e, 0x12, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 32, 0, 0}), 0x100, NONE,
		   0x12);
	expect_cdb(decode({0x12, 0, 0, 0, 36, 0}), UINT64_MAX, NONE, NONE);
	expect_cdb(decode({0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0}), UINT64_MAX, NONE, NONE);
	expect_cdb(decode({0xff}), UINT64_MAX, NONE, NONE);
}

TEST(sense, both_formats)
{
	EXPECT_EQ(0x031100u, sense({0x70, 0, 0xe3, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x11, 0}));
	EXPECT_EQ(0x062907u, sense({0xf1, 0, 0x06, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x29, 0x07}));
	EXPECT_EQ(0x052400u, sense({0x72, 0x05, 0x24, 0x00, 0, 0, 0, 0}));
	EXPECT_EQ(0x0b4b03u, sense({0x73, 0xfb, 0x4b, 0x03, 0, 0, 0, 0}));
	// Cut off before the additional code: what lies there is not of this command.
	EXPECT_EQ(0x020000u, sense({0x70, 0, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x04, 0x03}));
	EXPECT_EQ(0x020400u, sense({0x70, 0, 0x02, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0x04, 0x03}));
}

TEST(sense, none)
{
	EXPECT_EQ(SENSE_NONE, sense({0}));
	EXPECT_EQ(SENSE_NONE, sense({0x7f, 0, 3}));
	EXPECT_EQ(SENSE_NONE, sense({0x02, 0, 3}));
}

TEST(scsi_words, opcodes)
{
	EXPECT_EQ("READ(10)", opcode(0x28));
	EXPECT_EQ("WRITE(16)", opcode(0x8a));
	EXPECT_EQ("TEST UNIT READY", opcode(0));
	EXPECT_EQ("READ(32)", opcode(0x7f, 0x09));
	EXPECT_EQ("VARIABLE LENGTH", opcode(0x7f, 0x77));
	EXPECT_EQ("READ CAPACITY(16)", opcode(0x9e, 0x10));
	EXPECT_EQ("SERVICE ACTION IN(16)", opcode(0x9e));
	EXPECT_EQ("REPORT TARGET PORT GROUPS", opcode(0xa3, 0x0a));
	EXPECT_EQ("EXTENDED COPY(LID1)", opcode(0x83, 0));
	EXPECT_EQ("0x07", opcode(0x07));
	EXPECT_EQ("0xc1", opcode(0xc1));
	// No service action makes an opcode out of another.
	EXPECT_EQ("0xffffffff", opcode(NONE, NONE));
	EXPECT_EQ("0x280000", opcode(0x280000, 0));
}

TEST(scsi_words, results)
{
	char text[SCSI_WORDS_SIZE];

	scsi_status_name(0x28, text);
	EXPECT_STREQ("TASK SET FULL", text);
	scsi_status_name(0x18, text);
	EXPECT_STREQ("RESERVATION CONFLICT", text);
	scsi_status_name(0x77, text);
	EXPECT_STREQ("0x77", text);
	scsi_host_name(0x0e, text);
	EXPECT_STREQ("DID_TRANSPORT_DISRUPTED", text);
	scsi_host_name(0x14, text);
	EXPECT_STREQ("DID_TRANSPORT_MARGINAL", text);
	scsi_host_name(0xee, text);
	EXPECT_STREQ("0xee", text);
	EXPECT_STREQ("MEDIUM ERROR", scsi_sense_key_name(3));
	EXPECT_STREQ("COMPLETED", scsi_sense_key_name(15));
	EXPECT_EQ(nullptr, scsi_sense_key_name(16));
	scsi_sense_text(0x1100, text);
	EXPECT_STREQ("Unrecovered read error", text);
	scsi_sense_text(0xabcd, text);
	EXPECT_STREQ("ASC 0xab ASCQ 0xcd", text);
}
