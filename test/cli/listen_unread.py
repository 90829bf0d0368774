# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Clients that ask for a page, each for another one, and do not read it: listen_unread.py PORT PID. Exit status 1: the
program keeps more than a few of the pages, or does not serve others. Its intervals are to be shorter than 0.3 s."""
import socket
import sys
import time

port, pid = int(sys.argv[1]), sys.argv[2]


def resident_kb():
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def ask(source, buffer=None):
    client = socket.socket()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.settimeout(60)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    client.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    return client


def page():
    received = b""
    with ask("127.0.0.1") as client:
        while data := client.recv(1 << 20):
            received += data
    return received


size_kb = len(page()) // 1024
before_kb = resident_kb()
unread, most_kb = [], 0
for _ in range(14):
    unread.append(ask("127.0.0.3", 2048))
    time.sleep(0.3)
    most_kb = max(most_kb, resident_kb())
last = page()
pages = (most_kb - before_kb) / size_kb
print(f"14 clients that do not read pages of {size_kb} KB took {most_kb - before_kb} KB, {pages:.1f} pages")
served = last.startswith(b"HTTP/1.1 200 ") and len(last) // 1024 >= size_kb
# Four, one more while it is made, and what making it takes.
sys.exit(not served or pages > 8)
