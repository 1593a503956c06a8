# What goes to stdout and stderr, where it cannot go, and what the environment may change.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# Changes of the environment that the program runs in.
settings=()
hoyito() { env "${settings[@]}" "$program" "$@"; }

cat >study.yaml <<'EOF'
experiment: study
seed: 20261129
games: 300
max_plies: 90
rules: {holes: [4, 6]}
policies: [{south: random, north: {epsilon: {rate: 0.125, policy: greedy}}}]
EOF
hoyito run study.yaml >/dev/null 2>&1
plies='{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":4}'
printf '%s\nbroken\n' "$plies" >rows.jsonl
games='{"rules":{},"holes":[4]}'
printf '%s\n' "$games" >games.jsonl

# run_all: every command, its stdout and stderr into all.out and all.err.
run_all() {
  rm -f new.db merged.db
  {
    hoyito run study.yaml -o new.db -j 2
    hoyito run study.yaml -o new.db --json
    hoyito run study.yaml --dry-run
    hoyito run study.yaml --dry-run --json
    hoyito report new.db
    hoyito report new.db --json
    hoyito merge merged.db new.db
    hoyito verify new.db
    hoyito digest new.db
    hoyito rules
    hoyito rules ba-awa
    hoyito rules --schema
    hoyito replay new.db --condition 2 --game 5
    hoyito replay new.db --condition 2 --game 5 --json
    hoyito ply <rows.jsonl || true
    hoyito replay <games.jsonl
    hoyito run missing.yaml || true
    hoyito report missing.db || true
    hoyito --help
    hoyito --version
  } >all.out 2>all.err
}
run_all
cp all.out want.out
cp all.err want.err
expect_true "there is output" test "$(wc -l <want.out)" -gt 200
expect_true "there is talk" test "$(wc -l <want.err)" -gt 5

# No carriage returns and no escape codes in files; nothing but text.
for file in want.out want.err; do
  expect_equal 0 "$(tr -d '\n\40-\176\200-\377' <"$file" | wc -c)" "control characters in $file"
done
expect_no_match 'nan|inf[^o]|-0\.0' want.out
expect_no_match '%[0-9.]*[dsufgl]' want.err

# Results go to stdout, talk to stderr.
expect_exit 0 hoyito run study.yaml -o quiet.db --json
expect_json 'type == "object"' "$out" "stdout of run --json is JSON alone"
expect_match 'games to play' "$err"
expect_match '^next: hoyito report quiet\.db$' "$err"

# A longer run, with stderr in a file: no bar.
expect_exit 0 hoyito run study.yaml --games 6000 -o long.db -j 1
expect_equal 0 "$(tr -d '\n\40-\176\200-\377' <"$err" | wc -c)" "control characters of a longer run"
if command -v script >/dev/null; then
  script -q -e -c "$(printf %q "$program") run study.yaml --games 20000 -o bar.db -j 1 >/dev/null" typescript \
    >/dev/null </dev/null
  expect_true "a bar on a terminal" grep -q $'\r' typescript
  expect_match ' of 40000 games' typescript
fi

# The environment does not change what is said.
same_output() {
  settings=("$@")
  run_all
  expect_same_file want.out all.out "stdout with $*"
  expect_same_file want.err all.err "stderr with $*"
  settings=()
}
for locale in C POSIX C.UTF-8 de_DE.UTF-8 de_DE tr_TR.UTF-8; do
  same_output "LC_ALL=$locale" "LANG=$locale" LANGUAGE=de
done
comma=(LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8)
mkdir locales
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >/dev/null 2>&1 &&
  [[ $(env "${comma[@]}" locale decimal_point) == , ]]; then
  same_output "${comma[@]}"
else
  echo "no locale with a decimal comma can be made here"
fi
same_output NO_COLOR=1
same_output NO_COLOR= TERM=dumb
same_output TERM=xterm-256color COLUMNS=20
same_output TZ=Asia/Kolkata
same_output SQLITE_TMPDIR=missing TMPDIR=missing
settings=(POSIXLY_CORRECT=1)
expect_exit 0 hoyito run --dry-run study.yaml
settings=()

# stdout that takes nothing: an error, and a message; what was played is stored all the same.
unwritable() {
  local status=0
  "$@" >/dev/full 2>"$err" || status=$?
  expect_true "exit status 0 with a full stdout: $*" test "$status" -ne 0
  expect_match 'standard output' "$err" "full stdout: $*"
  status=0
  "$@" >&- 2>"$err" || status=$?
  expect_true "exit status 0 with a closed stdout: $*" test "$status" -ne 0
  expect_match 'standard output' "$err" "closed stdout: $*"
}
if [[ -e /dev/full ]]; then
  unwritable hoyito run study.yaml -o full.db
  expect_equal "$(digest study.db)" "$(digest full.db)" "digest of a run without stdout"
  unwritable hoyito run study.yaml -o full.db --json
  unwritable hoyito run study.yaml --dry-run
  unwritable hoyito report study.db
  unwritable hoyito report study.db --json
  rm -f merged.db
  unwritable hoyito merge merged.db study.db
  unwritable hoyito verify study.db
  unwritable hoyito digest study.db
  unwritable hoyito rules
  unwritable hoyito rules ba-awa --json
  unwritable hoyito rules --schema
  unwritable hoyito replay study.db --condition 1 --game 0
  unwritable hoyito replay study.db --condition 1 --game 0 --json
  unwritable hoyito --help
  unwritable hoyito --version
  unwritable hoyito run --help
  status=0
  hoyito ply <<<"$plies" >/dev/full 2>"$err" || status=$?
  expect_true "exit status of ply with a full stdout" test "$status" -ne 0
  status=0
  hoyito replay <<<"$games" >/dev/full 2>"$err" || status=$?
  expect_true "exit status of replay with a full stdout" test "$status" -ne 0
  # A stream without end stops where nobody can take the answers.
  status=0
  { yes "$plies" || true; } 2>/dev/null | timeout 2 "$program" ply >/dev/full 2>"$err" || status=$?
  expect_equal 5 "$status" "exit status of ply with endless input and a full stdout"
fi
expect_exit 5 hoyito ply <&-
expect_match 'standard input' "$err"
expect_exit 5 hoyito ply <.
expect_exit 0 hoyito report study.db <&-
"$program" run study.yaml -o silent.db >"$out" 2>&-
expect_equal "$(digest study.db)" "$(digest silent.db)" "digest of a run without stderr"
expect_equal ok "$(query silent.db 'PRAGMA integrity_check')" "integrity after a run without stderr"

# The reader goes away: no noise, and the filter stops.
{ yes "$plies" || true; } 2>/dev/null | { timeout 20 "$program" ply 2>"$err" || echo "$?" >status; } | sed -n '1q'
expect_empty "$err" "stderr when the reader goes away"

# Threads: -j, then SLURM_CPUS_PER_TASK, then the processors allowed.
threads_of() {
  rm -f threads.db
  "$@" run study.yaml -o threads.db --games 20 >"$out" 2>"$err"
  sed -n 's/^seed .*, \([0-9]* threads*\)$/\1/p' "$err"
}
expect_equal '3 threads' "$(SLURM_CPUS_PER_TASK=3 threads_of "$program")" "SLURM_CPUS_PER_TASK=3"
expect_equal '1 thread' "$(SLURM_CPUS_PER_TASK=1 threads_of "$program")" "SLURM_CPUS_PER_TASK=1"
rm threads.db
expect_exit 0 env SLURM_CPUS_PER_TASK=3 "$program" run study.yaml -o threads.db -j 2
expect_match ', 2 threads$' "$err" "-j before SLURM_CPUS_PER_TASK"
allowed=$(threads_of "$program")
expect_true "threads by default: '$allowed'" test "${allowed%% *}" -ge 1 -a "${allowed%% *}" -le "$(nproc)"
for nonsense in '' 0 x -1 99999999 '2(x3)'; do
  expect_equal "$allowed" "$(SLURM_CPUS_PER_TASK=$nonsense threads_of "$program")" \
    "SLURM_CPUS_PER_TASK='$nonsense'"
done
if command -v taskset >/dev/null; then
  cpu=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
  expect_equal '1 thread' "$(threads_of taskset -c "$cpu" "$program")" "one processor allowed"
  expect_equal '3 threads' "$(SLURM_CPUS_PER_TASK=3 threads_of taskset -c "$cpu" "$program")" \
    "SLURM_CPUS_PER_TASK before the processors allowed"
fi
