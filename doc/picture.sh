#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# doc/picture.sh PROGRAM >doc/picture.svg: draws the README's picture. Plays a recording from the lab with PROGRAM in a
# terminal of 100 columns and turns what is on the screen into SVG.
set -euo pipefail
program=$(readlink -f "${1:?usage: doc/picture.sh PROGRAM}")
cd "$(dirname "$(readlink -f "$0")")/../test/recordings"
commands=(
	'--replay slow_network.jsonl -b sid,op -z 1 2'
	'--replay slow_network.jsonl --op read -z -H 1 1'
)

# In a terminal of its own, so that it is as people see it.
on_screen() {
	local command

	for command in "${commands[@]}"; do
		printf '\033[1m$ storprototrace %s\033[0m\n' "$command"
		TERM=xterm-256color script -qec "stty cols 100 rows 40; exec '$program' $command" /dev/null </dev/null
		echo
	done
}

# Lines with SGR sequences (bold and the eight colours) to SVG.
# shellcheck disable=SC2016 # awk's
to_svg='
function escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	return text
}
function sgr(codes, n, i, code) {
	n = split(codes == "" ? "0" : codes, code, ";")
	for (i = 1; i <= n; i++) {
		if (code[i] == 0) bold = colour = ""
		else if (code[i] == 1) bold = " font-weight=\"bold\""
		else if (code[i] in colours) colour = " fill=\"" colours[code[i]] "\""
		else if (code[i] == 22) bold = ""
		else if (code[i] == 39) colour = ""
	}
}
function put(text) {
	width += length(text)
	if (text != "")
		line = line (bold colour == "" ? escaped(text) : "<tspan" bold colour ">" escaped(text) "</tspan>")
}
BEGIN {
	split("31 #ff7b72 32 #7ee787 33 #e3b341 34 #79c0ff 35 #d2a8ff 36 #76e3ea 37 #ffffff 90 #8b949e", pair, " ")
	for (i = 1; i in pair; i += 2) colours[pair[i]] = pair[i + 1]
	rows = columns = 0
}
{
	line = ""
	width = 0
	while (match($0, /\033\[[0-9;]*m/)) {
		put(substr($0, 1, RSTART - 1))
		sgr(substr($0, RSTART + 2, RLENGTH - 3))
		$0 = substr($0, RSTART + RLENGTH)
	}
	put($0)
	text[++rows] = line
	if (width > columns) columns = width
}
END {
	while (rows > 0 && text[rows] == "") rows--
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"ui-monospace, \x27DejaVu Sans Mono\x27, Menlo, Consolas, monospace\" font-size=\"14\">\n", columns * 8.43 + 24, rows * 18 + 24
	print "<!-- SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause. Made by doc/picture.sh -->"
	print "<title>storprototrace playing a recording of a slow network</title>"
	print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>"
	for (i = 1; i <= rows; i++)
		if (text[i] != "")
			printf "<text x=\"12\" y=\"%d\" fill=\"#e6edf3\" xml:space=\"preserve\">%s</text>\n", 12 + i * 18 - 4, text[i]
	print "</svg>"
}'
LC_ALL=C.UTF-8 on_screen | tr -d '\r' | LC_ALL=C awk "$to_svg"
