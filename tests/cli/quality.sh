# hoyito quality: measures of a game as text and JSON, and what it refuses.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# write_experiment RECORD GAMES
write_experiment() {
  cat >study.yaml <<EOF
experiment: study
question: Is it a good game?
seed: 11
games: $2
max_plies: ${3:-2000}
record: $1
rules: {preset: hoyito-ii, holes: [3, 4]}
policies:
  - {south: random, north: random}
  - {south: greedy, north: random, swap: true}
EOF
}

enter games
write_experiment games 60
expect_exit 0 hoyito run study.yaml -o study.db
snapshot >"$scratch/before"
expect_exit 0 hoyito quality study.db --games 20 --evaluate alphabeta:depth=2
cp "$out" text
expect_empty "$err" "talk of quality"
expect_equal 6 "$(grep -c '^condition ' text)" "conditions and seatings"
expect_match '^condition 2 \(seats swapped\): 2×3' text
expect_equal 6 "$(grep -c '20 games played again, [0-9]+ without a result; positions valued by alphabeta:depth=2' \
  -E text)" "replays"
for measure in first_player_score balance outcome_uniformity decision_factor game_tree_complexity drama \
  stability clarity_narrowness comeback repetition; do
  expect_equal 6 "$(grep -c -E "^  $measure +[0-9.e+-]+  \[[0-9.e+-]+, [0-9.e+-]+\] .*; of [0-9]+ " text)" "$measure"
done
# C(13,5) + C(17,5) + C(21,5) + C(25,5) + C(29,5)
expect_match '^  positions +199709 \(10\^5\.30\)' text
expect_equal 18 "$(grep -c '^  captures by \(south\|north\|both\): ' text)" "tables of captures"
expect_match '^  own   3 +[0-9]+ +0\.[0-9]+ \[' text
expect_match '^  other 4 +[0-9]+ ' text
expect_no_match 'nan|inf|-0 ' text
expect_no_match ' $' text "blanks at the end of a line"

# JSON says the same; so do the views.
expect_exit 0 hoyito quality study.db --games 20 --evaluate alphabeta:depth=2 --json
cp "$out" json
expect_json '.conditions | length == 6' json
expect_json '.evaluator == "alphabeta:depth=2" and .seed == "11"' json
expect_json 'all(.conditions[]; .games == 60 and .replayed.games == 20)' json
expect_json 'all(.conditions[] | (.measures, .replayed.measures)[]; has("estimate") and has("low") and has("high")
  and has("unit") and has("denominator") and has("of") and has("games"))' json
expect_json 'all(.conditions[] | (.measures, .replayed.measures)[]; (.estimate == null) == has("reason"))' json
expect_json 'all(.conditions[] | (.measures, .replayed.measures)[] | select(.estimate != null);
  .low <= .estimate and .estimate <= .high)' json
expect_json '.conditions[0].state_space == {positions: "199709", log10: .conditions[0].state_space.log10}' json
expect_json 'all(.conditions[].replayed.captures; .south.captures + .north.captures == .both.captures
  and ([.both.by_landing_hole[].captures] | add) == .both.captures
  and ([.both.by_casas[].captures] | add) == .both.captures)' json
expect_json '.conditions[0].replayed.captures.both.by_landing_hole | map(.row + (.hole | tostring))
  == ["own1", "own2", "own3", "other1", "other2", "other3"]' json
balance=$(query study.db "SELECT balance FROM v_quality WHERE condition_id = 2 AND swapped = 1")
expect_json "[.conditions[] | select(.condition == 2 and .swapped)][0].measures.balance.estimate - $balance
  | fabs < 1e-12" json
complexity=$(query study.db "SELECT game_tree_complexity FROM v_complexity WHERE condition_id = 1")
expect_json ".conditions[0].measures.game_tree_complexity.estimate - $complexity | fabs < 1e-9" json
expect_exit 0 env LC_ALL=de_DE.UTF-8 "$program" quality study.db --games 20 --evaluate alphabeta:depth=2
expect_same_file text "$out" "quality in another locale"
snapshot | grep -Ev ' \./(text|json)$|^\./(text|json) ' >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "quality changes nothing"

# One condition, all of its games, none.
expect_exit 0 hoyito quality study.db --condition 3 --games 1000000 --evaluate alphabeta:depth=1 --json
expect_json '.conditions | length == 1 and .[0].condition == 3 and .[0].replayed.games == 60' "$out"
expect_exit 0 hoyito quality study.db --games 0 --json
expect_json 'all(.conditions[]; .replayed == {games: 0, reason: "not asked for"} and .measures.balance.estimate != null)' \
  "$out"
expect_exit 0 hoyito quality study.db --games 0
expect_match 'no games were played again: not asked for' "$out"
expect_exit 0 hoyito quality study.db --condition 1 --games 5 --evaluate mcts:iterations=20
cp "$out" once
expect_exit 0 hoyito quality study.db --condition 1 --games 5 --evaluate mcts:iterations=20
expect_same_file once "$out" "an evaluator that draws"

# Sums, moves and shards give the same.
for record in summary moves; do
  enter "$record"
  write_experiment "$record" 60
  expect_exit 0 hoyito run study.yaml -o study.db
  expect_exit 0 hoyito quality study.db --games 20 --evaluate alphabeta:depth=2
  expect_same_file ../games/text "$out" "record: $record"
done
enter shards
write_experiment games 60
expect_exit 0 hoyito run study.yaml --shard 2/3 -o part.db
expect_exit 0 hoyito quality part.db --games 15 --evaluate alphabeta:depth=1 --json
expect_json 'all(.conditions[]; .games == 20 and .replayed.games == 15)' "$out"
expect_exit 0 hoyito quality part.db --games 25 --evaluate alphabeta:depth=1 --json
expect_json 'all(.conditions[]; .replayed.games == 20)' "$out"

# Games that are cut have no result, and no mean length.
enter cut
write_experiment games 20 4
expect_exit 0 hoyito run study.yaml -o study.db
expect_exit 0 hoyito quality study.db --condition 3 --games 20 --evaluate alphabeta:depth=1
expect_match 'games +20, of which (1[0-9]|20) without a result' "$out"
expect_match 'plies_per_game +unknown: games were cut' "$out"
expect_match 'timeouts +(1|0\.[5-9])' "$out"
expect_exit 0 hoyito quality study.db --condition 3 --games 20 --evaluate alphabeta:depth=1 --json
expect_json '.conditions[0].measures.game_tree_complexity | .estimate == null and (.reason | test("cut"))' "$out"
expect_json '.conditions[0].replayed | .games == 20 and .games_without_result >= 10' "$out"

# Nothing yet, and games without a ply.
enter still
cat >study.yaml <<'EOF'
experiment: still
seed: 1
games: 5
rules: {holes: 1, seeds: 2, skip_origin: true, casa: 2, claim: 0, endless: forbid}
policies: [{south: random, north: random}]
EOF
expect_exit 0 hoyito run study.yaml -o study.db
expect_exit 0 hoyito quality study.db
expect_match 'branching_factor +unknown: the denominator is 0' "$out"
expect_match 'drama +unknown: ' "$out"
expect_no_match 'nan|inf' "$out"

# Usage.
enter usage
cp ../games/study.db .
expect_exit 2 hoyito quality
expect_exit 2 hoyito quality study.db study.db
expect_exit 0 hoyito quality --help
expect_match 'hoyito quality quickstart.db' "$out"
expect_exit 5 hoyito quality missing.db
expect_exit 2 hoyito quality study.db --condition 0
expect_exit 2 hoyito quality study.db --condition 5
expect_match 'no condition 5; the experiment has 4' "$err"
expect_exit 2 hoyito quality study.db --games -1
expect_exit 2 hoyito quality study.db --games many
expect_exit 2 hoyito quality study.db --evaluate greedy
expect_match "'greedy' cannot say what it thinks of a position; those that can: alphabeta, mcts" "$err"
expect_exit 2 hoyito quality study.db --evaluate alphabeta:depth=4,time_ms=100
expect_match 'limited by time' "$err"
expect_exit 2 hoyito quality study.db --evaluate alphabet
expect_match "did you mean 'alphabeta'" "$err"
expect_empty "$out"
query study.db "UPDATE game SET move_hash = '0123456789abcdef' WHERE condition_id = 1 AND number = 3"
expect_exit 0 hoyito quality study.db --condition 1 --games 3 --evaluate alphabeta:depth=1
expect_exit 3 hoyito quality study.db --condition 1 --games 4 --evaluate alphabeta:depth=1
expect_match 'game 3 of condition 1' "$err"

# A signal ends it.
expect_exit 130 timeout --preserve-status -s INT 1 "$program" quality ../games/study.db \
  --evaluate alphabeta:depth=30,nodes=200000
expect_match interrupted "$err"

# The size of a variant's state space.
expect_exit 0 hoyito rules hoyito-ii
expect_match '^positions: 472512909595 \(10\^11\.67\)' "$out"
expect_exit 0 hoyito rules hoyito-ii --json
expect_json '.state_space.positions == "472512909595"' "$out"
