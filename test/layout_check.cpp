// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Layouts computed from declarations: against offsets measured in real kernels; false ones are found out.
#include <gtest/gtest.h>
#include <bpf/btf.h>
#include <cerrno>
#include <cstring>
#include <map>
#include <string>
#include <vector>
#include "iscsi_bpf/computed.h"
#include "iscsi_bpf/layout.h"
#include "iscsi_bpf/layout_check.h"

namespace {

int computed(const struct btf *btf, era which, const char *type, const char *path, bool *is_pointer = nullptr)
{
	kernel_btf described = {};

	described.vmlinux = const_cast<struct btf *>(btf);
	described.era = which;
	return computed_member(&described, type, path, is_pointer);
}

constexpr int REQUEST_SIZE = 272;

// BTF with the types that are embedded in the modules' structures, at the sizes of Debian's amd64 kernels 5.10 to 6.12.
class Layout : public testing::Test {
protected:
	void SetUp() override
	{
		btf = btf__new_empty();
		int_id = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
		long_id = btf__add_int(btf, "long", 8, BTF_INT_SIGNED);
		pointer_id = btf__add_ptr(btf, 0);
		for (auto &[name, size] : std::map<std::string, int>{
			     {"mutex", 32}, {"wait_queue_head", 24}, {"timer_list", 40}, {"work_struct", 32},
			     {"delayed_work", 88}, {"list_head", 16}, {"callback_head", 16}, {"sbitmap", 32},
			     {"sg_table", 16}}) {
			btf__add_struct(btf, name.c_str(), size);
			btf__add_field(btf, "first", long_id, 0, 0);
		}
		btf__add_struct(btf, "device", 736);
		btf__add_field(btf, "parent", pointer_id, 64 * 8, 0);
		btf__add_struct(btf, "request", REQUEST_SIZE);
		btf__add_field(btf, "q", pointer_id, 0, 0);
		btf__add_struct(btf, "request_queue", 64);
		btf__add_field(btf, "tag_set", pointer_id, 24 * 8, 0);
		btf__add_struct(btf, "blk_mq_tag_set", 64);
		btf__add_field(btf, "tags", pointer_id, 40 * 8, 0);
		btf__add_struct(btf, "blk_mq_tags", 64);
		btf__add_field(btf, "nr_tags", int_id, 0, 0);
		btf__add_field(btf, "static_rqs", pointer_id, 48 * 8, 0);
		btf__add_struct(btf, "scsi_request", 56);
		btf__add_field(btf, "resid_len", int_id, 36 * 8, 0);
		btf__add_field(btf, "sense", pointer_id, 48 * 8, 0);
		btf__add_struct(btf, "__kfifo", 24);
		btf__add_field(btf, "in", int_id, 0, 0);
		btf__add_field(btf, "out", int_id, 32, 0);
		btf__add_field(btf, "data", pointer_id, 16 * 8, 0);
		add_typedef("atomic_t", btf__add_struct(btf, "atomic", 4), int_id);
		add_typedef("spinlock_t", btf__add_struct(btf, "spinlock", 4), int_id);
		btf__add_typedef(btf, "dma_addr_t", long_id);
	}

	void TearDown() override { btf__free(btf); }

	void add_typedef(const char *name, int id, int member)
	{
		btf__add_field(btf, "value", member, 0, 0);
		btf__add_typedef(btf, name, id);
	}

	int offset(era which, const char *type, const char *path) { return computed(btf, which, type, path); }

	struct btf *btf = nullptr;
	int int_id, long_id, pointer_id;
};

struct measured {
	const char *type, *path;
	int in_5_10, in_6_1;
};

// From the debug information of 5.10.0-46 and the BTF of 6.1.0, amd64; -ENOENT: it has none.
const measured offsets[] = {
	{"iscsi_task", "hdr_itt", 12, 12}, {"iscsi_task", "cmdsn", 16, 16}, {"iscsi_task", "itt", 28, 28},
	{"iscsi_task", "imm_count", 32, 32}, {"iscsi_task", "unsol_r2t.data_length", 44, 44}, {"iscsi_task", "data_count", 72, 72}, {"iscsi_task", "sc", 80, 80},
	{"iscsi_task", "conn", 88, 88}, {"iscsi_task", "state", 116, 116}, {"iscsi_task", "refcount", 120, 120},
	{"iscsi_task", "running", 128, 128}, {"iscsi_task", "dd_data", 144, 144},
	{"iscsi_conn", "dd_data", 8, 8}, {"iscsi_conn", "session", 16, 16}, {"iscsi_conn", "last_recv", 72, 72},
	{"iscsi_conn", "id", 112, 112}, {"iscsi_conn", "task", 136, 136}, {"iscsi_conn", "suspend_tx", 232, -ENOENT},
	{"iscsi_conn", "flags", -ENOENT, 256}, {"iscsi_conn", "max_recv_dlength", 248, 264},
	{"iscsi_conn", "persistent_port", 272, 288}, {"iscsi_conn", "persistent_address", 280, 296},
	{"iscsi_session", "tmf_state", 152, 152}, {"iscsi_session", "cmdsn", 156, 168},
	{"iscsi_session", "queued_cmdsn", 168, 180}, {"iscsi_session", "max_r2t", 188, 200},
	{"iscsi_session", "targetname", 264, 280}, {"iscsi_session", "initiatorname", 288, 304},
	{"iscsi_session", "host", 368, 384}, {"iscsi_session", "leadconn", 376, 392},
	{"iscsi_session", "state", 392, 408}, {"iscsi_session", "cmds_max", 404, 420}, {"iscsi_session", "cmds", 408, 424},
	{"iscsi_session", "cmdpool.queue.kfifo.in", 416, 432}, {"iscsi_session", "cmdpool.queue.kfifo.out", 420, 436},
	{"iscsi_cls_session", "recovery_tmo", 192, 192}, {"iscsi_cls_session", "target_id", 288, 296},
	{"iscsi_cls_session", "state", 300, 308}, {"iscsi_cls_session", "sid", 308, 316},
	{"iscsi_cls_session", "dd_data", 312, 320}, {"iscsi_cls_session", "dev", 320, 328},
	{"iscsi_cls_conn", "dd_data", 16, 16}, {"iscsi_cls_conn", "cid", 32, 32}, {"iscsi_cls_conn", "flags", 88, 88},
	{"iscsi_cls_conn", "dev", 128, 128},
	{"iscsi_tcp_task", "r2t", 8, 8}, {"iscsi_tcp_conn", "in.hdr_buf", 112, 112}, {"iscsi_tcp_recv", "datalen", 344, 344},
	{"iscsi_segment", "digest_len", 44, 44}, {"iscsi_segment", "done", 72, 72},
	{"scsi_cmnd", "device", 56, 0}, {"scsi_cmnd", "jiffies_at_alloc", 192, 136}, {"scsi_cmnd", "cmd_len", 212, 156},
	{"scsi_cmnd", "cmnd", 224, 164}, {"scsi_cmnd", "sdb.length", 248, 216}, {"scsi_cmnd", "underflow", 264, 232},
	{"scsi_cmnd", "req.resid_len", 36, -ENOENT}, {"scsi_cmnd", "resid_len", -ENOENT, 240},
	{"scsi_cmnd", "request", 272, -ENOENT}, {"scsi_cmnd", "flags", 372, 256}, {"scsi_cmnd", "state", 376, 264},
	{"scsi_cmnd", "result", 368, 288}, {"scsi_cmnd", "host_scribble", 360, 280},
	{"scsi_device", "id", 112, 144}, {"scsi_device", "lun", 120, 152}, {"scsi_device", "vendor", 200, 232},
	{"scsi_device", "sdev_gendev", 376, 440},
};

TEST_F(Layout, OffsetsAreThoseOfRealKernels)
{
	for (const measured &m : offsets) {
		EXPECT_EQ(offset(ERA_5_10, m.type, m.path), m.in_5_10) << m.type << "." << m.path << " in 5.10";
		EXPECT_EQ(offset(ERA_6_1, m.type, m.path), m.in_6_1) << m.type << "." << m.path << " in 6.1";
	}
	EXPECT_EQ(offset(ERA_6_12, "scsi_device", "sdev_gendev"), 448);
	EXPECT_EQ(offset(ERA_6_18, "scsi_device", "sdev_gendev"), 456);
}

TEST_F(Layout, SizesFollowTheRunningKernel)
{
	struct btf *other = btf__new_empty();
	int id = btf__add_int(other, "long", 8, 0);

	btf__add_struct(other, "timer_list", 64);
	btf__add_field(other, "first", id, 0, 0);
	EXPECT_EQ(computed(other, ERA_6_1, "iscsi_conn", "id"), 112 + 64 - 40);
	btf__free(other);
}

TEST_F(Layout, UnknownIsNotInvented)
{
	struct btf *empty = btf__new_empty();

	EXPECT_EQ(offset(ERA_6_1, "iscsi_conn", "no_such_member"), -ENOENT);
	EXPECT_EQ(offset(ERA_6_1, "iscsi_conn", "i"), -ENOENT);
	EXPECT_EQ(offset(ERA_6_1, "iscsi_conn", "id.more"), -ENOENT);
	EXPECT_EQ(offset(ERA_6_1, "no_such_structure", "id"), -ENOENT);
	EXPECT_EQ(offset(static_cast<era>(0), "iscsi_conn", "id"), -ENOENT);
	EXPECT_EQ(computed(empty, ERA_6_1, "iscsi_conn", "id"), -ENOENT) << "timer_list is unknown";
	btf__free(empty);
}

TEST_F(Layout, PointersAreToldFromArrays)
{
	bool pointer = false;

	computed(btf, ERA_5_10, "scsi_cmnd", "cmnd", &pointer);
	EXPECT_TRUE(pointer);
	computed(btf, ERA_6_1, "scsi_cmnd", "cmnd", &pointer);
	EXPECT_FALSE(pointer);
}

// Kernel memory with one session in it, as a kernel of some era has it.
class Memory {
public:
	static constexpr uint64_t base = 0xffff888000000000, page = 0x1000;
	enum { CLS_SESSION, SESSION, CONN, CLS_CONN, TCP_CONN, TABLE, TASKS, HOST, TARGET, SDEV, QUEUE, TAG_SET, TAGS,
	       REQUEST_TABLE, REQUESTS, PAGES };

	Memory(const struct btf *described_by, era truth) : btf(described_by), built(truth), bytes(PAGES * page, 0)
	{
		set(CLS_SESSION, "iscsi_cls_session", "sid", 7, 4);
		set(CLS_SESSION, "iscsi_cls_session", "dd_data", at(SESSION));
		set(SESSION, "iscsi_session", "cls_session", at(CLS_SESSION));
		set(SESSION, "iscsi_session", "leadconn", at(CONN));
		set(SESSION, "iscsi_session", "host", at(HOST));
		set(SESSION, "iscsi_session", "cmds", at(TABLE));
		set(CONN, "iscsi_conn", "session", at(SESSION));
		set(CONN, "iscsi_conn", "cls_conn", at(CLS_CONN));
		set(CONN, "iscsi_conn", "dd_data", at(TCP_CONN));
		set(CONN, "iscsi_conn", "id", 3, 4);
		set(CLS_CONN, "iscsi_cls_conn", "dd_data", at(CONN));
		set(CLS_CONN, "iscsi_cls_conn", "cid", 3, 4);
		set(TCP_CONN, "iscsi_tcp_conn", "iscsi_conn", at(CONN));
		for (uint64_t i = 0; i < 4; i++) {
			put(at(TABLE) + i * 8, at(TASKS) + i * 256, 8);
			put(at(TASKS) + i * 256 + 28, i, 4);
		}
		set(SDEV, "scsi_device", "host", at(HOST));
		set(SDEV, "scsi_device", "lun", 11);
		put(at(SDEV) + place("scsi_device", "sdev_gendev") + 64, at(TARGET), 8);
		set(SDEV, "scsi_device", "request_queue", at(QUEUE));
		put(at(QUEUE) + 24, at(TAG_SET), 8);
		put(at(TAG_SET) + 40, at(TAGS) + 512, 8);
		put(at(TAGS) + 512, at(TAGS), 8);
		put(at(TAGS), 3, 4);
		put(at(TAGS) + 48, at(REQUEST_TABLE), 8);
		// Of three requests the first was never used.
		for (uint64_t i = 0; i < 3; i++)
			put(at(REQUEST_TABLE) + i * 8, at(REQUESTS) + i * 1024, 8);
		used_request(1);
		used_request(2);
		put(at(TARGET) + 64, at(CLS_SESSION) + place("iscsi_cls_session", "dev"), 8);
	}

	landmarks marks() const
	{
		landmarks l = {};

		l.session_device = at(CLS_SESSION) + place("iscsi_cls_session", "dev");
		l.conn_device = at(CLS_CONN) + place("iscsi_cls_conn", "dev");
		l.lun_device = at(SDEV) + place("scsi_device", "sdev_gendev");
		l.sid = 7;
		l.cid = 3;
		l.lun = 11;
		return l;
	}

	void set(int where, const char *type, const char *member, uint64_t value, size_t size = 8)
	{
		put(at(where) + place(type, member), value, size);
	}

	const char *contradiction(era assumed) const
	{
		kernel_btf described = {};
		kernel_view view = {read, const_cast<Memory *>(this)};
		landmarks l = marks();

		described.vmlinux = const_cast<struct btf *>(btf);
		described.era = assumed;
		return layout_contradiction(&described, &view, &l);
	}

	// What a command to the LUN left in its request.
	void used_request(uint64_t i)
	{
		uint64_t request = at(REQUESTS) + i * 1024, sc = request + REQUEST_SIZE;

		put(request, at(QUEUE), 8);
		put(sc + place("scsi_cmnd", "device"), at(SDEV), 8);
		put(sc + place("scsi_cmnd", "sense_buffer"), at(HOST) + 8, 8);
		if (built == ERA_5_10) {
			put(sc + place("scsi_cmnd", "request"), request, 8);
			put(sc + place("scsi_cmnd", "cmnd"), sc, 8);
		}
	}

	void clear_requests()
	{
		for (uint64_t i = 0; i < 0x1000; i++)
			bytes[at(REQUESTS) - base + i] = 0;
	}

	static uint64_t at(int where) { return base + where * page; }

private:
	int place(const char *type, const char *member) const { return computed(btf, built, type, member); }

	void put(uint64_t address, uint64_t value, size_t size) { memcpy(&bytes[address - base], &value, size); }

	static int read(void *memory, uint64_t address, uint64_t *value)
	{
		const auto &bytes = static_cast<Memory *>(memory)->bytes;

		if (address < base || address + 8 > base + bytes.size())
			return -EFAULT;
		memcpy(value, &bytes[address - base], 8);
		return 0;
	}

	const struct btf *btf;
	era built;
	std::vector<uint8_t> bytes;
};

TEST_F(Layout, OnlyTheTrueEraIsNotContradicted)
{
	// 7.2 differs from 6.18 in sizes that this BTF does not have: alike here.
	const era eras[] = {ERA_5_10, ERA_6_1, ERA_6_12, ERA_6_18};

	for (era truth : eras) {
		Memory memory(btf, truth);

		for (era assumed : eras) {
			const char *wrong = memory.contradiction(assumed);

			EXPECT_EQ(wrong == nullptr, assumed == truth) << truth << " taken for " << assumed << ": " << (wrong ? wrong : "believed");
		}
	}
}

TEST_F(Layout, EachPlantedMistakeIsNamed)
{
	const struct {
		int where;
		const char *type, *member;
	} plants[] = {
		{Memory::CLS_SESSION, "iscsi_cls_session", "sid"}, {Memory::SESSION, "iscsi_session", "cls_session"},
		{Memory::CONN, "iscsi_conn", "session"}, {Memory::CONN, "iscsi_conn", "id"},
		{Memory::CONN, "iscsi_conn", "cls_conn"}, {Memory::CLS_CONN, "iscsi_cls_conn", "dd_data"},
		{Memory::CLS_CONN, "iscsi_cls_conn", "cid"}, {Memory::TCP_CONN, "iscsi_tcp_conn", "iscsi_conn"},
		{Memory::SDEV, "scsi_device", "host"}, {Memory::SDEV, "scsi_device", "lun"},
	};

	for (const auto &p : plants) {
		Memory memory(btf, ERA_6_1);

		memory.set(p.where, p.type, p.member, 0x1234, 4);
		ASSERT_NE(memory.contradiction(ERA_6_1), nullptr) << p.type << "." << p.member;
		EXPECT_EQ(memory.contradiction(ERA_6_1), std::string(p.type) + "." + p.member);
	}
}

TEST_F(Layout, CommandsAreLookedFor)
{
	Memory memory(btf, ERA_5_10);

	memory.clear_requests();
	EXPECT_STREQ(memory.contradiction(ERA_5_10), "scsi_cmnd.device");
	memory.used_request(2);
	EXPECT_EQ(memory.contradiction(ERA_5_10), nullptr);
}

TEST_F(Layout, PointersIntoNowhereContradict)
{
	Memory memory(btf, ERA_6_1);

	memory.set(Memory::SESSION, "iscsi_session", "leadconn", 0);
	EXPECT_STREQ(memory.contradiction(ERA_6_1), "iscsi_conn.dd_data");
	memory = Memory(btf, ERA_6_1);
	memory.set(Memory::SESSION, "iscsi_session", "cmds", 8);
	EXPECT_STREQ(memory.contradiction(ERA_6_1), "iscsi_session.cmds");
}

} // namespace
