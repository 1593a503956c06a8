# hoyito play: piped and through a terminal; whole games, wrong input, end of input, records.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# legal FILE: the holes that the last board of the output offers.
legal() { sed -n 's/^\(south\|north\) to move[a-z ]*: //p' "$1" | tail -n 1; }

# talk ARGUMENTS…: a game with standard input as it is; the row of its end in `row`, the rest in
# `said`.
talk() {
  expect_exit 0 hoyito play "$@"
  expect_empty "$err" "hoyito play $*"
  head -n -1 "$out" >said
  tail -n 1 "$out" >row
}

# The row goes through replay unchanged, without its answers too.
expect_replay() {
  local file=$1
  expect_exit 0 hoyito replay <"$file"
  jq -cS . "$file" >want
  jq -cS . "$out" >got
  expect_same_file want got "$2: the record through the filter"
  jq -c 'del(.score, .plies, .turns, .passes, .termination, .result)' "$file" >question
  expect_exit 0 hoyito replay <question
  jq -cS . "$out" >got
  expect_same_file want got "$2: the record without its answers"
}

# A whole game, hole by hole, each the last legal one.
whole_game() {
  : >moves
  local ply
  for ((ply = 0; ply < 200; ply++)); do
    talk "$@" <moves
    if grep -q '^game over: ' said; then
      return
    fi
    expect_match '^the game is unfinished after [0-9]+ pl(y|ies)$' said "$*"
    legal said | awk '{ print $NF }' >>moves
  done
  fail "200 holes and no end: $*"
}
whole_game hoyito-ii --south human --north greedy:ties=first --seed 5
expect_match '^hoyito-ii: south human, north greedy:ties=first; seed 5$' said
expect_replay row "a whole game"
expect_json '[.south, .north, .seed] == ["human", "greedy:ties=first", "5"]' row
expect_equal "game over: $(jq -r '"\(.termination) after \(.plies) plies; south \(.score[0]), north \(.score[1]): \(.result)"' row)" \
  "$(tail -n 1 said)" "the announcement"
expect_equal "$(jq .plies row)" "$(grep -c '^ply ' said)" "lines of plies"
expect_equal "$(jq '.holes | join(" ")' -r row)" \
  "$(sed -n 's/^ply [0-9]*: [a-z]* plays hole \([0-9]*\):.*/\1/p' said | paste -s -d ' ')" "holes in the lines of plies"
cp row whole
tail -n 1 said >game_over
cp moves "$scratch/whole_moves"
sed 's/$/\r/' moves | sed 's/^/ \t/' >odd
talk --north greedy:ties=first --seed 5 <odd
expect_same_file whole row "carriage returns and blanks make no difference"
head -c -1 moves >odd
talk --north greedy:ties=first --seed 5 <odd
expect_same_file whole row "a last line without its end"
whole_game ba-awa --south greedy:ties=first --north human --seed 1
expect_replay row "ba-awa, north human"
whole_game hoyito-i --south human --north human --seed 1
expect_replay row "two people"

# Wrong input of every kind: a message, and the game goes on. Lines of `wrong` are
#   words of the message | line
cat >wrong <<'EOF2'
there is no hole '12'; holes are 0 to 11|12
there is no hole '99999999999999999999999'|99999999999999999999999
hole 7 is north's, and south is to move: 0 1 2 3 4 5|7
'-1' is not the number|-1
'\+1' is not the number|+1
'1\.0' is not the number|1.0
'\.5' is not the number|.5
'1e0' is not the number|1e0
'0x1' is not the number|0x1
there is no hole '01'|01
'4' is too many after '3'|3 4
'x' is too many after '3'|3 x
'foo' is no command; a number plays a hole|foo
'hnit' is no command; did you mean 'hint'|hnit
'Undo' is no command|Undo
'now' is too many after 'undo'|undo now
'3' is too many after 'quit'|quit 3
'b' is too many after 'laps'|laps 3 b
'x' is not the number of a hole|laps x
there is no hole '50'|laps 50
hole 8 is not one that south can sow|laps 8
an empty line|
an empty line|    
nothing to take back|undo
no ply has been played yet|laps
EOF2
cut -d '|' -f 2- wrong >lines
{
  printf '\033[A\n\0001\n\303\251\377\n'
  printf 'x%.0s' {1..300}
  printf '\n'
  printf '4%.0s' {1..100000}
  printf '\n4\n'
} >>lines
talk --north greedy:ties=first --seed 5 <lines
while IFS='|' read -r words line; do
  expect_match "$words" said "input '$line'"
done <wrong
expect_match "^'\?\[A' is no command" said
expect_match "^'\?1' is no command" said
expect_match "^'\?\?\?' is no command" said
expect_equal 2 "$(grep -c '^a line of more than 255 characters$' said)" "lines that are too long"
expect_match '^ply 1: south plays hole 4: ' said "the game goes on"
expect_json '.holes[0] == 4' row
expect_equal 0 "$(tr -d '\n\40-\176' <"$out" | wc -c)" "bytes that are no text"
printf '4\n0\n' >lines
printf '0\n%.0s' {1..30} >>lines
talk --north greedy:ties=first --seed 5 <lines
expect_match '^hole 0 is empty; choose one of( [0-5])+$' said
# The variant that forbids endless sowings.
cat >small.yaml <<'EOF2'
name: small
source: a test
holes: 3
seeds: 2
endless: forbid
EOF2
talk ./small.yaml --north random --seed 1 </dev/null
expect_match '^small: south human, north random; seed 1$' said

# An endless sowing is explained, beforehand and when it ends the game.
found=
for holes in '2 1' '2 2' '2 3' '3 1' '3 2' '3 3' '4 3' '3 5' '2 5'; do
  read -r h s <<<"$holes"
  printf 'name: endless\nsource: a test\nholes: %s\nseeds: %s\nclaim: 0\n' "$h" "$s" >endless.yaml
  for ((seed = 0; seed < 40; seed++)); do
    hoyito play ./endless.yaml --south random --north random --seed "$seed" --max-plies 300 >one 2>/dev/null || continue
    if tail -n 1 one | jq -e '.termination == "endless"' >/dev/null; then
      found=$(tail -n 1 one)
      break 2
    fi
  done
done
expect_true "an endless sowing was found" test -n "$found"
printf '%s\n' "$found" | jq -r '.holes[:-1][]' >lines
last=$(printf '%s\n' "$found" | jq '.holes[-1]')
printf 'laps %s\n%s\n' "$last" "$last" >>lines
talk ./endless.yaml --south human --north human <lines
expect_equal 2 "$(grep -c "^hole $last never ends: after [0-9]* laps .* and so on every [0-9]* laps\$" said)" \
  "explanations of the endless sowing"
expect_match "ply [0-9]+: .* plays hole $last: 0 laps, 0 counters, ends endless" said
expect_match '^game over: endless after' said
expect_true "its laps are bounded" test "$(wc -l <said)" -lt 400
expect_replay row "an endless game"

# End of input, at once and later; nothing is lost.
talk --seed 9 </dev/null
expect_match '^end of input$' said
expect_match '^the game is unfinished after 0 plies$' said
expect_json '.holes == [] and .termination == null and .result == null and .seed == "9"' row
expect_replay row "no ply"
talk --south human --north human <<<'3'
expect_match '^the game is unfinished after 1 ply$' said
expect_json '.holes == [3]' row
talk --south human --north human <<<$'3\nquit\n0'
expect_json '.holes == [3]' row
expect_no_match '^end of input' said
expect_exit 5 hoyito play <&-
expect_match 'cannot read standard input' "$err"
expect_exit 5 hoyito play <.
expect_match 'cannot read standard input' "$err"
expect_match '^\{"rules"' "$out" "the record, where input cannot be read"

# The seed: drawn and printed, or given; the greatest one too.
talk --south human --north human </dev/null
expect_match '; seed [0-9]+ \(drawn\)$' said
expect_equal "$(sed -n 's/.*; seed \([0-9]*\) (drawn)/\1/p' said)" "$(jq -r .seed row)" "the drawn seed"
talk --south random --north random --seed 18446744073709551615 </dev/null
expect_replay row "the greatest seed"
# Policies alone play game 0 of the seed.
cat >study.yaml <<'EOF2'
experiment: study
seed: 77
games: 1
record: moves
rules: {preset: hoyito-ii}
policies: [{south: random, north: greedy}, {south: greedy, north: "epsilon:rate=0.5,policy=random"}]
EOF2
hoyito run study.yaml >/dev/null 2>&1
condition=0
for seats in 'random greedy' 'greedy epsilon:rate=0.5,policy=random'; do
  read -r south north <<<"$seats"
  condition=$((condition + 1))
  talk --south "$south" --north "$north" --seed 77 </dev/null
  hoyito replay study.db --condition "$condition" --game 0 --json >stored
  jq -cS 'del(.south, .north, .seed)' row >got
  jq -cS . stored >want
  expect_same_file want got "game 0 of $seats"
done
talk --south random --north random --seed 1 --max-plies 5 </dev/null
expect_json '.plies == 5 and .termination == "truncated" and .result == "none" and .max_plies == 5' row
expect_match '^game over: truncated after 5 plies' said
expect_replay row "a truncated game"

# Undo: to before the last hole that a person chose; the policy answers as before.
talk --north random --seed 3 <<<$'4\n'
cp row once
talk --north random --seed 3 <<<$'4\nundo\n4\n'
expect_match '^taken back: ply 1 is to be chosen again$' said
expect_same_file once row "the same hole after undo"
talk --north random --seed 3 <<<$'1\nundo\n4\n'
expect_same_file once row "another hole first"
talk --north random --seed 3 <<<$'4\nundo\nundo\n'
expect_json '.holes == []' row
expect_match '^nothing to take back' said
talk --south human --north human <<<$'4\nrecord\nundo\nundo'
expect_equal '[4]' "$(grep '^{' said | jq -c .holes)" "the record on demand"
expect_json '.holes == []' row

# The commands, each with its meaning, and the board again.
talk --south human --north human --seed 2 <<<$'help\nboard\nquit'
for command in undo hint laps board record help quit; do
  expect_match "^  $command +.* [a-z]+\$" said "a line of help"
done
expect_match '^a number plays that hole: 0 1 2 3 4 5$' said
expect_equal 2 "$(grep -c '^south to move: 0 1 2 3 4 5$' said)" "boards shown"

# Hints and laps.
talk --north greedy:ties=first --hint alphabeta:depth=3 <<<$'hint\n4\nlaps\nlaps 0'
expect_equal 6 "$(grep -c '^  hole [0-5] ' said)" "values of the holes"
expect_equal 1 "$(grep -c '^  hole [0-5] .*best$' said)" "best holes"
expect_match '^  best line: ' said
expect_match 'depth 3; [0-9]+ nodes' said
expect_match '^lap 1: 4 from hole' said
expect_match '^north sows hole' said
expect_match '^south sows hole 0:' said
expect_equal "$(sed -n 's/^ply [0-9]*: north plays hole [0-9]*: \(.*ends [a-z]*\).*/\1/p' said | tail -n 1)" \
  "$(grep -E '^[0-9]+ laps?, ' said | head -n 1)" "the summary of the laps"
talk ba-awa --south human --north greedy:ties=first --seed 5 <<<$'5\nlaps\n4\nlaps'
expect_match '^lap 8: 3 from hole 10 to hole 1: a casa, taken$' said
expect_match '^lap 6: .* picked up; on the way south takes 1 casa; on the way north takes 1 casa$' said
expect_match '^lap 1: 11 from hole 6 to hole 5: a casa, taken$' said
for hint in greedy random epsilon:rate=0.5,policy=greedy; do
  expect_exit 2 hoyito play --hint "$hint" </dev/null
  expect_match "policy '${hint%%:*}' cannot .*those that can: .*alphabeta" "$err"
  expect_empty "$out"
done

# Records in files: whole, replaced, nothing left beside them.
enter record
talk --south human --north human --record game.jsonl --seed 2 <<<$'4\nquit'
expect_equal "the record is in 'game.jsonl'" "$(cat row)" "the last line"
expect_json '.holes == [4]' game.jsonl
expect_replay game.jsonl "a record in a file"
cp game.jsonl before
talk --south human --north human --record game.jsonl --seed 2 </dev/null
expect_json '.holes == []' game.jsonl
talk --south random --north random --record game.jsonl --seed 2 </dev/null
expect_json '.termination != null' game.jsonl
mkdir folder
for path in folder missing/game.jsonl /dev/null ''; do
  expect_exit 5 hoyito play --record "$path" --seed 2 </dev/null
  expect_match "cannot write '$path'" "$err"
  expect_empty "$out" "nothing begins where the record cannot be kept"
done
printf 'SQLite format 3' >results.db
cp results.db kept
expect_exit 2 hoyito play --south random --north random --record results.db --seed 2 </dev/null
expect_match "'results.db' is there and holds no record" "$err"
expect_same_file kept results.db "a file that is no record is kept"
expect_true "/dev/null is what it was" test -c /dev/null
expect_equal '' "$(find . -name '.*.hoyito')" "temporary files"

# Arguments.
refused() {
  local words=$1
  shift
  expect_exit 2 hoyito play "$@" </dev/null
  expect_empty "$out" "$*"
  expect_match "$words" "$err" "$*"
}
refused "unknown preset 'nosuch'" nosuch
refused 'too many' hoyito-ii ba-awa
refused "--south: unknown policy 'humna'.*a person is 'human'" --south humna
refused "--north: .*'depth'" --north alphabeta:depth=0
refused '--seed .*not .-1' --seed=-1
refused '--seed .*not .18446744073709551616' --seed 18446744073709551616
refused '--max-plies .*not .0' --max-plies 0
refused "unknown policy 'human'" --hint human
refused 'no-such-option' --no-such-option
expect_exit 0 hoyito play --help
expect_match '^  hoyito play' "$out" "examples"
expect_true "examples come first" test "$(grep -n -m 1 '^  hoyito play' "$out" | cut -d : -f 1)" -lt \
  "$(grep -n -m 1 -e '--south=' "$out" | cut -d : -f 1)"
expect_exit 5 bash -c '"$1" play </dev/null >/dev/full' - "$program"

# A program at the other end of pipes gets each board before it has to answer.
enter pipes
mkfifo in
exec 8<>in
: >told
TERM=xterm "$program" play --south human --north greedy:ties=first --seed 4 <in >told 2>&1 8>&- &
player=$!
wait_for() {
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    if grep -Eq -e "$1" -- "$2"; then
      return 0
    fi
    sleep 0.05
  done
  return 1
}
expect_true "a board before the first hole" wait_for '^south to move: 0 1' told
echo 4 >&8
expect_true "an answer to the first hole" wait_for '^ply 1: south plays hole 4' told
# SIGINT while it waits: the record is there, exit status 130.
kill -INT "$player"
got=0
wait "$player" || got=$?
exec 8>&-
expect_equal 130 "$got" "exit status after SIGINT"
expect_match 'interrupted; the game is unfinished' told
grep '^{' told >row
expect_replay row "an interrupted game"

# Through a terminal. script (of bsdutils) makes one and hands its input on.
enter terminal
if ! command -v script >/dev/null; then
  echo "no 'script' here: nothing is tried in a terminal" >&2
  exit 0
fi
mkfifo keys
# terminal COMMAND: runs it in a terminal, what is shown in `shown`; keys come from descriptor 8.
terminal() {
  : >shown
  exec 8<>keys
  TERM=xterm script -qefc "stty -g; $1; echo status \$?; stty -g" shown <keys >/dev/null 2>&1 8>&- &
  terminal_pid=$!
}
close_terminal() {
  wait_for '^status [0-9]' shown || fail "no end of the session"
  wait "$terminal_pid" || true
  exec 8>&-
  tr -d '\r' <shown | sed '1{/^Script/d}; /^Script done/d; /^$/d' >plain
  expect_equal 2 "$(grep -Ec '^[0-9a-f]+(:[0-9a-f]+)+$' plain)" "states of the terminal"
  expect_equal 1 "$(grep -E '^[0-9a-f]+(:[0-9a-f]+)+$' plain | sort -u | wc -l)" "the terminal is as before"
}
esc=$(printf '\033')

# A whole game by keys, with wrong ones between.
terminal "$program play --south human --north greedy:ties=first --seed 5"
wait_for 'south> $' shown || fail "no prompt"
printf 'nonsense\n' >&8
wait_for "is no command" shown || fail "no answer to nonsense"
while read -r hole; do
  printf '%s\n' "$hole" >&8
done <"$scratch/whole_moves"
close_terminal
expect_match "^$(grep '^game over: ' ../start/game_over)\$" plain "the end"
expect_match '^status 0$' plain
expect_match "$esc\[1m" plain "colour"
expect_match "$esc\[0m" plain "colour ends"
expect_match 'south> ' plain "prompts"
expect_true "every colour is taken back" test \
  "$(grep -o "$esc\[[1-9][0-9]*m" plain | wc -l)" -eq "$(grep -o "$esc\[0m" plain | wc -l)"

# End of input by its key (Control-D); NO_COLOR and a dumb terminal.
for setting in NO_COLOR=1 TERM=dumb; do
  terminal "env $setting $program play --south human --north human --seed 5"
  wait_for 'south> $' shown || fail "no prompt"
  printf '4\n' >&8
  wait_for '(north|south)> $' shown || fail "no prompt after a ply"
  printf '\004' >&8
  close_terminal
  expect_match '^status 0$' plain
  expect_match '^end of input$' plain
  expect_no_match "$esc" plain "$setting: escape codes"
  grep '^{' plain >row
  expect_replay row "a game left by its end of input"
done

# Control-C: status 130, the record is shown.
terminal "$program play --south human --north human --seed 5"
wait_for 'south> $' shown || fail "no prompt"
printf '4\n' >&8
wait_for 'ply 1: ' shown || fail "no ply"
sleep 0.2
printf '\003' >&8
close_terminal
expect_match '^status 130$' plain
expect_match 'the game is unfinished after 1 ply' plain
