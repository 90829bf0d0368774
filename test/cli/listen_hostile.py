# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Clients at their worst: listen_hostile.py PORT PID MEMORY_KB REPORTS. Says how the program fared; exit status 1: badly.

PID replays intervals of 0.1 s to the file REPORTS; its resident memory may grow by MEMORY_KB.
"""
import socket
import sys
import threading
import time

port, pid, memory_kb, reports = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
GET = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
bad = []
start = time.monotonic()


def note(what):
    print(f"{time.monotonic() - start:5.1f} s: {what}", flush=True)



def check(right, what):
    if not right:
        bad.append(what)


def status(field):
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def cpu_s():
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def connect(source="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))


def ask(request, source="127.0.0.1", patience=30):
    """All that is answered before the connection ends; b"" also when it is reset."""
    answer = b""
    with connect(source) as client:
        client.settimeout(patience)
        try:
            client.sendall(request)
            while data := client.recv(1 << 20):
                answer += data
        except OSError:
            pass
    return answer


def is_open(client):
    client.setblocking(False)
    try:
        return client.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


# When each interval was reported, for how late the latest came.
gaps = []
watching = True


def watch():
    last, count = time.monotonic(), 0
    while watching:
        with open(reports, "rb") as lines:
            now = lines.read().count(b'"type":"loss"')
        if now > count:
            gaps.append(time.monotonic() - last)
            last, count = time.monotonic(), now
        time.sleep(0.02)


page = ask(GET)
check(page.startswith(b"HTTP/1.1 200 "), "no page to begin with")
before_kb = status("VmRSS")
watcher = threading.Thread(target=watch, daemon=True)
watcher.start()

# Nonsense, and too much of it: an error or nothing, never more; and it is told at once.
for name, request, wanted in (
    ("binary", bytes(range(256)) * 100, (b"HTTP/1.1 400",)),
    ("a request without a version", b"GET /metrics\r\n\r\n", (b"HTTP/1.1 400", b"HTTP/1.0 400")),
    ("a megabyte of header", GET[:-2] + b"X: " + b"a" * 1000000 + b"\r\n\r\n", (b"HTTP/1.1 431", b"HTTP/1.1 413", b"")),
    ("100000 headers", GET[:-2] + b"".join(b"A%d: b\r\n" % i for i in range(100000)) + b"\r\n", (b"HTTP/1.1 431", b"HTTP/1.1 413", b"")),
    ("a path of 100 KB", b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", (b"HTTP/1.1 414", b"")),
    ("a body that is too much", b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n" + b"x" * 1000000, (b"HTTP/1.1 405", b"")),
    ("a negative length", b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", (b"HTTP/1.1 400",)),
    ("endless chunks", b"POST /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", (b"HTTP/1.1 405", b"HTTP/1.1 400", b"")),
    ("a thousand requests at once", GET * 1000, (b"HTTP/1.1 200", b"")),
):
    note(name)
    answer = ask(request)
    check(any(answer[: len(start)] == start and (start or not answer) for start in wanted), f"{name}: {answer[:60]}")
    check(len(answer) < 2 * len(page), f"{name}: {len(answer)} bytes")

# Ten thousand requests.
note("10000 requests")
answered = [0] * 4


def many(which):
    for _ in range(2500):
        answered[which] += ask(GET).startswith(b"HTTP/1.1 200 ")


begin = time.monotonic()
threads = [threading.Thread(target=many, args=(which,)) for which in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
requests_s = time.monotonic() - begin
check(sum(answered) == 10000, f"{sum(answered)} of 10000 requests were answered")

# Clients that never end their request: a byte now and then. All from one address: it has its share, others are served.
note("half-open connections")
half_open = [connect() for _ in range(200)]
for client in half_open:
    try:
        client.sendall(GET[:20])
    except OSError:
        pass
time.sleep(0.5)
held = [client for client in half_open if is_open(client)]
check(0 < len(held) <= 16, f"{len(held)} connections of one address")
begin, cpu_before = time.monotonic(), cpu_s()
others = 0
while time.monotonic() - begin < 9:
    for client in held:
        try:
            client.send(b"x")
        except OSError:
            pass
    others += ask(GET, "127.0.0.2").startswith(b"HTTP/1.1 200 ")
    time.sleep(0.5)
check(others > 3, f"{others} requests of others were answered meanwhile")
slow_cpu_s = cpu_s() - cpu_before
while time.monotonic() - begin < 20 and any(map(is_open, held)):
    time.sleep(0.2)
held_s = time.monotonic() - begin
check(held_s < 15, f"half-open connections live for {held_s:.1f} s")
check(ask(GET).startswith(b"HTTP/1.1 200 "), "no page at the end")

after_kb, peak_kb = status("VmRSS"), status("VmHWM")
watching = False
watcher.join()
check(peak_kb - before_kb < memory_kb, f"memory grew from {before_kb} to {peak_kb} KB")
# Generous: the machine may have more to do than two processors can.
check(max(gaps[1:]) < 5, f"a report came after {max(gaps[1:]):.1f} s")
check(slow_cpu_s < 5, f"slow clients took {slow_cpu_s:.1f} s of processor time")
print(f"10000 pages of {len(page)} bytes in {requests_s:.1f} s; resident memory {before_kb} KB, at most {peak_kb}, then "
      f"{after_kb}; intervals of 0.1 s at most {max(gaps[1:]):.2f} s apart, on average {sum(gaps[1:]) / len(gaps[1:]):.3f}; "
      f"half-open connections ended within {held_s:.1f} s; {slow_cpu_s:.2f} s of processor time meanwhile")
for what in bad:
    print("FAILED:", what)
sys.exit(bool(bad))
