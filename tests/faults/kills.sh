# kill -9 at any moment of every command that writes a file: what is there stays valid, and the command
# repeated comes to the same end. In the long form 200 kills hit one run after the other.
set -euo pipefail
. "$(dirname -- "$0")/../cli/lib.sh"
. "$source_folder/tests/faults/study.sh"
. "$source_folder/tests/faults/commands.sh"
RANDOM=7

# kill_once RECORD DELAY: a kill, after which no game is lost. Adds to num_kills where it has hit, and
# sets num_before to the games that are there.
kill_once() {
  local num
  killed_run "$2" KILL
  if [[ $status -eq 0 ]]; then # the run was quicker
    num_before=$((3 * num_games))
    return
  fi
  check
  [[ $status -eq 137 ]] || fail "$1: exit status $status after kill -9: $(excerpt "$err")"
  num_kills=$((num_kills + 1))
  expect_equal '' "$(list study.db | tr ' ' '\n' | sed -E '/^study\.db(-wal|-shm|-journal)?$/d')" \
    "$1, kill $num_kills: files"
  if [[ -e study.db ]]; then
    num=$(count)
    expect_true "$1: games are lost by a kill: $num after $num_before" test "$num" -ge "$num_before"
    num_before=$num
    expect_equal ok "$(query peek/study.db 'PRAGMA integrity_check')" "$1, kill $num_kills: integrity"
  fi
}

begin_anew() {
  rm -f study.db*
  num_before=0
}

# kill -9 after each of the delays, a resume each time, then the rest. Games are committed about once a
# second.
kill_hard() {
  local record=$1 delay tries=0
  num_kills=0
  begin_anew
  shift
  for delay; do
    kill_once "$record" "$delay"
  done
  # one has to fall between two commits, also on a machine that has much else to do
  while [[ $num_before -eq 0 || $num_before -eq $((3 * num_games)) ]] && [[ $tries -lt 20 ]]; do
    begin_anew
    kill_once "$record" commit
    tries=$((tries + 1))
  done
  expect_true "$record: only $num_kills kills hit the run" test "$num_kills" -ge 3
  expect_true "$record: no kill fell between two commits" \
    test "$num_before" -gt 0 -a "$num_before" -lt $((3 * num_games))
  expect_exit 0 hoyito run study.yaml --dry-run --json
  expect_json ".games_to_play == $((3 * num_games - num_before))" "$out" "$record: the plan after a kill"
  expect_exit 0 hoyito run study.yaml -j 1
  check_complete "$record, killed"
  expect_exit 0 hoyito run study.yaml
  expect_match "nothing to play: all $((3 * num_games)) games" "$err"
  expect_exit 0 hoyito report study.db
  expect_same_file report "$out" "$record: report after kills"
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

# kill_run_often RECORD TIMES: kills at random moments, half of them in the first tenth of a second,
# each followed by going on. A run that comes to its end begins anew.
kill_run_often() {
  num_kills=0
  begin_anew
  while [[ $num_kills -lt $2 ]]; do
    kill_once "$1" "$(below $((RANDOM % 2 ? 100 : 2500)))"
    if [[ $status -eq 0 ]]; then
      check_complete "$1, after $num_kills kills"
      begin_anew
    elif [[ $((num_kills % 20)) -eq 0 && -e study.db ]]; then
      expect_exit 0 hoyito verify study.db
    fi
  done
  expect_exit 0 hoyito run study.yaml -j 2
  check_complete "$1, after $num_kills kills"
}

# kill_command NAME TIMES: kills it at random moments of the time that it takes.
kill_command() {
  local i pid before='{}'
  set_command "$1"
  if [[ $makes == *.html ]]; then
    before='<!DOCTYPE html>'
  fi
  rm -rf made* .made*
  milliseconds expect_exit 0 "$program" "${words[@]}" <"$input"
  made >want
  rm -rf "$makes"
  for ((i = 0; i < $2; i++)); do
    if [[ $makes == *.html || $makes == *.jsonl ]]; then
      echo "$before" >"$makes"
    elif [[ $((i % 4)) -eq 0 ]]; then
      rm -rf made*
    fi
    clear_refused
    "$program" "${words[@]}" <"$input" >"$out" 2>"$err" &
    pid=$!
    sleep "$(below "$took")"
    kill -s KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    case $makes in
      *.html | *.jsonl)
        check
        if [[ $(cat "$makes") != "$before" ]]; then
          expect_same_file want "$makes" "$1, kill $i: half a file"
        fi
        ;;
      *.db)
        if [[ -e $makes ]]; then
          expect_exit 0 hoyito verify "$makes"
          expect_equal ok "$(query "$makes" 'PRAGMA integrity_check')" "$1, kill $i: integrity"
        fi
        ;;
    esac
  done
  clear_refused
  expect_exit 0 "$program" "${words[@]}" <"$input"
  made >got
  expect_same_file want got "$1, after kills"
  expect_equal "$makes" "$(list made)" "$1, after kills: files"
  if [[ -d $makes ]]; then
    expect_equal '' "$(find "$makes" -type f ! -name '*.hyt')" "$1, after kills: files of the folder"
  fi
}

enter commands
make_inputs
times=6
if is_long; then
  times=100
fi
for name in run-moves run-looks merge merge-sums rerun rerun-looks migrate report-html play-record solve; do
  kill_command "$name" "$times"
done

if is_long; then
  for record in games summary; do
    cd -- "$scratch/folders/$record"
    num_games=$(sed -n 's/^games: //p' study.yaml)
    kill_run_often "$record" 200
  done
fi
