# hoyito analyse: one position, and positions as JSON Lines.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

shape='(keys | map(select(IN("termination", "to_move", "value", "values", "best", "line", "depth",
  "nodes", "exact", "policy"))) | length) == 10'

# The start, as text and as JSON.
expect_exit 0 hoyito analyse hoyito-ii --policy alphabeta:depth=4
expect_empty "$err"
expect_equal 6 "$(grep -c '^  hole [0-5]  *[+-][0-9]*\.[0-9][0-9]' "$out")" "values"
expect_equal 1 "$(grep -c ' best$' "$out")" "best holes"
expect_match '^  best line: [0-9]' "$out"
expect_match 'depth 4; [0-9]+ nodes$' "$out"
expect_equal 0 "$(tr -d '\n\40-\176' <"$out" | wc -c)" "bytes that are no text"
expect_exit 0 hoyito analyse hoyito-ii --policy alphabeta:depth=4 --json
expect_empty "$err"
expect_equal 1 "$(wc -l <"$out")" "lines of JSON"
expect_json "$shape" "$out"
expect_json '.policy == "alphabeta:depth=4" and .depth == 4 and .exact == false and .nodes > 6' "$out"
expect_json '.board == [range(12) | 4] and .score == [0, 0] and .mover == "south" and .to_move == "south"' "$out"
expect_json '(.values | length) == 12 and (.values[:6] | all(type == "number")) and
  (.values[6:] | all(. == null))' "$out"
expect_json '.value == (.values | map(numbers) | max) and .values[.best] == .value and .line[0] == .best' "$out"
cp "$out" start

# The row goes through the filter unchanged, whatever comes before it.
expect_exit 0 hoyito analyse --policy alphabeta:depth=4 <start
expect_same_file start "$out" "the row of the start through the filter"
jq -c '{rules, board, mover}' start >question
jq -c '. + {rules: {preset: "ba-awa"}}' question >other
cat other question other other question >rows
expect_exit 0 hoyito analyse --policy alphabeta:depth=4 <rows
expect_equal 2 "$(jq -c '[.values, .line, .nodes]' "$out" | sort -u | wc -l)" "answers to two positions"
sed -n 5p "$out" | jq -cS '[.values, .line, .nodes]' >got
jq -cS '[.values, .line, .nodes]' start >want
expect_same_file want got "an answer does not depend on the rows before it"

# Positions of golden plies: the best line is legal, its first hole is one of the mover's.
head -n 60 "$golden/plies.jsonl" | jq -c 'del(.hole, .after)' >rows
expect_exit 0 hoyito analyse --policy alphabeta:depth=2 <rows
expect_empty "$err"
expect_equal 60 "$(wc -l <"$out")" "rows"
expect_equal 60 "$(jq -c "select($shape)" "$out" | wc -l)" "rows of that shape"
jq -c '.value == (.values | map(numbers) | max // 0) and (.best == null or .values[.best] == .value) and
  .line[0] == .best' "$out" | sort -u >got
expect_equal true "$(cat got)" "value, best and line of all rows"
jq -c 'select(.termination == null and .to_move == .mover) | {rules, board, score, mover, hole: .best}' "$out" >best
expect_true "there are best holes" test "$(wc -l <best)" -gt 40
expect_exit 0 hoyito ply <best
# Another policy that can.
expect_exit 0 hoyito analyse --policy mcts:iterations=50 <question
expect_json "$shape" "$out"

# Forced, passed, over.
one() { printf '%s\n' "$1" >row; expect_exit 0 hoyito analyse --policy alphabeta:depth=3 <row; }
one '{"rules":{},"board":[0,0,0,0,2,0,1,0,5,0,0,1],"score":[20,19],"mover":"south"}'
expect_json '.values[4] == .value and (.values | map(numbers) | length) == 1 and .line[0] == 4' "$out" "one hole"
one '{"rules":{},"board":[0,0,0,0,0,0,4,0,0,0,0,3],"mover":"south"}'
expect_json '.to_move == "north" and .mover == "south" and .best > 5' "$out" "a pass"
one '{"rules":{},"board":[0,0,0,0,0,0,1,0,0,0,0,1],"mover":"south"}'
expect_json '.termination == "exhausted" and .to_move == null and .value == 0 and .best == null and .line == []
  and .exact and (.values | all(. == null))' "$out" "a game that is over"
one '{"rules":{"no_move":"sweep"},"board":[0,0,0,0,0,0,1,0,5,0,0,1],"mover":"south"}'
expect_json '.termination == "swept" and .value == -7' "$out" "a sweep"
# Four counters and no claim: forced for ever, as far as anybody looks.
one '{"rules":{"holes":1,"claim":0},"board":[1,3],"score":[0,0],"mover":"south"}'
expect_json '.best == 0' "$out" "forced plies"

# One position by its text.
expect_exit 0 hoyito analyse hoyito-ii --policy alphabeta:depth=3 --json \
  --position '0 0 0 0 2 0 1 0 5 0 0 1/20 19 south'
expect_json '.board == [0,0,0,0,2,0,1,0,5,0,0,1] and .score == [20, 19]' "$out"
expect_exit 0 hoyito analyse hoyito-ii --policy alphabeta:depth=3 --position '0 0 0 0 0 0 1 0 0 0 0 1/24 22 south'
expect_match '^exhausted after 0 plies; south 24, north 22: south$' "$out"
expect_exit 0 hoyito analyse hoyito-ii --policy alphabeta:depth=3 --position '0 0 0 0 0 0 4 0 0 0 0 3/24 17 south'
expect_match '^south has no hole to play and passes$' "$out"
expect_match 'to north by alphabeta:depth=3' "$out"

# Rows that cannot be answered.
printf '%s\n' nonsense '{"rules":{},"board":[4],"mover":"south"}' '{"rules":{"holes":99},"board":[4],"mover":"south"}' \
  '{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,4],"mover":"west"}' "$(cat question)" >rows
expect_exit 1 hoyito analyse --policy alphabeta:depth=1 <rows
expect_equal 4 "$(jq -c 'select(.error and .line)' "$out" | wc -l)" "rows with errors"
expect_match '4 of 5 rows' "$err"
sed -n 5p "$out" >got
expect_json "$shape" got

# What is refused.
refused() {
  local words=$1
  shift
  expect_exit 2 hoyito analyse "$@" </dev/null
  expect_empty "$out" "$*"
  expect_match "$words" "$err" "$*"
}
for policy in random greedy epsilon:rate=0.5,policy=greedy; do
  refused "policy '${policy%%:*}' cannot .*those that can: .*alphabeta" hoyito-ii --policy "$policy"
  refused "policy '${policy%%:*}' cannot .*those that can: .*alphabeta" --policy "$policy"
done
refused "unknown policy 'alphabet'.*did you mean 'alphabeta'" hoyito-ii --policy alphabet
refused "'depth'" hoyito-ii --policy alphabeta:depth=x
refused "needs its parameter" hoyito-ii --policy epsilon:rate=0.5
refused "unknown preset 'nosuch'" nosuch
refused 'too many' hoyito-ii ba-awa
refused 'needs a variant' --position '4 4/0 0 south'
for position in '' '4 4 4 4/0 0 south' '4 4 4 4 4 4 4 4 4 4 4 4' '4 4 4 4 4 4 4 4 4 4 4 4/0 0' \
  '4 4 4 4 4 4 4 4 4 4 4 4/0 0 west' '4 4 4 4 4 4 4 4 4 4 4 -4/0 0 south' '4 4 4 4 4 4 4 4 4 4 4 4/0 0 south ' \
  '4  4 4 4 4 4 4 4 4 4 4 4/0 0 south' '04 4 4 4 4 4 4 4 4 4 4 4/0 0 south'; do
  refused 'a position is the counters of 12 holes' hoyito-ii --position "$position"
done
refused 'more than 2048 counters' hoyito-ii --position '2048 4 4 4 4 4 4 4 4 4 4 4/0 0 south'
refused 'no-such-option' --no-such-option
expect_exit 0 hoyito analyse </dev/null
expect_empty "$out"
expect_exit 0 hoyito analyse --help
expect_match '^  hoyito analyse hoyito-ii' "$out" "examples"
