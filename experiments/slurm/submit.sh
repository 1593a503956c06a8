#!/usr/bin/env bash
# experiments/slurm/submit.sh [OPTION…] EXPERIMENT.yaml FOLDER [-- SBATCH OPTION…]: plays an experiment on a
# Slurm cluster, as a job array over shards and a merge behind it.
#
#   experiments/slurm/submit.sh --dry-run study.yaml /shared/study       measures, says what it would submit
#   experiments/slurm/submit.sh study.yaml /shared/study -- --account=x  submits
#   experiments/slurm/submit.sh --half-width 0.001 study.yaml /shared/study   games by `hoyito plan`
#   experiments/slurm/submit.sh --memory 9000 study.yaml /shared/study   once more, after too little memory
#
# A pilot of some seconds on this machine gives the processor time of a game, and the memory. FOLDER gets
# study.conf (what is played), pilot.db, shards/I.db, logs, and at the end NAME.db and digest.txt. The same
# command again submits the shards that are not complete, and nothing that is.
#
# Which games there are and how shards are dealt is decided once: a repeated command may leave these out,
# and is refused where they differ.
#
#   --games N         per condition and seating, instead of the file's
#   --half-width W    instead: as many as an interval of this half width takes, by the pilot
#   --metric METRIC   of it (first_player_score); see hoyito plan --help
#   --shards N        (by the pilot and --minutes)
#   --minutes M       that a task should take (60)
#   --pilot S         seconds that the pilot may take (10); 0: no pilot, the numbers must be given; the first
#                     time only
#
# These count from the command on that has them, and are remembered for the next one:
#
#   --cpus N          of a task (1)
#   --at-once N       tasks that may run at the same time (all)
#   --time MINUTES    time limit of a task (twice its time, and 10), and the least one of the merge
#   --signal S        seconds before the time limit at which a task saves and asks for another turn (120, or
#                     half the time limit, which is the most)
#   --save S          seconds between copies of a shard to FOLDER (900)
#   --memory MB       of a task, and of the merge (by the pilot)
#
#   --dry-run         submits nothing, writes nothing
#
# HOYITO names the program. Default: build/release/hoyito of this tree, else hoyito from PATH. The nodes must
# find it at the same place. What stands behind -- is not remembered.
#
# Exit status: 0 done; 2 wrong usage; 3 jobs of FOLDER are still there, or a file in it is damaged; else that
# of hoyito or sbatch.
set -euo pipefail
export LC_ALL=C
unset SLURM_CPUS_PER_TASK

here=$(cd "$(dirname "$0")" && pwd)
declare -A given=()
dry_run='' arguments=() sbatch_options=()

die() {
  echo "submit.sh: $1" >&2
  exit "${2:-2}"
}

# number OPTION TEXT LEAST MOST: a whole number between them, or the end.
number() {
  [[ $2 =~ ^(0|[1-9][0-9]{0,12})$ && $2 -ge $3 && $2 -le $4 ]] ||
    die "$1 takes a whole number from $3 to $4, not '$2'"
}

# take OPTION TEXT
take() {
  local text=$2
  case $1 in
    --half-width)
      [[ $text =~ ^[0-9]*\.?[0-9]+([eE][-+]?[0-9]{1,2})?$ ]] || die "--half-width takes a positive number, not '$text'"
      text=$(awk -v number="$text" 'BEGIN { printf "%.15g", number }')
      ;;
    --metric) [[ $text =~ ^[a-z_]+$ ]] || die "--metric takes a name, not '$text'; see hoyito plan --help" ;;
    --games) number "$1" "$text" 1 1000000000000 ;;
    --cpus) number "$1" "$text" 1 1024 ;;     # threads that the program takes
    --signal) number "$1" "$text" 1 65535 ;;  # seconds that Slurm takes
    --time) number "$1" "$text" 1 10000000 ;;
    --pilot) number "$1" "$text" 0 86400 ;;
    *) number "$1" "$text" 1 1000000000 ;;
  esac
  given[$1]=$text
}

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=1 ;;
    --) shift && sbatch_options=("$@") && break ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" && exit 0 ;;
    --games | --half-width | --metric | --shards | --minutes | --cpus | --at-once | --time | --signal | --save | --memory | --pilot)
      [ $# -ge 2 ] || die "$1 needs a value"
      take "$1" "$2"
      shift
      ;;
    -*) die "there is no option '$1'; see --help" ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
[ ${#arguments[@]} -eq 2 ] || die 'an experiment file and a folder are needed; see --help'
[ -z "${given[--games]:-}" ] || [ -z "${given[--half-width]:-}" ] || die '--games or --half-width, not both'
experiment=${arguments[0]}
[[ -f $experiment && -r $experiment ]] || die "cannot read '$experiment'"
folder=$(realpath -m -- "${arguments[1]}")

# What study.conf keeps; what is empty below the first line follows from the pilot each time.
name='' hoyito='' shards='' games='' half_width='' metric='' minutes=60 seed='' merge_limit='' run=()
cpus='' at_once='' limit='' warning='' save='' memory=''
all='' cpu_s='' peak=0
if [ -e "$folder/study.conf" ]; then
  # shellcheck source=/dev/null
  . "$folder/study.conf"
  [[ -n $shards && ${#run[@]} -gt 0 ]] || die "'$folder/study.conf' is damaged" 3
fi

# Leaves the program in $hoyito: HOYITO, else that of study.conf, else the tree's, else that from PATH.
find_program() {
  local candidate tree=$here/../../build/release/hoyito
  for candidate in "${HOYITO:-}" "$hoyito" "$tree" hoyito; do
    [ -n "$candidate" ] || continue
    if hoyito=$(type -P "$candidate"); then
      hoyito=$(realpath -- "$hoyito")
      return
    fi
    [ -z "${HOYITO:-}" ] || die "HOYITO names '$HOYITO', which is no program"
  done
  die "there is no program 'hoyito': neither $(realpath -m -- "$tree") nor one in PATH; build or install it (README.md of Hoyito), or name it with HOYITO=/path/to/hoyito"
}
find_program
for word in "$folder" "$hoyito"; do
  case $word in *[!A-Za-z0-9/._+-]*) die "paths for Slurm take letters, digits and /._+- only, not '$word'" ;; esac
done
for word in array.sbatch merge.sbatch; do
  [ -r "$here/$word" ] || die "'$here/$word' is not there; it belongs beside submit.sh"
done

# value KEY: a number or text at the top of the JSON on stdin; { of an object.
value() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p"; }

work=$(mktemp -d 2>/dev/null || mktemp -d /tmp/hoyito-XXXXXX)
trap 'rm -rf "$work"' EXIT

# Leaves the processor time of this shell's children so far, in ms, in $children_ms.
count_children() {
  times >"$work/times"
  children_ms=$(($(sed -n '2s/\(.*\)m\(.*\)\.\(...\)s \(.*\)m\(.*\)\.\(...\)s/((\1 + \4) * 60 + \2 + \5) * 1000 + 1\3 + 1\6 - 2000/p' \
    "$work/times")))
}

# The pilot's memory, in KB, and its processor time in ms are left in $peak and $cpu_ms. Its database is on the
# disk of this machine, as those of tasks are.
run_pilot() {
  local before now
  count_children
  before=$children_ms
  "$hoyito" run "$experiment" --games "$1" -j 1 -o "$work/pilot.db" >/dev/null 2>"$work/pilot" &
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
  local num=16 before=0 end=$((SECONDS + pilot))
  while :; do
    run_pilot "$num"
    all=$("$hoyito" run "$experiment" --games "$num" -o "$work/pilot.db" --dry-run --json | value games)
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
  [ -e "$work/pilot.db" ] || die '--half-width needs the pilot'
  "$hoyito" plan "$work/pilot.db" "${target[@]}" >&2 || exit $?
  "$hoyito" plan "$work/pilot.db" "${target[@]}" --json | value games
}

# keep OPTION DECIDED WORDS: an option that decides which games a shard has is what it was.
keep() {
  local asked=${given[$1]:-}
  [ -z "$asked" ] || [ "$asked" = "$2" ] ||
    die "'$folder' was submitted with ${2:+$1 }${2:-$3}, not $1 $asked: other games or shards need another folder"
}

# The options of a repeated command against study.conf.
check_study() {
  cmp -s "$experiment" "$folder/experiment.yaml" ||
    die "'$folder' was submitted with another experiment file than '$experiment': other games need another folder"
  keep --games "$games" "the file's games"
  keep --half-width "$half_width" 'a number of games'
  keep --metric "$metric" 'a number of games'
  keep --shards "$shards" ''
  keep --minutes "$minutes" ''
}

# Leaves the number of shards in $shards, at most so many as the cluster takes.
choose_shards() {
  local most
  shards=${given[--shards]:-}
  [ -n "$shards$cpu_s" ] || die '--pilot 0 needs --shards, --time and --memory'
  most=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *//p' || true)
  : "${most:=1001}"
  [ "${shards:-1}" -lt "$most" ] || die "this cluster takes at most $((most - 1)) tasks in an array (MaxArraySize)"
  if [ -z "$shards" ]; then
    shards=$(((cpu_s + minutes * 60 * cpus - 1) / (minutes * 60 * cpus)))
    [ "$shards" -lt "$most" ] || shards=$((most - 1))
  fi
}

# Decides what is played: plays the pilot, and fills what study.conf keeps.
decide_study() {
  local game_ns='' pilot=${given[--pilot]:-10}
  "$hoyito" run "$experiment" -o "$work/pilot.db" --dry-run --json >"$work/experiment" || exit $?
  [ "$(value stop <"$work/experiment")" = null ] ||
    die "'$experiment' has a stop rule, which needs all games and not those of one shard; take 'stop' out and use --half-width"
  games=${given[--games]:-}
  half_width=${given[--half-width]:-}
  minutes=${given[--minutes]:-60}
  [ -n "$half_width" ] || [ -z "${given[--metric]:-}" ] || die '--metric is that of --half-width, which is not given'
  if [ "$pilot" -gt 0 ]; then
    measure
  elif [ -e "$folder/pilot.db" ]; then
    cp "$folder/pilot.db" "$work/pilot.db"
  fi
  if [ -n "$half_width" ]; then
    metric=${given[--metric]:-first_player_score}
    games=$(plan_games) || exit $?
  fi
  "$hoyito" run "$experiment" ${games:+--games "$games"} -o "$work/pilot.db" --dry-run --json >"$work/experiment"
  all=$(value games <"$work/experiment")
  name=$(value experiment <"$work/experiment")
  seed=$(value seed <"$work/experiment")
  [ "$seed" != auto ] || die "'seed: auto' needs the pilot, which draws one for all shards"
  cpu_s=${game_ns:+$(awk "BEGIN { printf \"%.0f\", $all * $game_ns / 1e9 + 1 }")}
  choose_shards
  # A merge with its digest took a third of this or less (2×6, 1,000 shards: see the README).
  if grep -q "^[\"']\{0,1\}record[\"']\{0,1\} *: *[\"']\{0,1\}summary" "$experiment"; then
    merge_limit=$((30 + (all / 65536 + 150 * shards * $(grep -c '"condition":' "$work/experiment")) / 10000))
  else
    merge_limit=$((30 + all / 2000000))
  fi
  run=("$folder/experiment.yaml" ${games:+--games "$games"} --seed "$seed")
  echo "$name: $all games in all${cpu_s:+, about $cpu_s s of processor time ($game_ns ns a game)}" >&2
}

# What a task gets: the options, those of an earlier command, or what follows from the pilot.
choose_resources() {
  [ -n "$limit$cpu_s" ] || die '--pilot 0 needs --shards, --time and --memory'
  task_limit=${limit:-$((2 * cpu_s / (60 * cpus * shards) + 10))}
  [ -n "$memory" ] || [ "$peak" -gt 0 ] || die '--pilot 0 needs --shards, --time and --memory'
  task_memory=${memory:-$((100 + 2 * peak * cpus / 1024 + all / 4000000))}
  task_warning=${warning:-$((task_limit < 4 ? task_limit * 30 : 120))}
  [ "$task_warning" -le $((task_limit * 30)) ] ||
    die "--signal $task_warning is too early for a time limit of $task_limit min: at most half of it, $((task_limit * 30)) s, or a task would get little done in its turns"
  merge_time=$((merge_limit < ${limit:-0} ? limit : merge_limit))
}

# left SHARD DATABASE: games that are still to be played.
left() {
  local text
  text=$("$hoyito" run "$played" "${run[@]:1}" --shard "$1/$shards" -o "$2" --dry-run --json) || return
  value games_to_play <<<"$text"
}

# The shards that are not complete, in the words of --array.
open_shards() {
  local shard first='' last='' list='' num damaged=()
  for ((shard = 1; shard <= shards + 1; shard++)); do
    num=0
    if [ "$shard" -le "$shards" ] && ! num=$(left "$shard" "$folder/shards/$shard.db"); then
      damaged+=("$folder/shards/$shard.db")
    elif [ "$num" != 0 ]; then
      : "${first:=$shard}"
      last=$shard
    elif [ -n "$first" ]; then
      list+=${list:+,}$first
      [ "$last" -eq "$first" ] || list+=-$last
      first=''
    fi
  done
  [ ${#damaged[@]} -eq 0 ] ||
    die "nothing is submitted: damaged, or not of this study: ${damaged[*]}; move it away, and its games are played again" 3
  echo "$list"
}

# Writes study.conf, whole or not at all.
remember() {
  {
    echo '# What submit.sh found and was told, and what array.sbatch and merge.sbatch read.'
    declare -p name hoyito shards games half_width metric minutes seed merge_limit run cpus at_once limit warning save \
      memory all cpu_s peak | sed 's/^declare -[-a]* //'
  } >"$folder/study.conf.part"
  mv -f "$folder/study.conf.part" "$folder/study.conf"
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

cpus=${given[--cpus]:-${cpus:-1}}
at_once=${given[--at-once]:-$at_once}
limit=${given[--time]:-$limit}
warning=${given[--signal]:-$warning}
save=${given[--save]:-${save:-900}}
memory=${given[--memory]:-$memory}
played=$experiment
if [ -e "$folder/study.conf" ]; then
  check_study
else
  decide_study
fi
choose_resources
if [ -z "$dry_run" ] && [ -e "$folder/jobs" ] && squeue -h -j "$(cat "$folder/jobs")" 2>/dev/null | grep -q .; then
  die "jobs $(cat "$folder/jobs") for '$folder' are still there; see squeue" 3
fi
if [ -z "$dry_run" ]; then
  mkdir -p "$folder/shards" "$folder/logs"
  if [ ! -e "$folder/study.conf" ]; then
    cp "$experiment" "$folder/experiment.yaml"
    [ ! -e "$work/pilot.db" ] || cp "$work/pilot.db" "$folder/pilot.db"
  fi
  played=$folder/experiment.yaml
fi
list=$(open_shards)
[ -n "$dry_run" ] || remember
wait_for=()
if [ -n "$list" ]; then
  echo "shards to play: $list of $shards; $cpus processor(s), $task_memory MB, at most $task_limit min each" >&2
  array=$(submit --parsable --job-name="$name" --array="$list${at_once:+%$at_once}" --output="$folder/logs/%a.log" \
    --open-mode=append --requeue --signal="B:USR1@$task_warning" --time="$task_limit" --cpus-per-task="$cpus" \
    --mem="${task_memory}M" "${sbatch_options[@]}" "$here/array.sbatch" "$folder")
  array=${array%%;*}
  wait_for=(--dependency="afterok:$array" --kill-on-invalid-dep=yes)
else
  array=''
  echo "all $shards shards are complete" >&2
fi
merge=$(submit --parsable --job-name="$name-merge" "${wait_for[@]}" --output="$folder/logs/merge.log" --open-mode=append \
  --requeue --time="$merge_time" --cpus-per-task=1 --mem="${task_memory}M" "${sbatch_options[@]}" "$here/merge.sbatch" "$folder")
[ -n "$dry_run" ] || echo "${array:+$array,}${merge%%;*}" >"$folder/jobs"
[ -n "$dry_run" ] || echo "submitted: ${array:+$array (shards), }${merge%%;*} (merge); log files in $folder/logs"
