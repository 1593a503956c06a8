# The commands of the READMEs: every ```sh block is run, all blocks of a README in order, at the root of
# a scratch copy of the tree whose build/release/hoyito is the tested program.
#
# "hoyito run" in ```sh slow blocks is interrupted after some seconds, as anybody may do; the commands
# behind it work with what there is by then. Commands of the skip list are not run; a script of the
# tree among them must be there. Blocks of other languages are not looked at.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# First words of commands that build, install, submit or need the network.
skipped='git cmake ctest sudo apt apt-get pip pip3 sbatch squeue jupyter scripts/quickstart scripts/test
  scripts/valgrind-tests scripts/check-format scripts/digests scripts/package scripts/studies
  experiments/solved/solve.sh'

copy_tree() {
  local entry
  mkdir -p "$1/build/release"
  for entry in "$source_folder"/*; do
    case ${entry##*/} in
      build*) ;;
      *) cp -r -- "$entry" "$1/" ;;
    esac
  done
  find "$1" \( -name '*.db' -o -name '*.db-*' \) -delete
  cp -- "$program" "$1/build/release/hoyito"
}

# The blocks of a README as a script whose line numbers are those of the README.
extract() {
  awk -v skipped="$skipped" '
    BEGIN { split(skipped, words); for (i in words) skip[words[i]] = 1 }
    !inside && /^ *```sh( slow)? *$/ { inside = 1; slow = /slow/; print ""; next }
    inside && /^ *``` *$/ { inside = 0; print ""; next }
    !inside { print ""; next }
    {
      line = $0
      word = $1
      if (!continued && end == "" && (word in skip)) {
        print "skipped", word > "/dev/stderr"
        sub(/[^ ]+/, ": &", line)
        gsub(/[|<>&;]+/, " ", line)
      } else if (slow && line ~ /hoyito run/) {
        line = "short " line
      }
      print line
      continued = line ~ /\\$/
      if (end != "" && $0 == end) end = ""
      else if (match($0, /<<-?["\047]?[A-Za-z_]+/)) {
        end = substr($0, RSTART, RLENGTH)
        gsub(/[<"\047-]/, "", end)
      }
    }
    END { if (inside) { print "an open block" > "/dev/stderr" } }' "$1"
}

expect_true "there is no README.md at the root" test -f "$source_folder/README.md"
find "$source_folder" -name README.md -not -path "$source_folder/build*" -not -path '*/.*' \
  -printf '%P\n' | sort >readmes
num_blocks=0
while IFS= read -r readme; do
  here=$(grep -c -E '^ *```sh( slow)? *$' "$source_folder/$readme" || true)
  num_blocks=$((num_blocks + here))
  if [[ $readme == README.md ]]; then
    expect_true "the README at the root has no sh block" test "$here" -gt 0
  fi
  expect_equal 0 "$(grep -c -E '^ *```(sh slow .*|sh[^ ]+|sh  *[^s ].*|shell.*|bash.*|console.*|zsh.*)$' \
    "$source_folder/$readme" || true)" "$readme: blocks of commands that are not marked as sh or sh slow"
  if [[ $here -eq 0 ]]; then
    continue
  fi
  copy_tree "$scratch/folders/tree"
  cd -- "$scratch/folders/tree"
  extract "$readme" >"$scratch/commands" 2>"$scratch/skipped"
  expect_no_match '^an open block' "$scratch/skipped" "$readme"
  while read -r _ word; do
    case $word in
      */*) expect_true "$readme names $word, which is no program" test -x "$word" ;;
    esac
  done <"$scratch/skipped"
  expect_true "$readme: syntax" bash -n "$scratch/commands"
  check
  status=0
  timeout 250 bash -c 'set -E -e -o pipefail
    short() {
      local status=0
      timeout --preserve-status -s INT 4 "$@" || status=$?
      [[ $status -eq 0 || $status -eq 130 ]]
    }
    trap '\''echo "line $LINENO: $BASH_COMMAND" >&2'\'' ERR
    . "$1"' "$readme" "$scratch/commands" >"$out" 2>"$err" </dev/null || status=$?
  if [[ $status -ne 0 ]]; then
    fail "$readme: status $status
$(tail -n 6 "$err" | sed 's/^/    /')"
  fi
  cd -- "$scratch/folders/start"
  rm -rf "$scratch/folders/tree"
done <readmes
echo "$num_blocks blocks"

# The examples of --help, in order, at the root of such a copy. Text behind two blanks is an explanation.
copy_tree "$scratch/folders/tree"
cd -- "$scratch/folders/tree"
ln -s build/release/hoyito hoyito
PATH=$PWD:$PATH
sed 's/^experiment: .*/experiment: study/; s/^games: .*/games: 150/' experiments/quickstart/quickstart.yaml \
  >study.yaml
hoyito run study.yaml -o game_length.db >/dev/null 2>&1
echo '{"rules":{"holes":1},"board":[4,4],"mover":"south","hole":0}' >positions.jsonl
num_examples=0
for command in run report plan merge verify digest rules ply replay help; do
  hoyito "$command" --help </dev/null |
    sed -n '/^  or:/d; /^ *\(-[a-z], \)\{0,1\}--/q; s/^  \([^ -].*hoyito .*\|hoyito .*\)$/\1/p' | sed 's/   *.*//' >"$scratch/examples"
  while IFS= read -r example; do
    num_examples=$((num_examples + 1))
    expect_exit 0 timeout 100 bash -c "set -o pipefail; $example" </dev/null
  done <"$scratch/examples"
done
expect_true "only $num_examples examples" test "$num_examples" -ge 17
