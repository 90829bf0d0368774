# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Reads a report as a web page strictly and compares its numbers with those of the machine format.

html_page.py PAGE INTERVALS ROWS: INTERVALS is -j with one record per interval, ROWS the last interval
of --cumulative -j by the page's grouping. Says what is wrong; exit status 1.
"""
import html.parser
import json
import sys

VOID = {"meta", "link"}
KNOWN = VOID | set("html head title style body h1 h2 p b small section div table thead tbody tr th td svg g text bdi i "
                   "span ul li pre details summary line rect path".split())
wrong = []


def check(good, *why):
    if not good:
        wrong.append(" ".join(map(str, why)))


class Page(html.parser.HTMLParser):
    """Tags in balance, all of them known, nothing that loads or runs; keeps tables, charts and texts."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids = [], set()
        self.tables, self.svg, self.texts = {}, None, {}
        self.bars, self.cells, self.titles, self.marks = [], [], [], 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        check(len(values) == len(attributes), "an attribute twice in", tag)
        check(tag in KNOWN, "a tag that is not ours:", tag)
        for name, value in attributes:
            check(not name.startswith("on") and name not in ("src", "srcset", "action"), "attribute", name)
            check(name != "href" or value == "data:,", "a link to", value)
            check("url(" not in (value or ""), "a style that loads", value)
        if "id" in values:
            check(values["id"] not in self.ids, "id twice:", values["id"])
            self.ids.add(values["id"])
        if tag == "table":
            self.rows = self.tables.setdefault(values.get("id"), [])
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append(["", values])
        elif tag == "svg":
            self.svg = values["id"]
        elif tag == "g":
            self.bars.append(0.0)
        elif tag == "rect" and self.svg == "stages-chart":
            self.bars[-1] += float(values["height"])
        elif tag == "rect":
            self.cells.append(int(values["data-count"]))
        elif tag == "line" and "mark" in values.get("class", ""):
            self.marks += self.svg == "heatmap"
        if tag == "title" and self.svg:
            self.titles.append([self.svg, ""])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        check(tag in ("line", "rect", "path"), "an empty", tag)
        self.open.pop()

    def handle_endtag(self, tag):
        check(self.open[-1:] == [tag], "</%s> closes" % tag, self.open[-1:])
        self.open[-1:] = []
        if tag == "svg":
            self.svg = None

    def handle_data(self, data):
        inside = self.open[-1] if self.open else None
        if "td" in self.open or inside == "th":
            self.rows[-1][-1][0] += data
        elif inside == "title" and self.svg:
            self.titles[-1][1] += data
        else:
            self.texts[inside] = self.texts.get(inside, "") + data


def close(shown, value):
    """As three significant digits show it; "-": it is not known."""
    if shown == "-" or value is None:
        return shown == "-" and value is None
    return abs(float(shown.rstrip("%")) - value) <= 0.00501 * abs(value) + 1e-6


def ns(cell):
    return int(cell[1]["data-ns"]) if "data-ns" in cell[1] else None


def times(cells, stage, names, where):
    """Mean, percentiles and maximum of a stage, exact."""
    if not stage or stage["count"] == 0:
        check(all(cell[0] == "-" for cell in cells), where, "has times of nothing")
        return
    check([ns(cells[0]), int(cells[0][1]["data-count"])] == [stage["sum_ns"], stage["count"]], where, "mean")
    check(close(cells[0][0], stage["sum_ns"] / stage["count"] / 1e6), where, "mean", cells[0][0])
    for cell, name in zip(cells[1:], names):
        key = "max_ns" if name == "max" else "p999_ns" if name == "p99.9" else name.replace(".", "_") + "_ns"
        check(ns(cell) == stage[key], where, name, ns(cell), stage[key])
        check(close(cell[0], stage[key] / 1e6), where, name, cell[0])


def compare_intervals(page, intervals):
    head, *rows = page.tables["intervals"]
    names = [cell[0] for cell in head[6:]]
    check(len(rows) == len(intervals), len(rows), "intervals instead of", len(intervals))
    for row, record in zip(rows, intervals):
        where = "interval %s" % row[0][0]
        check(ns(row[1]) == record["interval_ns"], where, "length")
        check([cell[0] for cell in row[2:5]] == [str(record[key]) for key in ("ios", "bytes", "errors")], where)
        times(row[5:], record["stages"]["total"], names, where)
    titles = [title for svg, title in page.titles if svg == "stages-chart" and "mean" in title]
    highest = max(r["stages"]["total"]["sum_ns"] / max(r["ios"], 1) for r in intervals)
    check(len(titles) == len(page.bars) == len(intervals), len(page.bars), "bars")
    for title, bar, record in zip(titles, page.bars, intervals):
        check(": %d commands" % record["ios"] in title, title)
        mean = record["stages"]["total"]["sum_ns"] / max(record["ios"], 1)
        check(abs(bar - 200 * mean / max(highest, 1)) < 1, "a bar of", bar, "for", title)
    check(sum(page.cells) == sum(r["ios"] for r in intervals), "the heatmap has", sum(page.cells), "commands")


def compare_rows(page, rows):
    head, *shown = page.tables["rows"]
    names = [cell[0] for cell in head]
    shown = [dict(zip(names, (cell[0] for cell in row))) for row in shown]
    check(len(shown) == len(rows) + (len(rows) > 1), len(shown), "rows for", len(rows))
    for row, record in zip(shown, rows):
        seconds, total = record["interval_ns"] / 1e9, record["stages"]["total"]
        check(row["SID"] == str(record["sid"]), row["SID"], "is", record["sid"])
        check(close(row["avg"], total and total["count"] and total["sum_ns"] / total["count"] / 1e6 or None), "avg", row)
        check(close(row["max"], total["max_ns"] / 1e6 if total["count"] else None), "max", row)
        check(close(row["p99"], total["p99_ns"] and total["p99_ns"] / 1e6), "p99", row)
        for name, op in (("r/s", "read"), ("w/s", "write")):
            check(abs(float(row[name]) - record["ops"][op]["ios"] / seconds) <= 0.51, name, row)
    ios = sum(record["ios"] for record in rows)
    check(page.texts["b"].startswith(str(ios)), page.texts["b"], "commands instead of", ios)


def compare_stages(page, intervals):
    for name, row in zip(intervals[0]["stages"], page.tables["stages"][1:]):
        check(row[0][0].split()[-1] == name, row[0][0], "is", name)
        check(ns(row[2]) == sum(r["stages"][name]["sum_ns"] for r in intervals), "sum of", name)
        check((ns(row[-2]) or 0) == max(r["stages"][name]["max_ns"] for r in intervals), "longest of", name)


def stats(path):
    lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    return [line for line in lines if line["type"] == "stats"]


def main():
    page = Page()
    page.feed(open(sys.argv[1], encoding="utf-8").read())
    page.close()
    intervals, rows = stats(sys.argv[2]), stats(sys.argv[3])
    check(not page.open, "never closed:", page.open)
    compare_intervals(page, intervals)
    compare_rows(page, [row for row in rows if row["time"] == rows[-1]["time"]])
    compare_stages(page, intervals)
    print("%d intervals, %d cells, %d events" % (len(page.bars), len(page.cells), page.marks))
    for why in wrong[:20]:
        print("WRONG:", why)
    sys.exit(1 if wrong else 0)


main()
