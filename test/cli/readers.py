# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Do all formats say the same? readers.py FOLDER, which has what one recording gave at its end, grouped by session, LUN
and operation, as json, csv, prometheus, openmetrics and table (exact columns only). Exit status 1: no; says where."""
import csv
import json
import re
import subprocess
import sys
from decimal import Decimal

folder = sys.argv[1]
STAGES = "block busy queue send r2t data_out target data_in done total".split()
# Metric, column of csv (which has json's names, flattened), column of the table.
COUNTS = (
    ("commands", "ios", "ios"),
    ("transferred_bytes", "bytes", "bytes"),
    ("commands_good", "good", "good"),
    ("command_status_errors", "status_errors", "status"),
    ("command_host_errors", "host_errors", "hosterr"),
    ("command_pdus", "pdus", "pdus"),
    ("attempts_refused", "refused", "refused"),
    ("attempts_refused_window", "refused_window", "refwin"),
    ("attempts_refused_no_task", "refused_no_task", "reftask"),
    ("attempts_without_task", "no_task", "notask"),
    ("attempts_repeated", "retries", "retries"),
    ("attempts_aborted", "aborted", "aborted"),
    ("attempts_disrupted", "disrupted", "disrupted"),
    ("r2ts", "r2ts", "r2ts"),
    ("reads", "read_ios", None),
    ("writes", "write_ios", None),
    ("other_commands", "other_ios", None),
    ("read_bytes", "read_bytes", None),
    ("written_bytes", "write_bytes", None),
)
bad, compared = [], 0


def same(what, values):
    """All values are equal; values: by format."""
    global compared
    compared += len(values)
    if len(set(values.values())) > 1:
        bad.append(f"{what}: {values}")


def key_of(record):
    return (str(record["sid"]), str(record["lun"]), record["op"])


# json, as jq sees it: numbers exactly as written.
flat = """select(.type == "stats") | [.sid, .lun, .op, .ios, .stages.total.sum_ns, .stages.total.p99_ns] | @tsv"""
jq = {}
for line in subprocess.run(["jq", "-r", flat, f"{folder}/json"], check=True, capture_output=True, text=True).stdout.splitlines():
    sid, lun, op, *numbers = line.split("\t")
    jq[(sid, lun, op)] = numbers
with open(f"{folder}/json", encoding="utf-8") as lines:
    objects = [json.loads(line) for line in lines]
records = {key_of(o): o for o in objects if o["type"] == "stats"}
losses = next(o for o in objects if o["type"] == "loss")
with open(f"{folder}/csv", encoding="utf-8", newline="") as lines:
    rows = {key_of(row): row for row in csv.DictReader(lines, strict=True)}

# The table: its columns were chosen, the last row is of all.
with open(f"{folder}/table", encoding="utf-8") as lines:
    words = [line.split() for line in lines if line.strip()]
table = {tuple(row[:3]): dict(zip(words[0], row)) for row in words[1:] if row[0] != "all"}


def samples(name):
    """Of an exposition: (metric, labels) to value, by the text alone."""
    found = {}
    with open(f"{folder}/{name}", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            metric, labels, value = re.fullmatch(r"([a-z_0-9]+)(?:\{(.*)\})? (\S+)\n", line).groups()
            pairs = tuple(sorted(re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', labels or "")))
            found[(metric, pairs)] = Decimal(value)
    return found


def by_record(exposition, metric, **wanted):
    """Record's key to value, of samples with these labels besides those of the record."""
    found = {}
    for (name, pairs), value in exposition.items():
        labels = dict(pairs)
        if name == "storprototrace_" + metric and all(labels.get(k) == v for k, v in wanted.items()):
            found[(labels["sid"], labels["lun"], labels["op"])] = value
    return found


text, openmetrics = samples("prometheus"), samples("openmetrics")
if text != openmetrics:
    bad.append("prometheus and openmetrics have other samples")
if not set(records) == set(rows) == set(table) == set(jq) == set(by_record(text, "commands_total")):
    bad.append(f"other records: {set(records) ^ set(rows)} {set(records) ^ set(table)} {set(records) ^ set(jq)}")

for metric, column, shown in COUNTS:
    metrics = by_record(text, metric + "_total")
    for key, row in rows.items():
        values = {"csv": int(row[column]), "prometheus": int(metrics[key])}
        if column in records[key]:
            values["json"] = records[key][column]
        else:
            op, what = column.split("_")
            values["json"] = records[key]["ops"][op][what]
        if shown:
            values["table"] = int(table[key][shown])
        same(f"{column} of {key}", values)
for key, value in by_record(text, "commands_inflight").items():
    same(f"inflight of {key}", {"csv": int(rows[key]["inflight"]), "json": records[key]["inflight"],
                                "table": int(table[key]["infl"]), "prometheus": int(value)})
for stage in STAGES:
    metric = "command_duration_seconds" if stage == "total" else "stage_duration_seconds"
    wanted = {} if stage == "total" else {"stage": stage}
    sums, counts = by_record(text, metric + "_sum", **wanted), by_record(text, metric + "_count", **wanted)
    buckets = {}
    for (name, pairs), value in text.items():
        labels = dict(pairs)
        if name == f"storprototrace_{metric}_bucket" and labels.get("stage") == wanted.get("stage"):
            buckets.setdefault((labels["sid"], labels["lun"], labels["op"]), []).append((Decimal(labels["le"]), value))
    for key, row in rows.items():
        of = records[key]["stages"][stage]
        if of is None or of["sum_ns"] is None:
            same(f"{stage} of {key}", {"csv": row[stage + "_sum_ns"], "metrics": "" if key not in sums else "there"})
            continue
        same(f"sum of {stage} of {key}", {"csv": int(row[stage + "_sum_ns"]), "json": of["sum_ns"], "prometheus": int(sums[key] * 10**9)})
        same(f"commands with {stage} of {key}", {"csv": int(row[stage + "_count"]), "prometheus": int(counts[key]),
                                                 "bucket": int(dict(buckets[key])[Decimal("Infinity")])})
        # The 99th of a hundred is in the bucket that has it, by either.
        p99 = of["p99_ns"]
        same(f"p99 of {stage} of {key}", {"csv": row[stage + "_p99_ns"], "json": "" if p99 is None else str(p99)})
        if not p99:
            continue
        rank, low = Decimal("0.99") * counts[key], Decimal(0)
        for le, count in sorted(buckets[key]):
            if count >= rank:
                break
            low = le
        if not low * 10**9 <= p99 <= le * 10**9:
            bad.append(f"p99 of {stage} of {key}: {p99} is not in the bucket from {low} to {le} s")
for key, (ios, total_ns, p99_ns) in jq.items():
    same(f"jq of {key}", {"jq": (ios, total_ns, p99_ns), "csv": (rows[key]["ios"], rows[key]["total_sum_ns"], rows[key]["total_p99_ns"])})
row = next(iter(rows.values()))
for (name, pairs), value in text.items():
    if name == "storprototrace_losses_total":
        loss = dict(pairs)["loss"]
        same(loss, {"prometheus": int(value), "json": losses[loss], "csv": int(row["loss_" + loss])})

# A database made of the csv adds up as csv and json do.
sums = ", ".join(f"sum({column})" for _, column, _ in COUNTS)
answer = subprocess.run(["sqlite3", ":memory:", ".mode csv", f".import {folder}/csv stats", f"SELECT count(*), {sums} FROM stats;",
                         "SELECT coalesce(sum(ios), 0) FROM stats WHERE op = 'read' AND target_max_ns + 0 > 0;"],
                        check=True, capture_output=True, text=True).stdout.split()
same("sqlite3's sums", {"sqlite3": answer[0], "csv": ",".join(map(str, [len(rows)] + [sum(int(row[c]) for row in rows.values()) for _, c, _ in COUNTS]))})
same("sqlite3's condition", {"sqlite3": int(answer[1]), "json": sum(r["ios"] for r in records.values() if r["op"] == "read" and r["stages"]["target"]["max_ns"])})

print(f"{len(records)} records, {compared} values compared")
if not records or compared < 50 * len(records):
    bad.append("too few values were compared")
for what in bad[:20]:
    print("differ:", what)
sys.exit(bool(bad))
