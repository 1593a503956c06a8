# One experiment whose run takes a given time, and what has to hold for its database.
# Sourced after ../cli/lib.sh.
# shellcheck disable=SC2034,SC2154 # variables that the sourcing script reads and sets

# write_experiment RECORD GAMES: GAMES per condition and seating, three times that in all.
write_experiment() {
  cat >study.yaml <<END
experiment: study
seed: 7
games: $2
max_plies: 2000
record: $1
rules: {preset: hoyito-ii}
policies:
  - {south: random, north: random}
  - {south: greedy, north: random, swap: true}
END
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

# count [DATABASE]: games that it holds (study.db). Its journal is left for hoyito to take up.
count_games='SELECT (SELECT count(*) FROM game) + (SELECT coalesce(sum(games), 0) FROM block)'
count() {
  local name=${1:-study.db}
  rm -rf peek
  mkdir peek
  cp "$name"* peek/
  query "peek/$name" "$count_games"
}

# list PREFIX: the files whose names begin so, or are those of drafts of it, in one line.
list() { find . -maxdepth 1 \( -name "$1*" -o -name ".$1*" \) -printf '%f\n' | sort | paste -s -d ' '; }

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
  expect_equal study.db "$(list study.db)" "$1: files at the end"
}

# wait_for_commit PID: waits until the running process has committed games, or ends.
wait_for_commit() {
  while kill -s 0 "$1" 2>/dev/null; do
    if [[ $(sqlite3 -readonly study.db "$count_games" 2>/dev/null) -gt 0 ]]; then
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
    wait_for_commit "$pid"
  else
    sleep "$1"
  fi
  kill -s "$2" "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || status=$?
}

# milliseconds COMMAND…: sets `took`.
milliseconds() {
  local start
  start=$(date +%s%N)
  "$@"
  took=$((($(date +%s%N) - start) / 1000000))
}

# below MILLISECONDS: a random time below it, in seconds.
below() { awk -v r="$RANDOM" -v most="$1" 'BEGIN { printf "%.4f", r / 32768 * most / 1000 }'; }
