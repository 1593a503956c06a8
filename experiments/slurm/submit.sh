#!/usr/bin/env bash
# experiments/slurm/submit.sh [OPTION…] EXPERIMENT.yaml FOLDER [-- SBATCH OPTION…]: plays an experiment on a
# Slurm cluster, as a job array over shards and a merge behind it.
#
#   experiments/slurm/submit.sh --dry-run study.yaml /shared/study       measures, says what it would submit
#   experiments/slurm/submit.sh study.yaml /shared/study -- --account=x  submits
#   experiments/slurm/submit.sh --half-width 0.001 study.yaml /shared/study   games by `hoyito plan`
#
# A pilot of some seconds on this machine gives the processor time of a game, and the memory. FOLDER gets
# study.conf (what is played), pilot.db, shards/I.db, logs, and at the end NAME.db and digest.txt. The same
# command again submits the shards that are not complete, and nothing that is.
#
#   --games N         per condition and seating, instead of the file's
#   --half-width W    as many as an interval of this half width takes, by the pilot
#   --metric METRIC   of it (first_player_score); see hoyito plan --help
#   --shards N        (by the pilot and --minutes)
#   --minutes M       that a task should take (60)
#   --cpus N          of a task (1)
#   --at-once N       tasks that may run at the same time (all)
#   --time MINUTES    time limit of a task (twice its time, and 10)
#   --signal S        seconds before the time limit at which a task saves and asks for another turn (120)
#   --save S          seconds between copies of a shard to FOLDER (900)
#   --memory MB       of a task, and of the merge (by the pilot)
#   --pilot S         seconds that the pilot may take (10); 0: no pilot, the numbers must be given
#   --dry-run         submits nothing
#
# HOYITO names the program (default: build/release/hoyito of the tree); the nodes must find it there.
set -euo pipefail
export LC_ALL=C
unset SLURM_CPUS_PER_TASK

root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/experiments/slurm
hoyito=$(realpath -- "${HOYITO:-$root/build/release/hoyito}")
games='' half_width='' metric=first_player_score shards='' minutes=60 cpus=1 at_once='' limit='' warning=120
save=900 memory='' pilot=10 dry_run='' arguments=() sbatch_options=()

die() {
  echo "submit.sh: $1" >&2
  exit "${2:-2}"
}

# number OPTION TEXT: a whole number from 1 on (or from $3).
number() {
  [[ $2 =~ ^(0|[1-9][0-9]{0,12})$ && $2 -ge ${3:-1} ]] || die "$1 takes a whole number from ${3:-1} on, not '$2'"
  echo "$2"
}

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=1 ;;
    --) shift && sbatch_options=("$@") && break ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" && exit 0 ;;
    --games | --half-width | --metric | --shards | --minutes | --cpus | --at-once | --time | --signal | --save | --memory | --pilot)
      [ $# -ge 2 ] || die "$1 needs a value"
      case $1 in
        --games) games=$(number "$1" "$2") ;;
        --half-width) half_width=$2 ;;
        --metric) metric=$2 ;;
        --shards) shards=$(number "$1" "$2") ;;
        --minutes) minutes=$(number "$1" "$2") ;;
        --cpus) cpus=$(number "$1" "$2") ;;
        --at-once) at_once=$(number "$1" "$2") ;;
        --time) limit=$(number "$1" "$2") ;;
        --signal) warning=$(number "$1" "$2") ;;
        --save) save=$(number "$1" "$2") ;;
        --memory) memory=$(number "$1" "$2") ;;
        --pilot) pilot=$(number "$1" "$2" 0) ;;
      esac
      shift
      ;;
    -*) die "there is no option '$1'; see --help" ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
[ ${#arguments[@]} -eq 2 ] || die 'an experiment file and a folder are needed; see --help'
experiment=${arguments[0]}
[ -r "$experiment" ] || die "cannot read '$experiment'"
folder=$(realpath -m -- "${arguments[1]}")
case $folder$hoyito in *[!A-Za-z0-9/._+-]*) die "Slurm's file names: letters, digits and /._+- only, not '$folder'" ;; esac

# value KEY: a number or text at the top of the JSON on stdin.
value() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p"; }

# left SHARD OF DATABASE: games that are still to be played.
left() { "$hoyito" run "${run[@]}" --shard "$1/$2" -o "$3" --dry-run --json | value games_to_play; }

mkdir -p "$folder/shards" "$folder/logs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Leaves the processor time of this shell's children so far, in ms, in $children_ms.
count_children() {
  times >"$work/times"
  children_ms=$(($(sed -n '2s/\(.*\)m\(.*\)\.\(...\)s \(.*\)m\(.*\)\.\(...\)s/((\1 + \4) * 60 + \2 + \5) * 1000 + 1\3 + 1\6 - 2000/p' \
    "$work/times")))
}

# The pilot's memory, in KB, and its processor time in ms are left in $peak and $cpu_ms.
peak=0 cpu_ms=0
run_pilot() {
  local before now
  count_children
  before=$children_ms
  "$hoyito" run "$experiment" --games "$1" -j 1 -o "$folder/pilot.db" >/dev/null 2>"$work/pilot" &
  while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$!/status" 2>/dev/null) && [ -n "$now" ]; do
    peak=$now
    sleep 0.05
  done
  wait $! || { cat "$work/pilot" >&2 && exit 2; }
  count_children
  cpu_ms=$((children_ms - before))
}

# Plays four times as many games until a step has taken a third of the time; that step gives the time of a game.
measure() {
  local num=16 before=0 all=0 end=$((SECONDS + pilot))
  rm -f "$folder/pilot.db"
  while :; do
    run_pilot "$num"
    all=$("$hoyito" run "$experiment" --games "$num" -o "$folder/pilot.db" --dry-run --json | value games)
    if [ "$cpu_ms" -ge $((pilot * 1000 / 3)) ] || [ "$SECONDS" -ge "$end" ] || [ "$num" -gt 1000000000 ]; then
      break
    fi
    before=$all
    num=$((4 * num))
  done
  game_ns=$((cpu_ms * 1000000 / (all - before)))
}

plan_games() {
  local target=(--metric "$metric" --half-width "$half_width")
  "$hoyito" plan "$folder/pilot.db" "${target[@]}" >&2 || exit $?
  "$hoyito" plan "$folder/pilot.db" "${target[@]}" --json | value games
}

if [ -e "$folder/study.conf" ]; then
  asked=("$games" "$shards" "$half_width")
  # shellcheck source=/dev/null
  . "$folder/study.conf"
  [ -z "${asked[0]}" ] || [ "${asked[0]}" = "$games" ] || die "'$folder' is for other games (${games:-its file}) than ${asked[0]}" 3
  [ -z "${asked[1]}" ] || [ "${asked[1]}" = "$shards" ] || die "'$folder' has $shards shards, not ${asked[1]}" 3
  cmp -s "$experiment" "$folder/experiment.yaml" || die "'$folder' is for another experiment file than '$experiment'" 3
else
  grep -q '^stop:' "$experiment" &&
    die "'$experiment' has a stop rule, which needs all games and not those of one shard; take 'stop' out and use --half-width"
  game_ns=''
  [ "$pilot" -eq 0 ] || measure
  [ -z "$half_width" ] || games=$(plan_games)
  run=("$experiment" ${games:+--games "$games"})
  "$hoyito" run "${run[@]}" -o "$folder/pilot.db" --dry-run --json >"$work/experiment"
  all=$(value games <"$work/experiment")
  name=$(value experiment <"$work/experiment")
  seed=$(value seed <"$work/experiment")
  [ "$seed" != auto ] || die "'seed: auto' needs the pilot, which draws one for all shards"
  cpu_s=${game_ns:+$(awk "BEGIN { printf \"%.0f\", $all * $game_ns / 1e9 + 1 }")}
  [ -n "$shards$cpu_s" ] || die '--pilot 0 needs --shards, --time and --memory'
  most=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *//p' || true)
  : "${most:=1001}"
  [ "${shards:-1}" -lt "$most" ] || die "this cluster takes at most $((most - 1)) tasks in an array (MaxArraySize)"
  if [ -z "$shards" ]; then
    shards=$(((cpu_s + minutes * 60 * cpus - 1) / (minutes * 60 * cpus)))
    [ "$shards" -lt "$most" ] || shards=$((most - 1))
  fi
  [ -n "$limit$cpu_s" ] || die '--pilot 0 needs --shards, --time and --memory'
  : "${limit:=$((2 * cpu_s / (60 * cpus * shards) + 10))}"
  [ -n "$memory" ] || [ "$peak" -gt 0 ] || die '--pilot 0 needs --shards, --time and --memory'
  : "${memory:=$((100 + 2 * peak * cpus / 1024 + all / 4000000))}"
  # A merge with its digest took a third of this or less (2×6, 1,000 shards: see the README).
  if grep -q '^record: *summary' "$experiment"; then
    merge_limit=$((30 + (all / 65536 + 150 * shards * $(grep -c '"condition":' "$work/experiment")) / 10000))
  else
    merge_limit=$((30 + all / 2000000))
  fi
  cp "$experiment" "$folder/experiment.yaml"
  run=("$folder/experiment.yaml" ${games:+--games "$games"} --seed "$seed")
  {
    echo '# What submit.sh found, and what array.sbatch and merge.sbatch read.'
    declare -p name hoyito shards games seed cpus limit merge_limit warning save memory run | sed 's/^declare -[-a]* //'
  } >"$work/study.conf"
  echo "$name: $all games in all${cpu_s:+, about $cpu_s s of processor time ($game_ns ns a game)}" >&2
  [ -n "$dry_run" ] || cp "$work/study.conf" "$folder/study.conf"
fi

# The shards that are not complete, in the words of --array.
open_shards() {
  local shard first='' last='' list=''
  for ((shard = 1; shard <= shards + 1; shard++)); do
    if [ "$shard" -le "$shards" ] && [ "$(left "$shard" "$shards" "$folder/shards/$shard.db")" != 0 ]; then
      : "${first:=$shard}"
      last=$shard
    elif [ -n "$first" ]; then
      list+=${list:+,}$first
      [ "$last" -eq "$first" ] || list+=-$last
      first=''
    fi
  done
  echo "$list"
}

submit() {
  if [ -n "$dry_run" ]; then
    printf '%s' sbatch >&2
    printf ' %q' "$@" >&2
    echo >&2
    echo JOB
  else
    sbatch "$@"
  fi
}

if [ -z "$dry_run" ] && [ -e "$folder/jobs" ] && squeue -h -j "$(cat "$folder/jobs")" 2>/dev/null | grep -q .; then
  die "jobs $(cat "$folder/jobs") for '$folder' are still there; see squeue" 3
fi
list=$(open_shards)
wait_for=()
if [ -n "$list" ]; then
  echo "shards to play: $list of $shards; $cpus processor(s), $memory MB, at most $limit min each" >&2
  array=$(submit --parsable --job-name="$name" --array="$list${at_once:+%$at_once}" --output="$folder/logs/%a.log" \
    --open-mode=append --requeue --signal="B:USR1@$warning" --time="$limit" --cpus-per-task="$cpus" --mem="${memory}M" \
    "${sbatch_options[@]}" "$here/array.sbatch" "$folder")
  array=${array%%;*}
  wait_for=(--dependency="afterok:$array" --kill-on-invalid-dep=yes)
else
  array=''
  echo "all $shards shards are complete" >&2
fi
merge=$(submit --parsable --job-name="$name-merge" "${wait_for[@]}" --output="$folder/logs/merge.log" --open-mode=append \
  --requeue --time="$merge_limit" --cpus-per-task=1 --mem="${memory}M" "${sbatch_options[@]}" "$here/merge.sbatch" "$folder")
[ -n "$dry_run" ] || echo "${array:+$array,}${merge%%;*}" >"$folder/jobs"
[ -n "$dry_run" ] || echo "submitted: ${array:+$array (shards), }${merge%%;*} (merge); log files in $folder/logs"
