# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# iSCSI targets of the kernel (LIO), set up by configfs alone. Part of lab.sh.
# shellcheck shell=bash
: "${target_root:?is set by backstore.sh}"

target_iqn_prefix=iqn.2026-01.org.storprototrace

# target_iqn NAME [SUFFIX...]: prints the name of a target; a NAME that is an IQN already stays.
target_iqn() {
	local iqn=$1

	[[ $iqn == iqn.* ]] || iqn=$target_iqn_prefix:$iqn
	shift
	printf '%s' "$iqn"
	[ $# -eq 0 ] || printf ':%s' "$@"
	echo
}

# iqn_of_length BYTES [NAME]: prints an IQN of exactly that many bytes; 223 is the longest that iSCSI allows.
iqn_of_length() {
	local iqn

	iqn=$(target_iqn "${2:-long}"):
	[ "$1" -ge "${#iqn}" ] || lab_fail "an IQN with that name has at least ${#iqn} bytes" || return
	while [ "${#iqn}" -lt "$1" ]; do
		iqn+=$((${#iqn} % 10))
	done
	echo "$iqn"
}

# Folder of a target's one portal group.
target_group() {
	echo "$target_root/iscsi/$1/tpgt_1"
}

# Name of the back end object and device-mapper device behind a LUN: an IQN can be longer than dmsetup allows.
target_backstore() {
	echo "lab-$(printf '%s' "$1" | cksum | cut -d' ' -f1)-$2"
}

target_set() {
	local folder=$1 setting=$2

	[[ $setting == *=* ]] || lab_fail "NAME=VALUE wanted, not '$setting'" || return
	[ -e "$folder/${setting%%=*}" ] || lab_fail "the target has no ${folder##*/} '${setting%%=*}'" || return
	echo "${setting#*=}" >"$folder/${setting%%=*}" || lab_fail "the target refuses $setting"
}

# target_attrib IQN NAME=VALUE, target_param IQN NAME=VALUE: TPG attributes and negotiated keys.
# default_cmdsn_depth must be set before the first login: a remembered initiator keeps its first depth.
target_attrib() {
	target_set "$(target_group "$1")/attrib" "$2"
}

target_param() {
	target_set "$(target_group "$1")/param" "$2"
}

# target_lun IQN NUMBER SPEC: adds a LUN; see backstore_create for SPEC.
target_lun() {
	local iqn=$1 number=$2 spec=$3 folder

	folder=$(target_group "$iqn")/lun/lun_$number
	backstore_create "$(target_backstore "$iqn" "$number")" "$spec" || return
	mkdir -p "$folder" || return
	ln -s "${backstore_path:?}" "$folder/${backstore_path##*/}"
}

# target_lun_attrib IQN NUMBER NAME=VALUE: of the back end, such as emulate_tpu=1.
target_lun_attrib() {
	local folder

	for folder in "$target_root"/core/*/"$(target_backstore "$1" "$2")"/attrib; do
		[ -d "$folder" ] || lab_fail "no LUN $2 in $1" || return
		target_set "$folder" "$3" || return
	done
}

target_portal() {
	local folder

	folder=$(target_group "$1")/np/$2
	mkdir "$folder" || lab_fail "the target cannot listen on $2"
}

# target_create NAME [SUFFIX...] [--portal ADDRESS:PORT]... [--lun SPEC]... [--attrib NAME=VALUE]... [--param NAME=VALUE]...
# Prints the IQN. Default: portal 127.0.0.1:3260, LUN 0 a ramdisk of 64 MB. LUNs are numbered in their order.
target_create() {
	local names=() portals=() luns=() attribs=() params=() iqn

	while [ $# -gt 0 ]; do
		[[ $1 != --* ]] || [ $# -ge 2 ] || lab_fail "target_create: $1 wants a value" || return
		case $1 in
		--portal) portals+=("$2"); shift ;;
		--lun) luns+=("$2"); shift ;;
		--attrib) attribs+=("$2"); shift ;;
		--param) params+=("$2"); shift ;;
		--*) lab_fail "target_create: unknown option $1" || return ;;
		*) names+=("$1") ;;
		esac
		shift
	done
	[ ${#names[@]} -gt 0 ] || lab_fail "target_create: no name given" || return
	target_prepare || return
	iqn=$(target_iqn "${names[@]}")
	mkdir -p "$(target_group "$iqn")" || lab_fail "the target refuses the name $iqn" || return
	target_fill "$iqn" || return
	echo 1 >"$(target_group "$iqn")/enable" || lab_fail "the target $iqn cannot be enabled" || return
	echo "$iqn"
}

# The second half of target_create, on its arrays portals, luns, attribs, params.
target_fill() {
	local iqn=$1 item number=0

	# Any initiator, no password, writable. cache_dynamic_acls remembers initiators between logins.
	for item in authentication=0 generate_node_acls=1 cache_dynamic_acls=1 demo_mode_write_protect=0 "${attribs[@]}"; do
		target_attrib "$iqn" "$item" || return
	done
	for item in "${params[@]}"; do
		target_param "$iqn" "$item" || return
	done
	[ ${#luns[@]} -gt 0 ] || luns=(ramdisk:64)
	for item in "${luns[@]}"; do
		target_lun "$iqn" "$number" "$item" || return
		number=$((number + 1))
	done
	[ ${#portals[@]} -gt 0 ] || portals=(127.0.0.1:3260)
	for item in "${portals[@]}"; do
		target_portal "$iqn" "$item" || return
	done
}
