# Memory refused at a request, in every command: never a signal, never a wrong answer with exit status 0,
# always a message, and what is there afterwards is valid and can be taken up. In the long form at every
# request that comes by a way of its own through the program, once alone and once with all after it.
#
#   bash memory.sh PROGRAM SOURCE_FOLDER GOLDEN_FOLDER REFUSE_MEMORY.so
set -euo pipefail
shim=$(realpath -- "$4")
set -- "$1" "$2" "$3"
. "$(dirname -- "$0")/../cli/lib.sh"
. "$source_folder/tests/faults/commands.sh"

# chosen: those of the file `sites` that are tried; in the short form the first, the last and some between.
chosen() {
  if is_long; then
    cat sites
  else
    awk '{ number[NR] = $1 }
      END { for (i = 1; i <= NR; i++) if (i <= 3 || i == NR || int(6 * i / NR) > int(6 * (i - 1) / NR)) print number[i] }' sites
  fi
}

# refuse N: runs the command with memory refused so; sets `status`.
refuse() {
  rm -rf made*
  status=0
  HOYITO_REFUSE=$1 LD_PRELOAD=$shim MALLOC_PERTURB_=165 "$program" "${words[@]}" \
    <"$input" >"$out" 2>"$err" || status=$?
}

# What the command has made is as it is without trouble, after it has been repeated if need be.
check_made() {
  if [[ $status -ne 0 ]]; then
    if [[ $makes == *.db && -e $makes ]]; then
      expect_equal ok "$(query "$makes" 'PRAGMA integrity_check')" "$1: integrity"
    fi
    clear_refused
    expect_exit 0 "$program" "${words[@]}" <"$input"
  fi
  made >got
  expect_same_file "$name.made" got "$1: what it makes"
  expect_equal "$makes" "$(find . -maxdepth 1 -name 'made*' -printf '%f\n')" "$1: files"
  expect_equal '' "$(find . -maxdepth 1 -name '.*made*')" "$1: hidden files"
}

# Times differ from run to run.
without_times() { sed -E 's/in [0-9.]+ s over|\([0-9.]+ s\)|"[a-z_]*seconds": ?[0-9.e-]+/T/g' "$1"; }

check_refused() {
  check
  if [[ $status -ge 124 ]]; then
    fail "$1: exit status $status: $(excerpt "$err")"
  elif [[ $status -eq 0 ]]; then
    without_times "$out" >got
    expect_same_file "$name.out" got "$1: the answer"
  elif [[ $status -ne 1 && $status -ne 5 ]]; then
    fail "$1: exit status $status: $(excerpt "$err")"
  elif ! grep -Eqi 'memory|cannot start a thread' "$err" "$out"; then
    fail "$1: exit status $status and no word of memory: $(excerpt "$err")"
  fi
}

# try NAME N
try() {
  refuse "$2"
  check_refused "$1, request $2"
  if [[ -n $makes ]]; then
    check_made "$1, request $2"
  fi
}

ulimit -t 60 # seconds of processor time: nothing goes round for ever
make_inputs
for name in ${HOYITO_TEST_COMMANDS:-$(command_names)}; do
  set_command "$name"
  HOYITO_REFUSE_SITES=sites refuse 0
  expect_equal 0 "$status" "$name: exit status"
  without_times "$out" >"$name.out"
  made >"$name.made"
  lasting=
  for number in $(chosen); do
    try "$name" "$number$lasting"
    lasting=$([[ $lasting ]] || echo +)
    if is_long; then
      try "$name" "$number$lasting"
    fi
  done
done
