#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Shows the main job: on a host with iSCSI sessions and a fit kernel it traces them, elsewhere a virtual host in the lab.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

case ${1:-} in
'') ;;
-h | --help)
	cat <<'END'
usage: ./demo.sh      (as root)
Installs what is needed, builds, traces: the iSCSI sessions of this host for five intervals where there are any and the kernel
is fit, else a session under load in a virtual host, at the end with the counts of both the tracer and iscsiadm.
END
	exit 0
	;;
*) echo "demo.sh: unknown argument '$1'" >&2; exit 2 ;;
esac
[ "$(id -u)" -eq 0 ] || { echo "demo.sh: tracing needs root: run it as root or with sudo" >&2; exit 3; }

./install-deps.sh --for build
cmake -S . -B build -DSTORPROTOTRACE_TESTS=OFF
cmake --build build --parallel "$(nproc)"
program=$PWD/build/storprototrace

# Prints nothing and succeeds when this host has a session.
have_sessions() {
	compgen -G '/sys/class/iscsi_session/session*' >/dev/null
}

if have_sessions; then
	echo "demo.sh: tracing this host's iSCSI sessions for five seconds" >&2
	status=0
	"$program" --strict 1 5 || status=$?
	# 4: this kernel lacks what is needed (said above).
	[ "$status" -eq 4 ] || exit "$status"
fi
./install-deps.sh --for lab
echo "demo.sh: tracing an iSCSI session in a virtual host, which takes about a minute to come up" >&2
exec lab/run -t 300 examples/demo-guest.sh "$program"
