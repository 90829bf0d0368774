# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# One run of a script in a guest: hands it over, waits for it, finds out how it ended.
# shellcheck shell=bash
: "${lab_folder:?is set by the program}"

job_pid=''
job_output_pid=''

# job_write SHARE SCRIPT [ARG...]: what the guest's init reads.
job_write() {
	local share=$1 job=$1/lab-job

	shift
	rm -rf "$job" "$share/console.log" "$share/dmesg.txt" || lab_die "cannot clear $share of an earlier run"
	mkdir -p "$job" || lab_die "cannot write to the shared folder $share"
	printf '%s\n' "$lab_folder" >"$job/lab"
	printf '%s\0' "$@" >"$job/command"
	pwd -P >"$job/directory"
	# The product's own settings reach the script; nothing else of this machine's environment does.
	env -0 | grep -zE '^STORPROTOTRACE_' >"$job/environment" || true
}

# job_start WORK SHARE SECONDS: starts machine_command with the script's output going to our stdout.
job_start() {
	local work=$1 share=$2 seconds=$3

	job_errors=$work/qemu.log
	mkfifo "$work/output"
	cat "$work/output" &
	job_output_pid=$!
	# A second way out, apart from the console: kernel messages never mix with the script's output.
	machine_command+=(-chardev "file,id=console,path=$(machine_quote "$share/console.log")" -serial chardev:console
		-device virtio-serial-pci -chardev "file,id=output,path=$(machine_quote "$work/output")"
		-device "virtserialport,chardev=output,name=lab.output")
	# pdeathsig: a guest does not outlive a killed lab/run.
	setpriv --pdeathsig TERM timeout -k 5 "$seconds" "${machine_command[@]}" </dev/null >"$job_errors" 2>&1 &
	job_pid=$!
}

# job_wait: sets job_status to what timeout(1) says.
job_wait() {
	job_status=0
	wait "$job_pid" || job_status=$?
	job_pid=''
	# QEMU may have ended before it opened the pipe: then nobody else will ever end the reader.
	job_output_end
}

job_output_end() {
	[ -n "$job_output_pid" ] || return 0
	# Opening the writing end for a moment gives a reader that never had a writer its end of file.
	if kill -0 "$job_output_pid" 2>/dev/null; then
		: 1<>"$work/output"
		timeout 10 tail --pid="$job_output_pid" -f /dev/null || kill "$job_output_pid" 2>/dev/null || true
	fi
	wait "$job_output_pid" 2>/dev/null || true
	job_output_pid=''
}

# Ends what is still there; for the exit trap.
job_stop() {
	if [ -n "$job_pid" ]; then
		kill -TERM "$job_pid" 2>/dev/null || true
		wait "$job_pid" 2>/dev/null || true
		job_pid=''
	fi
	[ -z "$job_output_pid" ] || kill "$job_output_pid" 2>/dev/null || true
}

job_show_tail() {
	local file=$1 what=$2

	[ -s "$file" ] || return 0
	echo "--- end of $what:" >&2
	tail -n 25 "$file" | tr -d '\r' >&2
}

# job_fail STATUS SHARE MESSAGE
job_fail() {
	lab_error "$3"
	job_show_tail "$2/console.log" "the guest's console"
	exit "$1"
}

job_warnings() {
	grep -E 'WARNING:|BUG:|Oops' "$1/dmesg.txt" 2>/dev/null
}

# job_verdict SHARE SECONDS ALLOW_WARNINGS: exits with the run's status.
job_verdict() {
	local share=$1 seconds=$2 allow=$3 status='' warnings

	[ ! -r "$share/lab-job/status" ] || status=$(cat "$share/lab-job/status")
	if ! [[ $status =~ ^[0-9]+$ ]]; then
		case $job_status in
		124 | 137) job_fail "$LAB_EXIT_HUNG" "$share" "the guest was still running after $seconds s and was stopped" ;;
		esac
		if grep -q 'Kernel panic' "$share/console.log" 2>/dev/null; then
			job_fail "$LAB_EXIT_LAB" "$share" "the guest's kernel panicked"
		elif [ "$job_status" -ne 0 ]; then
			job_show_tail "$job_errors" "QEMU's messages"
			job_fail "$LAB_EXIT_LAB" "$share" "QEMU ended with status $job_status"
		fi
		job_fail "$LAB_EXIT_LAB" "$share" "the guest ended without giving the script's exit status"
	fi
	if warnings=$(job_warnings "$share"); then
		lab_error "the guest's kernel complained:"
		echo "$warnings" >&2
		[ "$status" -ne 0 ] || [ -n "$allow" ] || status=$LAB_EXIT_WARNED
	fi
	exit "$status"
}
