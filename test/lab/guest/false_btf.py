# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""false_btf.py STRUCT BYTES: BTF from standard input to standard output, one structure grown by so many bytes."""
import struct
import sys

name, grown = sys.argv[1].encode(), int(sys.argv[2])
data = bytearray(sys.stdin.buffer.read())
magic, _, _, header, types, types_size, strings, _ = struct.unpack_from("<HBBIIIII", data)
assert magic == 0xEB9F
# Bytes behind a type, by kind: a fixed number, and a number per member.
fixed = {1: 4, 3: 12, 14: 4, 17: 4}
per_member = {4: 12, 5: 12, 6: 8, 13: 8, 15: 12, 19: 12}
at, changed = header + types, 0
while at < header + types + types_size:
    name_at, info, size = struct.unpack_from("<III", data, at)
    kind, members = info >> 24 & 0x1F, info & 0xFFFF
    start = header + strings + name_at
    if kind == 4 and data[start:data.index(b"\0", start)] == name:
        struct.pack_into("<I", data, at + 8, size + grown)
        changed += 1
    at += 12 + fixed.get(kind, 0) + members * per_member.get(kind, 0)
assert changed, "no such structure"
sys.stdout.buffer.write(data)
