#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion in bash and zsh offers every option there is, none that is not, and values of the tables and of sysfs.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

# What the program itself says it has.
run "$test_binary" --help
sed -nE 's/^  (-., |    )--([a-z0-9-]+).*/--\2/p' "$test_out" | sort >"$test_folder/options"
[ "$(wc -l <"$test_folder/options")" -gt 30 ] || failed "--help lists fewer than 30 options"

# A host: two sessions, three disks, a multipath map and another map.
sysfs=$test_folder/sys
session() { # SID TARGET LUN=DISK...
	local folder=$sysfs/class/iscsi_session/session$1 lun

	mkdir -p "$folder" "$sysfs/class/iscsi_connection/connection$1:0"
	printf '%s\n' "$2" >"$folder/targetname"
	echo iqn.2026-01.org.example:host >"$folder/initiatorname"
	for lun in "${@:3}"; do
		mkdir -p "$folder/device/target$1:0:0/$1:0:0:${lun%=*}/block/${lun#*=}"
	done
}
# shellcheck disable=SC2016 # a name from the network must not become a command
evil='iqn.2026-01.org.evil:$(touch${IFS}evil)'
session 7 iqn.2026-01.org.example:vol1 0=sdb 2=sdc
session 12 iqn.2026-01.org.example:vol2 0=sdd
session 13 "$evil"
mkdir -p "$sysfs"/block/dm-{0,1}/dm
echo mpath-3600 >"$sysfs/block/dm-0/dm/uuid"
echo mpatha >"$sysfs/block/dm-0/dm/name"
echo LVM-x >"$sysfs/block/dm-1/dm/uuid"
echo root >"$sysfs/block/dm-1/dm/name"

cd "$test_folder" || exit 1
mkdir files
touch files/one.rec files/two.rec
# shellcheck source=/dev/null
. "$test_build/doc/storprototrace"
[[ $(complete -p storprototrace) == *" -F _storprototrace storprototrace" ]] || failed "bash does not know it"
# shellcheck disable=SC2034 # the completion's
_storprototrace_sysfs=$sysfs

# offers LINE [WORD...]: pressing Tab at the end of LINE offers exactly these, the way bash cuts words.
offers() {
	local line=$1

	COMP_LINE=$line COMP_POINT=${#line} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
	COMPREPLY=(not cleared)
	_storprototrace storprototrace "${line##*[ =:]}" ""
	[ "$(printf '%s\n' "${COMPREPLY[@]}" | sort)" = "$(printf '%s\n' "${@:2}" | sort)" ] ||
		failed "after '$line' bash offers '${COMPREPLY[*]}' instead of '${*:2}'"
}

mapfile -t options <"$test_folder/options"
offers 'storprototrace ' "${options[@]}"
offers 'storprototrace -' "${options[@]}"
offers 'storprototrace -x ' "${options[@]}"
offers 'storprototrace -s 7 --hist' --histogram --histogram-of
offers 'storprototrace --op ' other read write
offers 'storprototrace --op=w' write
offers 'storprototrace --op read,' read,other read,write
offers 'storprototrace -b lun,o' lun,op
offers 'storprototrace -xb po' portal
offers 'storprototrace --histogram-of r2t,d' r2t,data_out r2t,data_in r2t,done
offers 'storprototrace --heatmap=da' data_out data_in
offers 'storprototrace --heatmap da'
offers 'storprototrace --attach ' auto fentry kprobe
offers 'storprototrace --without re' response refused recovery_timeout
offers 'storprototrace --columns SID,p9' SID,p90 SID,p99 SID,p99.9
offers 'storprototrace -s ' 7 12 13
offers 'storprototrace -sid 1' 12 13
offers 'storprototrace -c ' 0
offers 'storprototrace -l ' 0 2
offers 'storprototrace --disk ' mpatha sdb sdc sdd
offers 'storprototrace -d m' mpatha
offers 'storprototrace -t iqn.2026-01.org.ex' iqn.2026-01.org.example:vol1 iqn.2026-01.org.example:vol2
offers 'storprototrace -t iqn.2026-01.org.example:v' vol1 vol2
offers 'storprototrace --target=iqn.2026-01.org.example:vol2' vol2
offers 'storprototrace -initiatorname iqn' iqn.2026-01.org.example:host
offers 'storprototrace --replay files/t' files/two.rec
offers 'storprototrace --record=files/o' files/one.rec
offers 'storprototrace -p '
offers 'storprototrace 1'
COMP_LINE='storprototrace -t iqn.2026-01.org.ev' COMP_POINT=${#COMP_LINE}
_storprototrace
eval "set -- ${COMPREPLY[*]}"
[[ "$#/$1" == "1/$evil" && ! -e evil ]] || failed "a target's name becomes more than an argument: ${COMPREPLY[*]}"

# A host without sessions.
_storprototrace_sysfs=$test_folder/nothing
for option in -s -c -l -d -t -i; do offers "storprototrace $option "; done

# Every word that completion offers for a format is one.
COMP_LINE='storprototrace -f ' COMP_POINT=18
_storprototrace
[ "${#COMPREPLY[@]}" -ge 5 ] || failed "fewer than five formats: ${COMPREPLY[*]}"
for format in "${COMPREPLY[@]}"; do
	run "$test_binary" --replay "$test_recording" -f "$format" -o "$test_folder/written" 1 1
	expect 0 "-f $format"
done
# Every option that is said to take a value does, and every other takes none.
# shellcheck disable=SC2034 # the completion's
value='' attached=yes
for option in "${options[@]}"; do
	run "$test_binary" --replay "$test_recording" "$option="
	taken=yes
	! grep -qF 'takes no value' "$test_err" || taken=no
	wanted=no
	! _storprototrace_value "$option" || wanted=yes
	[ "$wanted" = "$taken" ] || failed "$option takes a value: $taken, bash completes one: $wanted"
done

# zsh: the same options; its syntax, where it is there.
zsh_script=$test_build/doc/_storprototrace
sed -nE "/^_arguments/,\$ { s/^\t('[^[]*)\[.*/\1/p }" "$zsh_script" | grep -oE -- '--[a-z0-9-]+' | sort -u | diff "$test_folder/options" - ||
	failed "zsh completes other options than --help lists"
[ "$(head -n 1 "$zsh_script")" = "#compdef storprototrace" ] || failed "zsh: no #compdef line"
if command -v zsh >/dev/null; then
	run zsh -n "$zsh_script"
	expect 0 "zsh -n"
fi
finish
