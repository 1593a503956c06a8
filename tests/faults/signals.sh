# Signals that can be caught, once and again, in every phase: what was done is kept, the exit status is
# 128 and the signal's number, and the same command goes on.
set -euo pipefail
. "$(dirname -- "$0")/../cli/lib.sh"
. "$source_folder/tests/faults/study.sh"
. "$source_folder/tests/faults/commands.sh"
RANDOM=8

# A signal that can be caught: what was played is kept, and the message says how to go on.
interrupt() {
  local record=$1 name=$2 code=$3 kept
  rm -f study.db*
  killed_run 0.3 "$name"
  expect_equal "$code" "$status" "$record: exit status after SIG$name"
  expect_match '^hoyito: interrupted.*study\.db.*same command' "$err" "$record: SIG$name"
  expect_empty "$out" "$record: stdout after SIG$name"
  expect_equal study.db "$(list study.db)" "$record: files after SIG$name"
  expect_equal ok "$(query study.db 'PRAGMA integrity_check')" "$record: integrity after SIG$name"
  kept=$(count)
  expect_true "$record: $kept of $((3 * num_games)) games kept after SIG$name" \
    test "$kept" -gt 0 -a "$kept" -lt "$((3 * num_games))"
  expect_exit 0 hoyito report study.db --json
  expect_json ".games == $kept and .games_asked_for == $((3 * num_games))" "$out" "$record: partial report"
  expect_exit 0 hoyito run study.yaml -j 2
  expect_match "; $((3 * num_games - kept)) games to play" "$err" "$record: the rest after SIG$name"
  check_complete "$record, SIG$name"
}

for record in games summary moves; do
  enter "$record-interrupted"
  calibrate "$record" 2000
  expect_exit 0 hoyito run study.yaml -j 2
  digest study.db >want
  interrupt "$record" TERM 143
  if [[ $record == games ]]; then
    interrupt "$record" INT 130
  fi
done

# `timeout` and job schedulers send a signal twice in a moment, to the process and to its group. The
# work is kept all the same.
cd -- "$scratch/folders/games-interrupted"
for ((i = 0; i < 8; i++)); do
  rm -f study.db*
  status=0
  "$program" run study.yaml -j 2 >"$out" 2>"$err" &
  pid=$!
  sleep 0.15
  kill -s TERM "$pid"
  kill -s TERM "$pid"
  kill -s TERM "$pid"
  wait "$pid" 2>/dev/null || status=$?
  expect_equal 143 "$status" "exit status after SIGTERM in quick succession"
  expect_match 'same command' "$err" "SIGTERM in quick succession"
  expect_equal study.db "$(list study.db)" "files after SIGTERM in quick succession"
done


# A terminal that goes away is such a signal, unless it is ignored.
cd -- "$scratch/folders/games-interrupted"
num_games=$(sed -n 's/^games: //p' study.yaml)
hoyito run study.yaml >/dev/null 2>&1
digest study.db >want
rm study.db
killed_run 0.3 HUP
expect_equal 129 "$status" "exit status after SIGHUP"
expect_match 'same command' "$err" "SIGHUP"
expect_equal study.db "$(list study.db)" "files after SIGHUP"
nohup "$program" run study.yaml -j 2 >"$out" 2>"$err" </dev/null &
pid=$!
sleep 0.1
kill -s HUP "$pid"
status=0
wait "$pid" || status=$?
expect_equal 0 "$status" "exit status after SIGHUP under nohup"
check_complete "games, SIGHUP"

# In every command, at random moments of the time that it takes, once or twice.
signal_command() {
  local i pid signal status
  set_command "$1"
  rm -rf made* .made*
  milliseconds expect_exit 0 "$program" "${words[@]}" <"$input"
  made >want
  rm -rf made*
  for ((i = 0; i < $2; i++)); do
    clear_refused
    signal=$(sed -n "$((RANDOM % 3 + 1))p" <<<$'TERM\nINT\nHUP')
    "$program" "${words[@]}" <"$input" >"$out" 2>"$err" &
    pid=$!
    sleep "$(below "$took")"
    kill -s "$signal" "$pid" 2>/dev/null || true
    kill -s TERM "$pid" 2>/dev/null || true
    status=0
    wait "$pid" 2>/dev/null || status=$?
    check
    case $status in
      0 | 129 | 130 | 143) ;;
      *) fail "$1, $signal $i: exit status $status: $(excerpt "$err")" ;;
    esac
    expect_equal '' "$(list made | tr ' ' '\n' | sed -E '/^made/d')" "$1, $signal $i: files"
    if [[ $makes == *.db && -e $makes ]]; then
      expect_exit 0 hoyito verify "$makes"
    fi
  done
  if [[ -n $makes ]]; then
    clear_refused
    expect_exit 0 "$program" "${words[@]}" <"$input"
    made >got
    expect_same_file want got "$1 after signals"
    expect_equal "$makes" "$(list made)" "$1 after signals: files"
  fi
}

enter commands
make_inputs
times=2
if is_long; then
  times=60
fi
for name in $(command_names); do
  signal_command "$name" "$times"
done
