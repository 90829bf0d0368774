#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The unit and command line tests once more, built with the address and undefined-behaviour sanitizers.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

grep -q '^SANITIZE:BOOL=OFF' "$test_build/CMakeCache.txt" || skip "this build is the sanitized one"
# A clang may come without the sanitizers' runtime.
can_link() {
	command -v "$1" >/dev/null && command -v "$2" >/dev/null &&
		"$2" -fsanitize=address,undefined -x c++ - -o "$test_folder/linked" <<<'int main() { return 0; }' 2>/dev/null
}

compilers=()
while IFS=' ' read -r c cxx; do
	can_link "$c" "$cxx" && compilers=("$c" "$cxx") && break
done < <(printf '%s\n' 'clang clang++' 'gcc g++')
[ ${#compilers[@]} -eq 2 ] || skip "neither clang++ nor g++ links with the sanitizers"
echo "built by ${compilers[0]}"

# In the build folder, so that a second run has little to build.
build=$test_build/sanitizers
log=$test_folder/log
{
	cmake -S "$test_source" -B "$build" -DSANITIZE=ON -DSTORPROTOTRACE_WERROR=ON -DCMAKE_BUILD_TYPE=Debug \
		-DCMAKE_C_COMPILER="${compilers[0]}" -DCMAKE_CXX_COMPILER="${compilers[1]}" &&
		cmake --build "$build" --parallel "$(nproc)"
} >"$log" 2>&1 || { tail -n 40 "$log"; failed "the sanitized build"; finish; }
# lint looks at the sources only; this very test would skip itself.
env -u STORPROTOTRACE_SOURCE -u STORPROTOTRACE_BUILD -u STORPROTOTRACE_BINARY \
	ctest --test-dir "$build" -L '^(unit|cli)$' -E '^cli/(lint|sanitizers)$' --output-on-failure >"$log" 2>&1 ||
	{ cat "$log"; failed "the sanitized tests"; }
! grep -q '(Skipped)' "$log" || { grep '(Skipped)' "$log"; echo "some were skipped, as they are without sanitizers"; }
grep -c 'Passed' "$log" | sed 's/$/ tests passed with sanitizers/'
finish
