#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The live screen in a real pseudo-terminal: sort, group, open, resize, events, losses, quit, signals; and where there is none.
# The recording is that of replay.sh; what the screen shows must be what the table says of it.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
for tool in tmux jq; do
	command -v "$tool" >/dev/null || skip "$tool is missing"
done
run "$test_binary" --top --replay "$test_recording"
grep -q 'built without ncurses' "$test_err" && skip "the program was built without ncurses"

export LC_ALL=C.UTF-8 TZ=UTC
# A terminal that goes away sends HUP and CONT; the latter undoes the stop that the leak checker waits for, for ever.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
unset NO_COLOR
one=$test_folder/one
head -n 2 "$test_recording" >"$one"

terminal() {
	tmux -u -f /dev/null -S "$test_folder/tmux" "$@"
}
trap 'terminal kill-server 2>/dev/null; rm -rf "$test_folder"' EXIT

# With its last session the server would end, and the next one's beginning get in its way.
terminal new-session -d -s keep sleep 3600 || failed "tmux does not start"

cat >"$test_folder/inside" <<'SH'
[ -z "$term" ] || export TERM=$term
stty -g >"$folder/stty.before"
echo "what was there before"
bash -c 'echo $$ >"$folder/pid"; exec "$0" "$@"' "$@" 2>"$folder/err"
echo "status $?"
cat "$folder/err"
stty -g >"$folder/stty.after"
exec sleep 600
SH

screen() {
	terminal capture-pane -p -t top 2>&1
}

# awaits TEXT WHAT: the screen shows it, sooner or later.
awaits() {
	local i

	for ((i = 0; i < 200; i++)); do
		screen >"$test_out"
		grep -qF -- "$1" "$test_out" && return
		sleep 0.1
	done
	failed "$2: the screen does not show '$1'"
	sed 's/^/    screen: /' "$test_out"
	return 1
}

# start ARG...: the program on a screen of 100 x 24, of the recording in test_recording.
start() {
	terminal kill-session -t top 2>/dev/null
	rm -f "$test_folder"/stty.*
	terminal new-session -d -s top -x 100 -y 24 -e "folder=$test_folder" -e "NO_COLOR=${NO_COLOR:-}" -e term="${term:-}" \
		-e LC_ALL="$LC_ALL" -e TZ=UTC bash "$test_folder/inside" "$test_binary" --replay "$test_recording" "$@"
}

# press WHAT KEY...: keys, then the screen shows WHAT.
press() {
	local what=$1

	shift
	terminal send-keys -t top "$@"
	awaits "$what" "after $*"
}

# left STATUS WHAT: the program is gone, and the terminal as it was.
left() {
	awaits "status $1" "$2" || return
	grep -q '^what was there before' "$test_out" || failed "$2: what was on the terminal before is not there"
	[ "$(terminal display-message -p -t top '#{alternate_on} #{cursor_flag}')" = "0 1" ] || failed "$2: not the screen or the cursor of before"
	for ((i = 0; i < 50; i++)); do
		[ ! -s "$test_folder/stty.after" ] || break
		sleep 0.1
	done
	cmp -s "$test_folder/stty.before" "$test_folder/stty.after" || failed "$2: the terminal's settings are others"
}

# rows: the screen's, without heading; table ARG...: those of the table printer, the same interval.
rows() {
	screen | grep -E '^ *([0-9]+|read|write|other|sd[a-f]|mpatha) ' | sed -E 's/ +/ /g; s/^ //; s/ $//'
}

table() {
	"$test_binary" --replay "$one" "$@" | tail -n +2 | grep -v '^all\|^ *all' | sed -E 's/ +/ /g; s/^ //; s/ $//'
}

# shows WHAT WANTED: the rows are these, in this order.
shows() {
	local got

	got=$(rows)
	[ "$got" = "$2" ] && return
	failed "$1"
	diff <(echo "$2") <(echo "$got") | sed 's/^</    wanted:/; s/^>/    got:   /; /^[0-9]/d'
}

# --- rows, sorted and grouped ---

test_recording=$one
start --top
awaits "end of the recording" "the end"
expect_out "2026-11-30T00:53:21+00:00  1.00 s  by sid,cid  largest first by aqu" "the title"
expect_out "q quit" "the keys"
shows "the first screen" "$(table | sort -k7,7nr)"
[ "$(screen | grep -c '^all .* 660 ')" = 1 ] || failed "no sum of all rows"

press "largest first by wMB/s" Left
press "largest first by rMB/s" Left
press "largest first by w/s" Left
press "largest first by r/s" Left
shows "sorted by reads" "$(table | sort -k3,3nr)"
press "smallest first by r/s" r
shows "in reverse" "$(table | sort -k3,3n)"
press "smallest first by TARGET" '<'
shows "sorted by name" "$(table | sort -s -k2,2r)"
press "smallest first by SID" '<'
shows "sorted by session" "$(table | sort -k1,1n)"
terminal send-keys -t top '<'
press "largest first by SID" r

press "by sid,lun  largest first by SID" g
shows "by session and LUN" "$(table -b sid,lun | sort -s -k1,1nr)"
press "by disk  " g
press "by mpath  " g
press "by disk  " G
for ((i = 0; i < 4; i++)); do terminal send-keys -t top g; done
press "by op  largest first by aqu" g
shows "by operation" "$(table -b op | sort -k6,6nr)"
press "largest first by wMB/s" '<'
press "largest first by rMB/s" '<'
press "largest first by w/s" '<'
press "largest first by r/s" '<'
shows "by operation, largest first" "$(table -b op | sort -s -k2,2nr)"
press " busy " x
for ((i = 0; i < 17; i++)); do terminal send-keys -t top '>'; done
press "largest first by data_in" '>'
[ "$(sed -n 2p "$test_out" | grep -c 'OP .* data_in')" = 1 ] || { failed "the column sorted by is not in sight"; screen; }
press " host " x
for ((i = 0; i < 3; i++)); do terminal send-keys -t top "<"; done
press "largest first by r/s" '<'
awaits other "idle rows"
terminal send-keys -t top z
sleep 0.5
shows "without idle rows" "$(table -z -b op | sort -s -k2,2nr)"
press "another row" '?'
press "by op " x
press "another row" '?'
terminal send-keys -t top q
left 0 "q in the page of keys"

# --- an opened row ---

start --top
awaits "end of the recording" "the end"
terminal send-keys -t top Down
press "SID 2 TARGET" Enter
expect_out ": 504 commands, 0 errors" "an opened row"
wanted=$("$test_binary" --replay "$one" -j -s 2 | jq -r 'select(.type == "stats") | .stages | (.total.sum_ns) as $t |
	to_entries[] | "\(.key) \(100 * .value.sum_ns / $t | . + 0.5 | floor)% \(.value.sum_ns / .value.count / 1e6)"')
got=$(sed -nE '4,13p' "$test_out" | awk '{ print $1, $2, $3 + 0 }')
[ "$(echo "$wanted" | awk '{ printf "%s %s %.3g\n", $1, $2, $3 }')" = "$(echo "$got" | awk '{ printf "%s %s %.3g\n", $1, $2, $3 }')" ] ||
	{ failed "the stages of an opened row"; diff <(echo "$wanted") <(echo "$got"); }
# shellcheck disable=SC2126 # sums, not lines
[ "$(awk '/ -> .* : / { sum += $5 } END { print sum }' "$test_out")" = 504 ] || { failed "the histogram does not add up"; cat "$test_out"; }
press "block of 504 commands" Down
press "total of 504 commands" Up
press "done of 504 commands" Up
press "g group by" Escape
shows "after going back" "$(table | sort -k7,7nr)"

# --- sizes ---

screen >"$test_folder/before"
for size in "60 10" "25 4" "8 2" "1 1" "300 50" "100 24"; do
	read -r columns lines <<<"$size"
	terminal resize-window -t top -x "$columns" -y "$lines"
	sleep 0.5
	[ "$(screen | wc -L)" -le "$columns" ] || failed "$size: a line is too long"
	[ "$columns" -lt 25 ] || awaits "q quit" "a screen of $size"
	[ "$columns" -lt 60 ] || awaits " aqu" "a screen of $size: the column sorted by"
	[ "$lines" -lt 4 ] || [ "$(screen | grep -c 'q quit')/$(screen | tail -n 1 | cut -c1-6)" = "1/q quit" ] ||
		{ failed "$size: the keys are not in the last line"; screen; }
done
screen | cmp -s - "$test_folder/before" || { failed "another screen after resizing it back"; screen; }
press "status 0" q
left 0 "q"

# --- what is said at the bottom, and what was lost ---

test_recording=$test_folder/events
event='{"type":"session","time_ns":1796000000500000000,"sid":1,"cid":0,"turn":2,"code":1011}'
sed "2s/}\$/,\"events\":[$event]}/; 2s/\"torn\":0/\"torn\":2/" "$one" >"$test_recording"
start --top
awaits "lost or degraded since the start:  torn 2" "losses"
awaits "CONN_FAILED" "an event of a session"
terminal capture-pane -p -e -t top >"$test_out"
grep -q $'\e\[.*31m' "$test_out" || { failed "losses are not red"; cat -v "$test_out"; }
press "2 (torn)" q
left 0 "with losses"
NO_COLOR=1 start --top
awaits "lost or degraded" "losses without colours"
terminal capture-pane -p -e -t top >"$test_out"
! grep -qE $'\e\[([0-9;]*;)?3[0-7]m' "$test_out" || { failed "colours in spite of NO_COLOR"; cat -v "$test_out"; }
press "status 0" q

# A recording is played as fast as it was recorded; names do as the character set does.
test_recording=$test_folder/slow
sed '2s/"length_ns":1000000000/"length_ns":2000000000/' "$test_source/test/recordings/three_sessions.jsonl" | head -n 3 >"$test_recording"
LC_ALL=C start --top
awaits "iqn.20..rprototrace:a" "names in ASCII"
! grep -q "end of" "$test_out" || failed "a recording of two intervals is over at once"
begin=$(date +%s%N)
awaits "end of the recording" "the end of a recording"
[ $((($(date +%s%N) - begin) / 1000000)) -ge 1500 ] || failed "a recording is played too fast"

# The screens in doc/examples.md are those that it shows.
test_recording=$test_source/test/recordings/three_sessions.jsonl
start --top
awaits "end of the recording" "a whole recording"
screen | grep . >"$test_folder/shown"
press "total of 472 commands" End Enter
screen | grep . >>"$test_folder/shown"
sed -n '/^## Looking around/,/^## A LUN/p' "$test_source/doc/examples.md" | awk '/^```/ { inside = !inside; next } inside && !/^\$/ && NF' |
	diff - "$test_folder/shown" || failed "doc/examples.md has other screens"

# --- ends ---

for signal in TERM INT HUP QUIT; do
	start --top
	awaits "q quit" "before $signal"
	kill -"$signal" "$(cat "$test_folder/pid")"
	left 0 "$signal"
done
# Something is wrong with the second interval.
sed '3s/"number"/"nummer"/' "$test_folder/slow" | sed '2s/"length_ns":2000000000/"length_ns":500000000/' >"$test_folder/bad"
test_recording=$test_folder/bad
start --top
left 1 "a bad recording"
grep -q 'line 3: "number" is missing or wrong' "$test_folder/err" || failed "a bad recording: the screen is said what is wrong"
test_recording=$one
term=dumb start --top
left 2 "a dumb terminal"
awaits "terminal 'dumb': it cannot place its cursor" "a dumb terminal"

# --- no terminal, and what does not go together ---

run "$test_binary" --replay "$one" --top
expect 2 "no terminal"
expect_err "--top: standard output is no terminal" "no terminal"
expect_err "hint: " "no terminal"
for arguments in -j "-f csv" "-o $test_folder/file" -1 -H --heatmap "--histogram-of target" "--listen :0"; do
	# shellcheck disable=SC2086 # two words
	run "$test_binary" --replay "$one" --top $arguments
	expect 2 "--top with $arguments"
	expect_err "--top with ${arguments%% *}" "--top with $arguments"
done
[ ! -e "$test_folder/file" ] || failed "--top with -o makes a file"
finish
