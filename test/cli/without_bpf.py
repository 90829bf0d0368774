# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""without_bpf.py PROGRAM ARG...: runs it with bpf(2) answering EPERM, as in a container, by a seccomp filter."""
import ctypes, os, platform, struct, sys

number = {"x86_64": 321, "aarch64": 280}[platform.machine()]
code = ctypes.create_string_buffer(
    struct.pack("<HBBI", 0x20, 0, 0, 0)  # the system call's number
    + struct.pack("<HBBI", 0x15, 0, 1, number)
    + struct.pack("<HBBI", 0x06, 0, 0, 0x00050001)  # SECCOMP_RET_ERRNO, EPERM
    + struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF0000)  # SECCOMP_RET_ALLOW
)
program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", 4, ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program):
    sys.exit("no seccomp: " + os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
