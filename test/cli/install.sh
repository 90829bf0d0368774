#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is installed is enough: the example builds outside the tree, by pkg-config and by find_package.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
# A space in the path finds what is not quoted; pkg-config splits at it, so only the copy of the example has one.
prefix=$test_folder/prefix
example="$test_folder/of the user"

step() {
	run "${@:2}"
	expect 0 "$1"
	[ "$status" -eq 0 ] || finish
}

step "installation" cmake --install "$test_build" --prefix "$prefix"
for file in sbin/storprototrace share/man/man8/storprototrace.8 share/bash-completion/completions/storprototrace \
	share/zsh/site-functions/_storprototrace share/doc/storprototrace/examples.md include/storprototrace/common/common.h \
	include/storprototrace/iscsi_bpf/iscsi_stats_ebpf.h; do
	[ -s "$prefix/$file" ] || failed "$file is not installed"
done
package=$(find "$prefix" -name storprototrace.pc -printf '%h')
[ -n "$package" ] || failed "storprototrace.pc is not installed"

mkdir "$example"
cp "$test_source"/examples/{custom_handler.c,Makefile,CMakeLists.txt} "$example/"
# A sanitized library wants the same of those who link it.
flags=''
! grep -q '^SANITIZE:BOOL=ON' "$test_build/CMakeCache.txt" || flags=-fsanitize=address,undefined

step "make with pkg-config" env PKG_CONFIG_PATH="$package" CFLAGS="-Wall -Wextra -Werror $flags" make -C "$example"
run "$example/custom_handler"
expect 2 "the example without arguments"
expect_err "usage: custom_handler" "the example without arguments"

step "cmake with find_package" cmake -S "$example" -B "$example/build" -DCMAKE_PREFIX_PATH="$prefix" \
	-DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags"
step "its build" cmake --build "$example/build"
run "$example/build/custom_handler"
expect 2 "the example without arguments"

# Every installed header stands alone, in C and in C++.
while IFS= read -r header; do
	for language in c c++; do
		step "$header in $language" "${CC:-cc}" -x "$language" -fsyntax-only -Wall -Wextra -Werror \
			-I "$prefix/include/storprototrace" "$prefix/include/storprototrace/$header"
	done
done < <(cd "$prefix/include/storprototrace" && find . -name '*.h' -printf '%P\n')
# No path of the build machine gets into what is installed for others.
! grep -rIlF "$test_build" "$prefix/include" "$prefix/lib" 2>/dev/null | grep . || failed "a build path is installed"
finish
