#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Installs what is needed, builds, runs all tests; a skipped test fails unless test/known-skips gives the reason.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

usage() {
	cat <<'END'
usage: ./check.sh [--no-install] [--full] [--build FOLDER]
  --no-install     the packages are there already
  --full           with the tests that take too long for every change
  --build FOLDER   build folder (default: build-check)
Exit status 0: every test passed, or was skipped for a reason listed in test/known-skips.
END
}

install=1 full=OFF build=build-check
while [ $# -gt 0 ]; do
	case $1 in
	--no-install) install='' ;;
	--full) full=ON ;;
	--build) build=${2:?--build wants a folder}; shift ;;
	-h | --help) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
	shift
done

[ -z "$install" ] || ./install-deps.sh
[ -z "$install" ] || [ "$full" = OFF ] || ./install-deps.sh --for full
cmake -S . -B "$build" -DSTORPROTOTRACE_WERROR=ON -DSTORPROTOTRACE_FULL_TESTS="$full"
cmake --build "$build" --parallel "$(nproc)"

# A label without tests would pass unnoticed.
for label in unit cli lab; do
	ctest --test-dir "$build" -N -L "^$label\$" | grep -q 'Total Tests: [1-9]' ||
		{ echo "check.sh: there is no $label test" >&2; exit 1; }
done

# The summary is held back: it is to be the last thing said. A failed test's output may have a summary of its own.
summary=$build/summary.txt
status=0
ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" </dev/null 2>&1 |
	awk -v summary="$summary" '/^[0-9]+% tests passed/ { held = 1 }
		held && /^ +Start +[0-9]+: / { printf "%s", text; text = ""; held = 0 }
		held { text = text $0 "\n"; next }
		{ print; fflush() }
		END { printf "%s", text >summary }' ||
	status=$?

# skip_reason NAME: the last line that the test printed.
skip_reason() {
	awk -v name="$1" '/^[0-9]+\/[0-9]+ Test: / { ours = $3 == name } /^<end of output>/ && ours { print last; exit } { last = $0 }' \
		"$build/Testing/Temporary/LastTest.log"
}

# Disabled tests count as skipped: both did not run.
while read -r name; do
	if grep -qE "^${name}[[:space:]]+[^[:space:]]" test/known-skips; then
		echo "known skip: $name: $(skip_reason "$name")"
	else
		echo "check.sh: $name did not run, which is not in test/known-skips: $(skip_reason "$name")"
		status=1
	fi
done < <(sed -nE 's/^[[:space:]]+[0-9]+ - (.*) \((Skipped|Disabled)\)$/\1/p' "$summary")
cat "$summary"
exit "$status"
