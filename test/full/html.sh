#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A report as a web page in a headless browser: no errors, no outside requests, and still the recording's numbers.
set -u
# shellcheck source=../cli/check.bash
. "$(dirname "$0")/../cli/check.bash"
for browser in chromium chromium-browser google-chrome ''; do
	command -v "$browser" >/dev/null && break
done
[ -n "$browser" ] || skip "there is no chromium"

# look PAGE: what the browser makes of it, in `dom`; its complaints, in `said`; what it wanted to load, in `wanted`.
look() {
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$test_folder/profile" --no-first-run \
		--host-resolver-rules="MAP * ~NOTFOUND" --disable-background-networking --disable-component-update --disable-sync --disable-default-apps \
		--log-net-log="$test_folder/net" --enable-logging=stderr --v=0 --virtual-time-budget=2000 --dump-dom "$1" \
		>"$test_folder/dom" 2>"$test_folder/said" </dev/null || failed "the browser on $1"
	grep -E ':CONSOLE[:(]' "$test_folder/said" >"$test_folder/complaints"
	grep -oE '"url":"[^"]*"' "$test_folder/net" | sort -u >"$test_folder/wanted"
}

# The browser itself has errands, not always the same with its maker; a page that asks for something shows that both would be seen.
echo '<!DOCTYPE html><title>none</title><link rel="icon" href="data:,">' >"$test_folder/none.html"
look "file://$test_folder/none.html"
grep -v none.html "$test_folder/wanted" >"$test_folder/errands"
cat >"$test_folder/bad.html" <<'END'
<!DOCTYPE html><title>bad</title><img src="http://127.0.0.1:9/picture"><script>nothing.at.all()</script>
END
look "file://$test_folder/bad.html"
grep -q 127.0.0.1:9/picture "$test_folder/wanted" || failed "a request would not be seen"
[ -s "$test_folder/complaints" ] || failed "an error would not be seen"

hostile=$test_folder/hostile
sed 's|storprototrace:a"|<img src=http://127.0.0.1:9/x onerror=nothing.at.all()><script>nothing()</script>"|g' "$test_recording" >"$hostile"
for recording in "$test_recording" "$hostile"; do
	page=$test_folder/page.html
	"$test_binary" --replay "$recording" -f html -o "$page" 2>/dev/null
	"$test_binary" --replay "$recording" -j -b initiator >"$test_folder/intervals" 2>/dev/null
	"$test_binary" --replay "$recording" -j --cumulative >"$test_folder/sums" 2>/dev/null
	look "file://$page"
	[ ! -s "$test_folder/complaints" ] || { failed "the browser complains"; cat "$test_folder/complaints"; }
	grep -v page.html "$test_folder/wanted" | grep -vxFf "$test_folder/errands" | grep -vE '^"url":"https?://[a-z0-9.]*\.google(apis)?\.com[/:]' && failed "it wanted more than the page"
	python3 "$test_source/test/cli/html_page.py" "$test_folder/dom" "$test_folder/intervals" "$test_folder/sums" ||
		failed "what the browser shows"
done

# On paper: as many pages as it takes, at least one.
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$test_folder/profile" \
	--print-to-pdf="$test_folder/page.pdf" "file://$test_folder/page.html" >/dev/null 2>&1 </dev/null
grep -qa '/Type */Page\b' "$test_folder/page.pdf" || failed "it cannot be printed"
finish
