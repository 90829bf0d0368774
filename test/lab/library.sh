#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The installed library: the example, built outside the tree, counts right; handlers' answers end the loop as documented.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"
check_build=${STORPROTOTRACE_BUILD:-$check_source/build}
prefix=$check_share/prefix
flags='-Wall -Wextra -Werror'
! grep -q '^SANITIZE:BOOL=ON' "$check_build/CMakeCache.txt" || flags+=' -fsanitize=address,undefined'

# step WHAT COMMAND...: all that follows needs it.
step() {
	"${@:2}" >"$check_share/log" 2>&1 && return
	failed "$1"
	tail -n 20 "$check_share/log"
	finish
}

build() {
	local package folder

	step "installation" cmake --install "$check_build" --prefix "$prefix"
	package=$(find "$prefix" -name storprototrace.pc -printf '%h')
	export PKG_CONFIG_PATH=$package
	for folder in pkg-config find_package; do
		mkdir "$check_share/$folder"
		cp "$check_source"/examples/{custom_handler.c,Makefile,CMakeLists.txt} "$check_share/$folder/"
	done
	step "make with pkg-config" env CFLAGS="$flags" make -C "$check_share/pkg-config"
	step "cmake with find_package" cmake -S "$check_share/find_package" -B "$check_share/find_package" \
		-DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags"
	step "its build" cmake --build "$check_share/find_package"
	# shellcheck disable=SC2046,SC2086 # several words are wanted
	step "build of library.c" "${CC:-cc}" $flags $(pkg-config --cflags storprototrace) -o "$check_share/library" \
		"$check_folder/library.c" $(pkg-config --libs storprototrace)
}

# check_example PROGRAM COUNT
check_example() {
	local count

	count=$(sed -n 's/^session [0-9]*, iqn.*:library: \([0-9]*\) commands, .*/\1/p' "$check_share/$1.out" | awk '{ sum += $1 } END { print sum + 0 }')
	echo "example by $1: $count commands"
	expect_equal "$count" "$2" "example by $1: commands"
}

expect_line() {
	grep -qxF -- "$1" "$check_share/library.out" && return
	failed "library.c does not print '$1'"
	sed 's/^/    /' "$check_share/library.out"
}

check_answers() {
	expect_line '0: loads 1 1, loop 1, calls 3'
	expect_line '1: loads 1 1, loop 1, calls 3'
	expect_line '-ECANCELED: loads 1 1, loop 1, calls 1'
	expect_line '-EIO: loads 1 1, loop 0, calls 1'
	expect_line 'no handler: loop 0'
	cat "$check_share/library.out"
}

build
in_guest "${STORPROTOTRACE_LAB_KERNEL:-6.1}" 600 library.sh
check_example pkg-config 211
check_example find_package 223
check_answers
finish
