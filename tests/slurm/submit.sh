# experiments/slurm without a Slurm: what submit.sh asks of sbatch the first time and when it is repeated,
# what it refuses, and what a task does where something is missing.
set -euo pipefail
. "$(dirname -- "$0")/../cli/lib.sh"

# Slurm's commands: sbatch notes its options, one a line, and runs nothing.
mkdir "$scratch/slurm"
cat >"$scratch/slurm/sbatch" <<'SH'
#!/bin/sh
printf '%s\n' "$@" >>"$SBATCH_LOG"
echo 7
SH
printf '#!/bin/sh\n' >"$scratch/slurm/scontrol"
printf '#!/bin/sh\n[ ! -e queued ] || cat queued\n' >"$scratch/slurm/squeue"
chmod +x "$scratch"/slurm/*
export PATH=$scratch/slurm:$PATH SBATCH_LOG=$scratch/sbatch HOYITO=$program
slurm=$source_folder/experiments/slurm

# submit STATUS ARGUMENT…: submit.sh; what it submitted is in $SBATCH_LOG.
submit() {
  local want=$1
  shift
  : >"$SBATCH_LOG"
  expect_exit "$want" bash "$slurm/submit.sh" "$@"
  [[ $want -eq 0 ]] || expect_empty "$SBATCH_LOG" 'submitted in spite of it'
}
# refuse STATUS MATCH ARGUMENT…
refuse() {
  local match=$2
  submit "$1" "${@:3}"
  expect_match "$match" "$err"
}
submitted() {
  local option
  for option; do
    expect_true "'$option' is not submitted" grep -qxe "$option" "$SBATCH_LOG"
  done
}
task() { env SLURM_ARRAY_TASK_ID="$1" bash "$slurm/array.sbatch" "$2"; }

enter submit
cat >s.yaml <<'YAML'
experiment: s
question: For trial.
seed: 1
games: 20
rules: {preset: hoyito-ii, holes: 2}
policies:
  - {south: random, north: random}
YAML
first=(--pilot 0 --memory 100 --time 10 --shards 3)

# Options that make no sense.
refuse 2 '--cpus takes a whole number from 1 to 1024' --cpus 999999999999 "${first[@]}" s.yaml no
refuse 2 '--half-width takes a positive number' --half-width x s.yaml no
refuse 2 'not both' --half-width 0.1 --games 5 s.yaml no
refuse 2 "metric is that of --half-width" --metric plies "${first[@]}" s.yaml no
refuse 2 'needs the pilot' --half-width 0.1 "${first[@]}" s.yaml no
refuse 2 'at most half of it, 150 s' --signal 3600 "${first[@]}" --time 5 s.yaml no
refuse 2 'at most half of it, 150 s' --signal 151 "${first[@]}" --time 5 --dry-run s.yaml no
(cat s.yaml && echo '"stop" : {metric: draw_share, half_width: 0.1}') >stop.yaml
refuse 2 'has a stop rule' "${first[@]}" stop.yaml no
refuse 2 'has a stop rule' --dry-run stop.yaml no
sed 's/^games:.*/games: none/' s.yaml >wrong.yaml
refuse 2 "wrong.yaml.*games" "${first[@]}" wrong.yaml no
expect_true 'what is refused leaves its folder' test ! -e no
submit 0 --dry-run "${first[@]}" --signal 300 s.yaml no
expect_match '^sbatch .*--signal=B:USR1@300 .*/array.sbatch ' "$err"
expect_true 'a dry run writes something' test ! -e no
submit 0 --dry-run "${first[@]}" --time 2 s.yaml no
expect_match 'USR1@60 --time=2 ' "$err" 'half of a short limit'

# Repeated: what a task gets is taken anew and remembered.
submit 0 "${first[@]}" s.yaml st
submitted --mem=100M --time=10 --cpus-per-task=1 --signal=B:USR1@120 --array=1-3 --time=30
submit 0 --memory 9000 --time 99 --cpus 4 --signal 200 --save 77 --at-once 2 --shards 3 s.yaml st
submitted --mem=9000M --time=99 --cpus-per-task=4 --signal=B:USR1@200 --array=1-3%2
expect_equal 2 "$(grep -cxe --time=99 "$SBATCH_LOG")" 'the merge has the longer limit too'
expect_match '^save="?77"?$' st/study.conf
submit 0 --dry-run --memory 5 s.yaml st
expect_match '--mem=5M' "$err"
submit 0 --time 20 s.yaml st
submitted --mem=9000M --time=20 --time=30 --cpus-per-task=4 --signal=B:USR1@200 --array=1-3%2
refuse 2 'at most half of it' --time 5 s.yaml st

# What decides which games a shard has is refused, and changes nothing.
sed 's/^seed:.*/seed: 2/' s.yaml >other.yaml
snapshot >"$scratch/before"
refuse 2 "submitted with --shards 3, not --shards 4" --memory 1 --shards 4 s.yaml st
refuse 2 "submitted with the file's games, not --games 5" --games 5 s.yaml st
refuse 2 "submitted with a number of games, not --half-width 0.5" --half-width 0.5 s.yaml st
refuse 2 "submitted with --minutes 60, not --minutes 5" --minutes 5 s.yaml st
refuse 2 'another experiment file' other.yaml st
echo 7 >queued
refuse 3 'are still there' --memory 1 s.yaml st
rm queued
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" 'what a refused command changes'

mkdir half
expect_exit 0 hoyito run s.yaml --games 100 -o half/pilot.db
submit 0 "${first[@]}" --half-width 0.2 s.yaml half
games=$(sed -n 's/^games="*\([0-9]*\)"*$/\1/p' half/study.conf)
expect_true 'no games planned' test -n "$games"
submit 0 --half-width 0.20 --metric first_player_score s.yaml half
submit 0 --games "$games" s.yaml half
refuse 2 'with --half-width 0.2, not --half-width 0.5' --half-width 0.5 s.yaml half
refuse 2 'with --metric first_player_score, not' --metric plies s.yaml half
refuse 2 "with --games $games, not" --games "$((games + 1))" s.yaml half

# Tasks where something is missing: study.conf, the login node's TMPDIR, the program.
mkdir none
for sbatch in array merge; do
  expect_exit 2 env SLURM_ARRAY_TASK_ID=1 bash "$slurm/$sbatch.sbatch" none
  expect_match "$sbatch.sbatch: cannot read 'none/study.conf'" "$err"
done
expect_exit 2 bash "$slurm/array.sbatch" st
expect_match 'sbatch --array=' "$err"
export TMPDIR=$scratch/not_here
for shard in 1 2 3; do
  expect_exit 0 task "$shard" st
  expect_match complete "$err"
done
expect_exit 0 bash "$slurm/merge.sbatch" st
submit 0 s.yaml st
expect_match 'all 3 shards are complete' "$err"
submitted --time=30
unset TMPDIR
expect_equal "$(hoyito run s.yaml -o alone.db >/dev/null 2>&1 && digest alone.db | cut -d ' ' -f 1)" \
  "$(cut -d ' ' -f 1 st/digest.txt)" 'the digest'
mkdir gone
sed 's/^hoyito=.*/hoyito=not_here/' st/study.conf >gone/study.conf
expect_exit 2 task 1 gone
expect_match "no program 'not_here'" "$err"

# Damaged shards are named, and nothing is submitted.
cp -r st damaged
: >damaged/shards/1.db
head -c 20000 st/shards/3.db >damaged/shards/3.db
refuse 3 'damaged/shards/1\.db .*damaged/shards/3\.db; move it away' s.yaml damaged
rm damaged/shards/[13].db
submit 0 s.yaml damaged
submitted --array=1,3%2
: >damaged/study.conf
refuse 3 "study.conf' is damaged" s.yaml damaged

# Which program: HOYITO, the tree's, that from PATH; installed, there is no build folder.
mkdir -p tree/experiments bin
cp -r "$slurm" tree/experiments
alone() { env -i PATH="$1:/usr/bin:/bin" bash tree/experiments/slurm/submit.sh --dry-run "${first[@]}" s.yaml "$2"; }
if ! PATH=/usr/bin:/bin type -P hoyito >/dev/null; then
  expect_exit 2 alone /nothing new
  expect_match "no program 'hoyito': .*/tree/build/release/hoyito .* HOYITO=" "$err"
fi
expect_exit 0 env -i PATH=/usr/bin:/bin bash tree/experiments/slurm/submit.sh --help
expect_match 'else hoyito from PATH' "$out"
ln -s "$program" bin/hoyito
expect_exit 0 alone "$PWD/bin" new
expect_match "^sbatch .*/tree/experiments/slurm/array.sbatch " "$err"
expect_exit 0 alone /nothing st # study.conf knows one
mkdir -p tree/build/release
printf '#!/bin/sh\necho used >"%s"\nexec "%s" "$@"\n' "$PWD/used" "$program" >tree/build/release/hoyito
chmod +x tree/build/release/hoyito
expect_exit 0 alone "$PWD/bin" new
expect_true "the tree's program is not used" test -e used
HOYITO=$PWD refuse 2 'HOYITO names' "${first[@]}" s.yaml new
HOYITO=$PWD/s.yaml refuse 2 'HOYITO names' "${first[@]}" s.yaml new
rm tree/experiments/slurm/merge.sbatch
expect_exit 2 alone "$PWD/bin" new
expect_match "merge.sbatch' is not there" "$err"
