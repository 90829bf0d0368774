# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Reads packages of any Debian suite through a private apt folder, from the archive this machine is configured for.
# shellcheck shell=bash

archive_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Prints "BASE SUITE" for every configured source; works before the first apt-get update, too.
archive_sources() {
	apt-get update --print-uris 2>/dev/null |
		sed -nE "s|^'([^']*)/dists/([^']*)/(In)?Release(\.gpg)?'.*|\1 \2|p" | sort -u
}

# Prints the base of the main archive, or with the argument `security` that of the security archive.
# A source that also has an -updates suite is Debian's own; others with the same code name need not be.
archive_base() {
	local kind=$1 sources main

	sources=$(archive_sources)
	main=$(awk '$2 ~ /^[a-z]+-updates$/ { print $1; exit }' <<<"$sources")
	[ -n "$main" ] || main=$(awk '$2 ~ /^(bullseye|bookworm|trixie|forky|sid|stable|oldstable|testing)$/ { print $1; exit }' <<<"$sources")
	if [ "$kind" = security ]; then
		awk -v main="$main" '$2 ~ /^[a-z]+-security$/ { print $1; found = 1; exit }
			END { if (!found && main != "") print main "-security" }' <<<"$sources"
	else
		[ -z "$main" ] || echo "$main"
	fi
}

# archive_open FOLDER SUITE [ARCHITECTURE]: makes FOLDER a private apt folder for that one suite and reads its index.
archive_open() {
	local folder=$1 suite=$2 architecture=${3:-amd64} base signed=''

	case $suite in
	*-security) base=$(archive_base security) ;;
	*) base=$(archive_base main) ;;
	esac
	[ -n "$base" ] || lab_die "no Debian archive among this machine's apt sources"
	[ ! -r "$archive_keyring" ] || signed="[signed-by=$archive_keyring] "
	rm -rf "$folder"
	mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial"
	: >"$folder/status"
	echo "deb $signed$base $suite main" >"$folder/sources.list"
	archive_options=(-o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
		-o "Dir::State=$folder/state" -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache"
		-o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o APT::Sandbox::User=root
		-o Acquire::Languages=none -o APT::Update::Error-Mode=any)
	apt-get -q "${archive_options[@]}" update >"$folder/update.log" 2>&1 && return 0
	lab_error "reading the index of $suite failed: $(grep -E '^[EW]:' "$folder/update.log" | head -n 1)"
	return 1
}

# archive_names PREFIX: names of the opened suite's packages that begin so.
archive_names() {
	apt-cache "${archive_options[@]}" pkgnames "$1"
}

# archive_download FOLDER PACKAGE...
archive_download() {
	local folder=$1

	shift
	(cd "$folder" && apt-get -q "${archive_options[@]}" download "$@" >&2)
}
