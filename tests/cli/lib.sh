# Helpers of the command line tests. A test is called as
#
#   bash THEME.sh PROGRAM SOURCE_FOLDER GOLDEN_FOLDER
#
# and begins with:  set -euo pipefail; . "$(dirname -- "$0")/lib.sh"
#
# It then runs in a scratch folder that is removed at the end. A failed check says where it stands and
# what was found; the test goes on, and its exit status is 1 at the end. Checks also count in subshells.

set -euo pipefail
export LC_ALL=C
unset NO_COLOR SLURM_CPUS_PER_TASK

if [[ $# -ne 3 ]]; then
  echo "usage: bash $0 PROGRAM SOURCE_FOLDER GOLDEN_FOLDER" >&2
  exit 2
fi
program=$(realpath -- "$1")
# shellcheck disable=SC2034 # tests use it
source_folder=$(realpath -- "$2")
# shellcheck disable=SC2034
golden=$(realpath -m -- "$3")
scratch=$(mktemp -d)
out=$scratch/out
err=$scratch/err
: >"$scratch/checks"
: >"$scratch/faults"

for tool in jq sqlite3; do
  if ! command -v "$tool" >/dev/null; then
    echo "$0 needs $tool" >&2
    exit 2
  fi
done

finish() {
  local status=$?
  local job num_checks num_faults
  trap - EXIT
  while read -r job; do
    kill -s KILL "$job" 2>/dev/null || true
  done < <(jobs -p)
  num_checks=$(wc -l <"$scratch/checks")
  num_faults=$(wc -l <"$scratch/faults")
  chmod -R u+rwX "$scratch"
  rm -rf "$scratch"
  if [[ $status -ne 0 ]]; then
    echo "stopped with status $status after $num_checks checks" >&2
    exit 1
  fi
  echo "$num_checks checks, $num_faults failed"
  if [[ $num_faults -gt 0 || $num_checks -eq 0 ]]; then
    exit 1
  fi
}
trap finish EXIT
trap 'echo "${BASH_SOURCE[0]}:$LINENO: the command failed: $BASH_COMMAND" >&2' ERR
set -E

hoyito() { "$program" "$@"; }

# The place in the test that called the outermost helper.
place() {
  local i
  for ((i = 1; i < ${#BASH_SOURCE[@]}; i++)); do
    if [[ ${BASH_SOURCE[i]} != "${BASH_SOURCE[0]}" ]]; then
      echo "${BASH_SOURCE[i]##*/}:${BASH_LINENO[i - 1]}"
      return
    fi
  done
}

# fail TEXT…: counts a failed check and goes on.
fail() {
  local where
  where=$(place)
  echo "$where" >>"$scratch/faults"
  printf '%s: %s\n' "$where" "$*" >&2
}

# Whether the long form of a test is asked for.
is_long() { [[ ${HOYITO_TEST_SCALE:-} == full ]]; }

check() { echo x >>"$scratch/checks"; }

# The first lines of a file, for a message.
excerpt() { head -c 600 -- "$1" | sed -n "1,6s/^/    /p"; }

# expect_exit CODE COMMAND…: runs with stdout in $out and stderr in $err.
expect_exit() {
  local want=$1 got=0
  shift
  check
  "$@" >"$out" 2>"$err" || got=$?
  if [[ $got -ne $want ]]; then
    fail "exit status $got instead of $want: $*
  stdout:
$(excerpt "$out")
  stderr:
$(excerpt "$err")"
  fi
}

# expect_match REGEX FILE [WHAT]: some line matches the extended expression.
expect_match() {
  check
  if ! grep -Eq -e "$1" -- "$2"; then
    fail "${3:-}${3:+: }no line of ${2##*/} matches '$1':
$(excerpt "$2")"
  fi
}

expect_no_match() {
  check
  if grep -Eq -e "$1" -- "$2"; then
    fail "${3:-}${3:+: }a line of ${2##*/} matches '$1':
$(grep -E -m 3 -e "$1" -- "$2" | cut -c 1-200 || true)"
  fi
}

# expect_equal WANT GOT WHAT
expect_equal() {
  check
  if [[ $1 != "$2" ]]; then
    fail "$3: '$2' instead of '$1'"
  fi
}

# expect_true WHAT COMMAND…
expect_true() {
  local what=$1
  shift
  check
  if ! "$@"; then
    fail "$what"
  fi
}

# expect_same_file WANT GOT WHAT
expect_same_file() {
  check
  if ! cmp -s -- "$1" "$2"; then
    fail "$3: ${1##*/} and ${2##*/} differ:
$(diff -- "$1" "$2" | sed -n 1,6p | cut -c 1-200 || true)"
  fi
}

# expect_json FILTER FILE [WHAT]: the jq filter gives true.
expect_json() {
  check
  if ! jq -e "$1" "$2" >/dev/null 2>"$scratch/jq"; then
    fail "${3:-}${3:+: }not so in ${2##*/}: $1
$(excerpt "$2")"
  fi
}

expect_empty() {
  check
  if [[ -s $1 ]]; then
    fail "${2:-}${2:+: }${1##*/} is not empty:
$(excerpt "$1")"
  fi
}

# What is in this folder, and what the files hold: equal before and after a command that may not
# touch anything.
snapshot() {
  find . -mindepth 1 \( -type d -o -type l \) -printf '%p %y\n' | sort
  find . -type f -exec sha256sum -- {} + | sort -k 2
}

# query DATABASE SQL
query() { sqlite3 -batch -bail "$1" "$2"; }

digest() { hoyito digest "$1"; }

# Makes a fresh folder in the scratch folder and goes there.
enter() {
  mkdir -p -- "$scratch/folders/$1"
  cd -- "$scratch/folders/$1"
}

enter start
