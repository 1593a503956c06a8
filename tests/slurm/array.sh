# A job array of 8 shards on a real Slurm of one node: programs and tasks are killed, requeued, and told that
# their time is over; the merged digest is that of one machine.
#
# HOYITO_TEST_SCALE=full: longer tasks, faults at random for minutes, and real time limits of a minute.
set -euo pipefail
here=$(realpath -- "$(dirname -- "$0")")
. "$here/../cli/lib.sh"
. "$here/bed.sh"

reason=$(slurm_missing)
if [[ -n $reason ]]; then
  echo "skipped: $reason"
  exit 77
fi

on_exit() {
  local status=$?
  set +e
  slurm_stop
  (exit "$status")
  finish
}
trap on_exit EXIT

full=0
[[ ${HOYITO_TEST_SCALE:-} != full ]] || full=1
submit=$source_folder/experiments/slurm/submit.sh
export HOYITO=$program TMPDIR=$scratch/node
mkdir "$TMPDIR"
job() { cut -d , -f "$1" study/jobs; }

# pids SHARD NAME: processes of that name in the task of a shard.
pids() {
  local process
  for process in $(pgrep -x "$2" || true); do
    if grep -qzx "SLURM_ARRAY_TASK_ID=$1" "/proc/$process/environ" 2>/dev/null &&
      grep -qzx "SLURM_CONF=$SLURM_CONF" "/proc/$process/environ" 2>/dev/null; then
      echo "$process"
    fi
  done
}

# Both say whether there was something to kill.
kill_program() {
  local player
  player=$(pids "$1" hoyito)
  [[ -n $player ]] && kill -s KILL "$player"
}

# The task as a whole, as a node that goes down does it.
kill_task() {
  local task
  task=$(pids "$1" bash && pids "$1" hoyito && pids "$1" sleep)
  [[ -n $task ]] && xargs kill -s KILL <<<"$task"
}

is_playing() { grep -q 'games to play' "study/logs/$1.log" 2>/dev/null; }
log_says() { grep -q "$2" "study/logs/$1.log"; }

enter array
slurm_start 8
cat >study.yaml <<'YAML'
experiment: study
question: For trial.
seed: 20261129
games: 1
max_plies: 100000
record: games
rules: {preset: hoyito-ii, holes: 6}
policies:
  - {south: {alphabeta: {depth: 4}}, north: random, swap: true}
opening: {random_plies: 2}
YAML

expect_exit 2 bash "$submit" nothing.yaml study
expect_match "cannot read 'nothing.yaml'" "$err"
expect_exit 2 bash "$submit" --bogus study.yaml study
expect_match "no option '--bogus'" "$err"
expect_exit 2 bash "$submit" --shards 0 study.yaml study
expect_match 'whole number from 1 to' "$err"
expect_exit 2 bash "$submit" --shards 1001 --pilot 1 study.yaml study
expect_match 'at most 1000 tasks' "$err"
(cat study.yaml && echo 'stop: {metric: draw_share, half_width: 0.1}') >stop.yaml
expect_exit 2 bash "$submit" stop.yaml study
expect_match 'has a stop rule' "$err"

# As many games as keep 8 tasks busy for some seconds.
expect_exit 0 bash "$submit" --dry-run --pilot 2 study.yaml pilot
expect_match 'sbatch .*--array=1 ' "$err"
expect_match 'sbatch .*--dependency=afterok:JOB ' "$err"
game_ns=$(sed -n 's/.*(\([0-9]*\) ns a game).*/\1/p' "$err")
cores=$(nproc)
[[ $cores -lt 8 ]] || cores=8
if [[ $full -eq 1 ]]; then busy=60; else busy=8; fi
games=$((cores * busy * 1000000000 / game_ns / 2 + 100))
sed -i "s/^games: .*/games: $games/" study.yaml
expect_true 'a dry run submits nothing' no_jobs
expect_true 'a dry run decides nothing' test ! -e pilot/study.conf

options=(--shards 8 --pilot 1 --memory 100)
[[ $full -eq 0 ]] || options+=(--time 1 --signal 30 --save 5)
expect_exit 0 bash "$submit" "${options[@]}" study.yaml study
expect_exit 3 bash "$submit" study.yaml study
expect_match 'are still there' "$err"
expect_exit 2 bash "$submit" --shards 9 study.yaml study
array=$(job 1)
for shard in {1..8}; do
  wait_until 60 is_playing "$shard"
done
sleep 1

# Its program killed, a task goes on from the journal; a whole task killed is lost, up to its last copy.
wait_until 120 kill_program 2
wait_until 120 kill_task 3
expect_exit 0 scontrol requeue "${array}_4"
# What Slurm sends before the time limit, here at once. The last task has the number of the array.
expect_exit 0 scancel --batch --signal=USR1 "${array}_5"
expect_exit 0 scancel --batch --signal=USR1 "${array}_8"

if [[ $full -eq 1 ]]; then
  RANDOM=1
  until no_jobs || [[ $SECONDS -gt 600 ]]; do
    sleep 3
    shard=$((RANDOM % 5 + 4)) # a requeue would revive task 3
    case $((RANDOM % 3)) in
      0) kill_program "$shard" 2>/dev/null || true ;;
      1) scontrol requeue "${array}_$shard" 2>/dev/null || true ;;
      2) scancel --batch --signal=USR1 "${array}_$shard" 2>/dev/null || true ;;
    esac
  done
  expect_match 'time limit is near' <(cat study/logs/*.log)
else
  # Meanwhile the same on one machine.
  nice hoyito run study.yaml -o alone.db >/dev/null 2>&1 &
fi
wait_until 300 no_jobs
wait %?alone 2>/dev/null || true
expect_true 'shard 2 was not killed' log_says 2 'ended with status 137'
expect_true 'shard 4 was not requeued' log_says 4 'turn 2'
for shard in 5 8; do
  expect_true "shard $shard asked for no other turn" log_says "$shard" 'goes on in another turn'
  expect_true "shard $shard did not get it" log_says "$shard" 'turn 2'
done
for shard in 1 2 4 5 6 7 8; do
  expect_true "shard $shard is not complete" log_says "$shard" complete
done
[[ $full -eq 1 ]] || expect_true 'shard 1 was requeued with others' eval '! log_says 1 "turn 2"'
expect_true 'merged although a shard is missing' test ! -e study/study.db
expect_exit 1 bash "$source_folder/experiments/slurm/merge.sbatch" study
expect_match 'not complete: 1 of 8 shards: 3;' "$err"

# Only what is missing is submitted again.
sha256sum study/shards/[1245678].db >before
expect_exit 0 bash "$submit" study.yaml study
expect_match '^shards to play: 3 of 8' "$err"
wait_until 300 no_jobs
sha256sum study/shards/[1245678].db >after
expect_same_file before after 'complete shards were written again'
expect_exit 0 hoyito run study.yaml -o alone.db
digest alone.db >want
digest study/study.db >got
expect_same_file want got 'digest of the merged shards'
cut -d ' ' -f 1 study/digest.txt >got
cut -d ' ' -f 1 want >want.hash
expect_same_file want.hash got 'digest.txt'
expect_exit 0 bash "$submit" study.yaml study
expect_match '^all 8 shards are complete' "$err"
wait_until 60 no_jobs
[[ $full -eq 1 ]] || expect_equal 1 "$(find "$TMPDIR" -mindepth 1 -maxdepth 1 | wc -l)" \
  'folders left on the node, where a task was killed'
