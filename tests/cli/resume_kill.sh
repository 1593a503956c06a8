# Runs that are killed or interrupted, and taken up again: the same games, each once.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# write_experiment RECORD GAMES: GAMES per condition and seating, three times that in all.
write_experiment() {
  cat >study.yaml <<EOF
experiment: study
seed: 7
games: $2
max_plies: 2000
record: $1
rules: {preset: hoyito-ii}
policies:
  - {south: random, north: random}
  - {south: greedy, north: random, swap: true}
EOF
}

# calibrate RECORD MILLISECONDS: sets num_games so that an undisturbed run takes about that long on
# this machine and build.
calibrate() {
  local start end trial=2000
  write_experiment "$1" "$trial"
  start=$(date +%s%N)
  hoyito run study.yaml -j 2 -o trial.db >/dev/null 2>&1
  end=$(date +%s%N)
  rm trial.db
  num_games=$(((trial * $2 * 10 ** 6 / (end - start) + 99) / 100 * 100))
  write_experiment "$1" "$num_games"
}

# count: games that study.db holds. Its journal is left for hoyito to take up.
count_games='SELECT (SELECT count(*) FROM game) + (SELECT coalesce(sum(games), 0) FROM block)'
count() {
  rm -rf peek
  mkdir peek
  cp study.db* peek/
  query peek/study.db "$count_games"
}

# list PREFIX: the files whose names begin so, in one line.
list() { find . -maxdepth 1 -name "$1*" -printf '%f\n' | sort | paste -s -d ' '; }

# Waits until a running process commits more than the given number of games, or ends.
wait_for_commit() {
  local held
  while kill -s 0 "$1" 2>/dev/null; do
    held=$(sqlite3 -readonly study.db "$count_games" 2>/dev/null || echo 0)
    if [[ $held -gt $2 ]]; then
      return
    fi
    sleep 0.05
  done
}

# killed_run DELAY SIGNAL: sets `status`. The delay is a number of seconds, or `commit`.
killed_run() {
  local pid
  status=0
  "$program" run study.yaml -j 2 >"$out" 2>"$err" &
  pid=$!
  if [[ $1 == commit ]]; then
    wait_for_commit "$pid" 0
  else
    sleep "$1"
  fi
  kill -s "$2" "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || status=$?
}

check_complete() {
  expect_equal ok "$(query study.db 'PRAGMA integrity_check')" "$1: integrity"
  expect_equal "$((3 * num_games))" "$(count)" "$1: games"
  if [[ $1 == games* || $1 == moves* ]]; then
    expect_equal "1|0|$num_games|0|$((num_games - 1))
2|0|$num_games|0|$((num_games - 1))
2|1|$num_games|0|$((num_games - 1))" \
      "$(query study.db 'SELECT condition_id, swapped, count(DISTINCT number), min(number), max(number)
        FROM game GROUP BY 1, 2 ORDER BY 1, 2')" "$1: rows as planned"
    expect_equal 0 "$(query study.db 'SELECT count(*) FROM chain WHERE (condition_id, swapped, number)
      NOT IN (SELECT condition_id, swapped, number FROM game)')" "$1: chains without a game"
    expect_equal "$(query study.db 'SELECT sum(chains) FROM game')" \
      "$(query study.db 'SELECT sum(count) FROM chain')" "$1: chains of games and of lengths"
  else
    expect_equal "1|0|$num_games
2|0|$num_games
2|1|$num_games" "$(query study.db 'SELECT condition_id, swapped, sum(games) FROM block GROUP BY 1, 2
      ORDER BY 1, 2')" "$1: blocks as planned"
  fi
  digest study.db >got
  expect_same_file want got "$1: digest"
}

# kill -9 after each of the delays, a resume each time, then the rest. Games are committed about once a
# second.
kill_hard() {
  local record=$1 delay num_kills=0 before=0 now most=0
  rm -f study.db*
  shift
  for delay; do
    killed_run "$delay" KILL
    if [[ $status -eq 0 ]]; then
      break
    fi
    check
    [[ $status -eq 137 ]] || fail "$record: exit status $status after kill -9: $(excerpt "$err")"
    num_kills=$((num_kills + 1))
    if [[ -e study.db ]]; then
      now=$(count)
      expect_true "$record: games are lost by a kill: $now after $before" test "$now" -ge "$before"
      before=$now
      if [[ $now -lt $((3 * num_games)) ]]; then
        most=$now
      fi
    fi
    if [[ $num_kills -eq 3 ]]; then
      expect_exit 0 hoyito run study.yaml --dry-run --json
      expect_json ".games_to_play == $((3 * num_games - before))" "$out" "$record: the plan after a kill"
    fi
  done
  expect_true "$record: only $num_kills kills hit the run" test "$num_kills" -ge 3
  expect_true "$record: no kill fell between two commits" test "$most" -gt 0
  expect_exit 0 hoyito run study.yaml -j 1
  check_complete "$record, killed"
  expect_equal study.db "$(list study.db)" "$record: files at the end"
  expect_exit 0 hoyito run study.yaml
  expect_match "nothing to play: all $((3 * num_games)) games" "$err"
  expect_exit 0 hoyito report study.db
  expect_same_file report "$out" "$record: report after kills"
}

# A signal that can be caught: what was played is kept, and the message says how to go on.
interrupt() {
  local record=$1 name=$2 code=$3 kept
  rm -f study.db*
  killed_run 0.5 "$name"
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

for record in games summary; do
  enter "$record"
  calibrate "$record" 3000
  while true; do
    start=$(date +%s%N)
    expect_exit 0 hoyito run study.yaml -j 2
    if [[ $(($(date +%s%N) - start)) -gt 2200000000 || $num_games -gt 10000000 ]]; then
      break
    fi
    num_games=$((2 * num_games))
    write_experiment "$record" "$num_games"
    rm study.db
  done
  cp "$out" report
  digest study.db >want
  check_complete "$record, undisturbed"
  if [[ $record == games ]]; then
    kill_hard "$record" 0.1 0.2 0.4 0.6 commit 0.5 1.1
  else
    kill_hard "$record" 0.1 0.3 0.5 commit 0.3
  fi
done

for record in games summary moves; do
  enter "$record-interrupted"
  calibrate "$record" 1500
  expect_exit 0 hoyito run study.yaml -j 2
  digest study.db >want
  interrupt "$record" TERM 143
  if [[ $record == games ]]; then
    interrupt "$record" INT 130
  fi
done

# `timeout` and job schedulers send a signal twice in a moment, to the process and to its group. The
# work is kept all the same.
cd -- "$scratch/folders/games"
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

# Two writers at once: one of them may give way (exit 5), and no game is lost or doubled. A reader is in
# nobody's way.
cd -- "$scratch/folders/games-interrupted"
num_games=$(sed -n 's/^games: //p' study.yaml)
hoyito run study.yaml -o study.db >/dev/null 2>&1
digest study.db >want
rm -f study.db*
"$program" run study.yaml -j 1 >one.out 2>one.err &
# shellcheck disable=SC2034 # by its name, below
one=$!
sleep 0.4
expect_exit 0 hoyito report study.db --json
expect_json ".games_asked_for == $((3 * num_games))" "$out" "a report of a running run"
expect_exit 0 hoyito run study.yaml --dry-run
"$program" run study.yaml -j 1 >two.out 2>two.err &
# shellcheck disable=SC2034
two=$!
for name in one two; do
  status=0
  wait "${!name}" || status=$?
  check
  if [[ $status -ne 0 && $status -ne 5 ]]; then
    fail "writer $name: exit status $status: $(excerpt "$name.err")"
  elif [[ $status -eq 5 ]]; then
    expect_match 'another process' "$name.err" "the writer that gives way"
  fi
done
expect_equal ok "$(query study.db 'PRAGMA integrity_check')" "integrity after two writers"
expect_exit 0 hoyito run study.yaml
check_complete "games, two writers"

# No room: exit 5, what is there stays valid, and the run goes on when there is room.
rm -f study.db*
status=0
(
  trap '' XFSZ
  ulimit -f 1500
  exec "$program" run study.yaml -j 2
) >"$out" 2>"$err" || status=$?
expect_equal 5 "$status" "exit status without room"
expect_match '^hoyito: .*study\.db' "$err" "no room"
expect_empty "$out" "no room"
expect_exit 0 hoyito report study.db
expect_exit 0 hoyito run study.yaml
check_complete "games, after no room"
rm -f study.db*
status=0
(
  trap '' XFSZ
  ulimit -f 10
  exec "$program" run study.yaml -j 2
) >"$out" 2>"$err" || status=$?
expect_equal 5 "$status" "exit status without any room"
expect_match '^hoyito: .*study\.db' "$err" "no room at all"
expect_equal '' "$(list study.db)" "files made without any room"

# A merge that is killed is repeated.
for shard in 1 2; do
  expect_exit 0 hoyito run study.yaml --shard "$shard/2" -o "$shard.db"
done
for delay in 0.02 0.05 0.1; do
  "$program" merge merged.db 1.db 2.db >"$out" 2>"$err" &
  pid=$!
  sleep "$delay"
  kill -s KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
done
expect_exit 0 hoyito merge merged.db 1.db 2.db
digest merged.db >got
expect_same_file want got "digest after killed merges"
