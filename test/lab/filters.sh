#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every filter selects what it names, live, by --replay and through filter_apply(), in table and JSON; many tracers at once.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"
check_build=${STORPROTOTRACE_BUILD:-$check_source/build}

build_filter_apply() {
	local flags=()

	! grep -q '^SANITIZE:BOOL=ON' "$check_build/CMakeCache.txt" || flags=("-fsanitize=address,undefined")
	# shellcheck disable=SC2046 # several words are wanted
	"${CC:-cc}" -Wall -Wextra -Werror "${flags[@]}" -I "$check_source" -o "$check_share/filter_apply" \
		"$check_folder/filter_apply.c" "$check_build/libstorprototrace.a" \
		$(pkg-config --libs libbpf libelf zlib smartcols json-c) -lm || failed "filter_apply.c does not build"
}

# Lines "SID LUN DISK OP IOS" of what had commands, sorted: as expected, from JSON lines, from a table of r/s, w/s, o/s
# over one second.
wanted() {
	jq -rs "map(select(.ios > 0) | select($1)) | .[] | \"\(.sid) \(.lun) \(.disk) \(.op) \(.ios)\"" "$check_share/expected" | sort
}

from_json() {
	jq -rs 'map(select(.type == "stats" and .ios > 0)) | group_by([.sid, .lun, .disk, .op])[] |
		"\(.[0].sid) \(.[0].lun) \(.[0].disk) \(.[0].op) \(map(.ios) | add)"' "$1" | sort
}

from_table() {
	awk '$1 == "SID" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 ~ /^[0-9]+$/ { print $1, $at["LUN"], $at["DISK"], $at["OP"], $at["r/s"] + $at["w/s"] + $at["o/s"] }' "$1" | sort
}

same() {
	[ "$1" = "$2" ] && return
	failed "$3"
	diff <(echo "$2") <(echo "$1") | sed 's/^</    wanted:/; s/^>/    got:   /; /^[0-9]/d'
}

# One reading was recorded; made one second long, its rates are its counts.
prepare_recording() {
	expect_equal "$(grep -c '"reading"' "$check_share/recording")" 1 "readings recorded"
	jq -c 'if .reading then .reading.length_ns = 1000000000 else . end' "$check_share/recording" >"$check_share/second"
}

# check_replayed NAME WANTED ARG...
check_replayed() {
	local name=$1 wanted=$2 out=$check_share/replayed

	shift 2
	"$check_binary" --replay "$check_share/second" -q -j -b sid,lun,op "$@" >"$out" || failed "$name: --replay -j"
	same "$(from_json "$out")" "$wanted" "$name: --replay, JSON"
	"$check_binary" --replay "$check_share/second" -q -x -z -b sid,lun,op "$@" >"$out" || failed "$name: --replay"
	same "$(from_table "$out")" "$wanted" "$name: --replay, table"
	"$check_share/filter_apply" --replay "$check_share/second" -q -x -z -b sid,lun,op "$@" >"$out" || failed "$name: filter_apply"
	same "$(from_table "$out")" "$wanted" "$name: --replay, filter_apply"
}

check_cases() {
	local name where args wanted live=0 all=0

	while IFS='|' read -r name where args; do
		read -ra args <<<"$args"
		name=${name% }
		wanted=$(wanted "$where")
		check_replayed "${name#+}" "$wanted" "${args[@]}"
		all=$((all + 1))
		[[ $name == +* ]] || continue
		live=$((live + 1))
		use "${name#+}"
		same "$(from_json "$tracer_out")" "$wanted" "${name#+}: live, JSON"
		expect_equal "$(losses)" "" "${name#+}: losses"
		expect_sound
	done <"$check_share/cases"
	echo "$all filters by --replay in table, JSON and filter_apply, $live of them live; $(wanted true | wc -l) rows," \
		"$(wanted true | awk '{ sum += $5 } END { print sum }') commands"
}

# rows WHERE: as `wanted`, without numbers.
rows() {
	wanted "$1" | cut -d' ' -f1-4
}

check_live_tables() {
	local two

	two=$(jq -rs '.[6].sid' "$check_share/expected")
	same "$(from_table "$check_share/table-write.json" | cut -d' ' -f1-4)" "$(rows ".sid == $two and .op == \"write\"")" "live table"
	same "$(from_table "$check_share/apply-target.json" | cut -d' ' -f1-4)" "$(rows '.target | length < 223')" "filter_apply, target"
	same "$(from_table "$check_share/apply-lun-read.json" | cut -d' ' -f1-4)" "$(rows '.lun == 1 and .op == "read"')" \
		"filter_apply, LUN and op"
}

# Names are whole in JSON and shortened in the table.
check_names() {
	local long width

	use all
	same "$(records true '.[] | "\(.sid) \(.target) \(.initiator) \(.portal)"' | sort -u)" \
		"$(jq -s '.[] | "\(.sid) \(.target) \(.initiator) \(.portal)"' "$check_share/expected" | sort -u)" "names and portals"
	long=$(records true 'map(.target | length) | max')
	width=$(LC_ALL=C.UTF-8 wc -L <"$check_share/table.json")
	echo "longest target name $long bytes; its table line $width columns"
	expect_equal "$long" 223 "target name in JSON"
	[ "$width" -le 100 ] || failed "a line of the table has $width columns"
	expect_equal "$(grep -c '^ *3 iqn.*…' "$check_share/table.json")" 1 "rows of the shortened name in the table"
}

# said NAME TEXT: how often stderr of NAME says it.
said() {
	grep -cF -- "$2" "$check_share/$1.err"
}

check_come_and_go() {
	local new=4 reads

	use come-and-go
	reads=$(total ".sid == $new and .op == \"read\"" .ios)
	echo "session $new came and went: $reads reads traced, $(noted reads) by its disk"
	expect_equal "$reads" "$(noted reads)" "reads of a session that came and went"
	expect_equal "$(records ".sid == $new and .ios > 0 and .target != \"iqn.2026-01.org.storprototrace:alpha\"" length)" 0 \
		"records of a session that came and went without its name"
	expect_equal "$(said new-sid "sid $new: there is none")" 1 "a session that is not there yet is said once"
	use new-sid
	expect_equal "$(total '.op == "read"' .ios)" "$reads" "reads of the session that was waited for"
	expect_equal "$(total ".sid != $new" .ios)" 0 "commands of other sessions"
	use new-other
	expect_equal "$(total ".sid == $new" .ios)" 0 "commands of the new session where another target is wanted"
}

check_slow_login() {
	local pdus

	use slow-login
	pdus=$(total '.sid == 5' .pdus)
	echo "session 5, held in its login with the name '$(noted named)': $pdus command PDUs, $(noted pdus) by its own count"
	expect_equal "$pdus" "$(noted pdus)" "command PDUs of a session held in its login"
	expect_equal "$(total '.sid == 5 and .op == "read"' .ios)" "$(noted reads)" "its reads"
}

status_of() {
	awk -v name="$1" '$1 == name { print $2 }' "$check_share/statuses"
}

check_absent() {
	local name what

	expect_equal "$(status_of strict)" 1 "--strict with absent names: exit status"
	expect_equal "$(status_of absent)" 0 "absent names: exit status"
	[ ! -s "$check_share/strict.json" ] || failed "--strict with absent names prints"
	for name in strict absent; do
		for what in 'sid 99' 'target iqn.absent' 'disk sdzz' 'lun 7'; do
			expect_equal "$(said "$name" "$what: there is none")" 1 "$name: times stderr says $what"
		done
		expect_equal "$(said "$name" ': there is none')" 4 "$name: times stderr says that there is none"
	done
}

check_once() {
	use once
	expect_equal "$(status_of once)" 0 "-once -verbose -sid: exit status"
	expect_equal "$(jq -rs 'map(.type) | join(" ")' "$tracer_out")" "stats loss" "-once: lines"
	expect_equal "$(records true '.[0].sid')" 1 "-sid 1: the record's session"
	expect_more "$(said once 'hook iscsi_queuecommand')" 0 "-verbose: hooks named"
}

build_filter_apply
in_guest 6.12 600 filters.sh
[ "$failures" -eq 0 ] || finish
prepare_recording
check_cases
check_live_tables
check_names
check_come_and_go
check_slow_login
check_absent
check_once
finish
