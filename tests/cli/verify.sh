# hoyito verify: agrees with what was played, and finds one changed value.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

write_experiment() {
  cat >study.yaml <<EOF
experiment: study
seed: 3
games: 120
max_plies: 400
record: $1
rules: {holes: [3, 6], chain_capture: true}
policies:
  - {south: random, north: greedy, swap: true}
opening: {random_plies: 1}
EOF
}
num_games=480 # 2 variants x 2 seatings x 120

for record in games moves summary; do
  enter "$record"
  write_experiment "$record"
  hoyito run study.yaml -o good.db >/dev/null 2>&1
  snapshot >"$scratch/before"
  for threads in 1 2 5; do
    expect_exit 0 hoyito verify good.db -j "$threads"
    expect_match "^$num_games games replayed; all agree$" "$out" "$record"
  done
  expect_exit 0 hoyito verify good.db --json
  expect_json ". == {games: $num_games, not_reproducible: 0, agree: true}" "$out" "$record"
  snapshot >"$scratch/after"
  expect_same_file "$scratch/before" "$scratch/after" "$record: files after verify"
done

# A part of the games, and a database that holds none yet.
enter parts
write_experiment games
expect_exit 0 hoyito run study.yaml --shard 2/3 -o shard.db
held=$(query shard.db 'SELECT count(*) FROM game')
expect_exit 0 hoyito verify shard.db
expect_match "^$held games replayed; all agree$" "$out"

# damaged SQL WORDS…: after the change, exit 3, and the message has each of the words.
damaged() {
  local sql=$1 word
  shift
  cp good.db bad.db
  query bad.db "$sql"
  expect_true "changes something: $sql" eval '! cmp -s good.db bad.db'
  cp bad.db copy.db
  expect_exit 3 hoyito verify bad.db
  expect_empty "$out" "$sql"
  for word; do
    expect_match "$word" "$err" "$sql"
  done
  expect_same_file copy.db bad.db "verify of a damaged database changes nothing"
}

where='WHERE condition_id = 2 AND swapped = 1 AND number = 57'
enter games
for column in south_score north_score plies turns passes laps counters captures casas chains longest_chain \
  longest_turn lead_changes legal_holes decision_plies south_captures south_chains claimed; do
  damaged "UPDATE game SET $column = $column + 1 $where" "'$column' differs" 'game 57 ' 'condition 2' 'swapped'
done
damaged "UPDATE game SET result = CASE result WHEN 'south' THEN 'north' ELSE 'south' END $where" \
  "'result' differs" 'game 57 ' 'condition 2' 'swapped'
damaged "UPDATE game SET termination = CASE termination WHEN 'swept' THEN 'stuck' ELSE 'swept' END $where" \
  "'termination' differs" 'game 57 ' 'condition 2' 'swapped'
damaged "UPDATE game SET move_hash = '0123456789abcdef' $where" "'move_hash' differs" 'game 57 ' 'condition 2'
damaged "UPDATE game SET plies = plies + 1 WHERE condition_id = 1 AND swapped = 0 AND number = 0" \
  "'plies' differs" 'game 0 ' 'condition 1 '
expect_no_match swapped "$err" "a game whose seats are not swapped"
damaged "UPDATE game SET termination = 'nonsense' $where" 'bad\.db'
damaged "UPDATE game SET move_hash = 'xyz' $where" 'bad\.db'
damaged "UPDATE game SET plies = -1 $where" 'bad\.db'
damaged "UPDATE game SET number = 5000 $where" 'bad\.db'
damaged "INSERT INTO game SELECT condition_id, swapped, 120, termination, result, south_score, north_score,
  plies, turns, passes, laps, counters, captures, casas, chains, longest_chain, longest_turn, lead_changes,
  legal_holes, decision_plies, south_captures, south_chains, claimed, move_hash FROM game $where" 'bad\.db'
row=$(query good.db 'SELECT condition_id, swapped, number, length FROM chain ORDER BY 1 DESC, 2, 3 LIMIT 1')
IFS='|' read -r condition swapped number length <<<"$row"
chain_where="WHERE condition_id = $condition AND swapped = $swapped AND number = $number AND length = $length"
damaged "UPDATE chain SET count = count + 1 $chain_where" "game $number " "condition $condition" chain
damaged "DELETE FROM chain $chain_where" "game $number " "condition $condition" chain
damaged "INSERT INTO chain VALUES (1, 0, 4000, 1, 1)" 'bad\.db'

# What belongs to the experiment itself.
damaged "UPDATE experiment SET seed = '4'" 'bad\.db.*hash'
damaged "UPDATE condition SET max_plies = 401 WHERE id = 1" 'bad\.db.*hash'
damaged "UPDATE condition SET holes = 4 WHERE id = 1" 'bad\.db'
damaged "UPDATE condition SET first_policy = 'greedy' WHERE id = 2" 'bad\.db'
damaged "UPDATE experiment SET rules_version = 'other'" 'bad\.db.*other'
damaged "UPDATE experiment SET generator = 'other'" 'bad\.db.*other'
damaged "PRAGMA user_version = 999" 'bad\.db.*999'
damaged "PRAGMA application_id = 1" 'bad\.db'
damaged "DELETE FROM experiment" 'bad\.db'

# A game that was taken away is one to play again, not a fault.
cp good.db less.db
query less.db "DELETE FROM game $where; DELETE FROM chain $where"
expect_exit 0 hoyito verify less.db
expect_match "^$((num_games - 1)) games" "$out"
expect_exit 0 hoyito run study.yaml -o less.db
expect_equal "$(digest good.db)" "$(digest less.db)" "digest after the game was played again"

enter moves
damaged "UPDATE move SET holes = CAST(substr(holes, 1, length(holes) - 1) || char(31) AS BLOB) $where" \
  "'holes' differs" 'game 57 ' 'condition 2' 'swapped'
damaged "UPDATE move SET holes = CAST(holes || char(1) AS BLOB) $where" 'game 57 ' 'condition 2' 'holes'
damaged "DELETE FROM move $where" 'condition 2'
damaged "UPDATE game SET turns = turns + 1 $where" "'turns' differs" 'game 57 ' 'condition 2' 'swapped'

enter summary
block="WHERE condition_id = 2 AND swapped = 1"
for column in max_plies longest_turn longest_chain; do
  damaged "UPDATE block SET $column = $column + 1 $block" "'$column'" 'block 0 ' 'condition 2' 'swapped'
done
damaged "UPDATE block SET sums = json_set(sums, '\$.plies', json_extract(sums, '\$.plies') + 1) $block" \
  "'sums'" 'block 0 ' 'condition 2' 'swapped'
damaged "UPDATE block SET results = json_set(results, '\$.south', json_extract(results, '\$.south') + 1) $block" \
  "'results'" 'block 0 ' 'condition 2'
damaged "UPDATE block SET terminations =
  json_set(terminations, '\$.claimed', json_extract(terminations, '\$.claimed') + 1) $block" \
  "'terminations'" 'block 0 ' 'condition 2'
damaged "UPDATE block SET products = json_set(products, (SELECT fullkey FROM json_each(products) LIMIT 1), 1)
  $block" "'products' differs" 'block 0 ' 'condition 2'
damaged "UPDATE block SET lengths = json_insert(lengths, '\$.swept', json('[[3,1]]')) $block" \
  "'lengths'" 'block 0 ' 'condition 2'
damaged "UPDATE block SET chains = '[[1,1000000]]' $block" "'chains'" 'block 0 ' 'condition 2'
damaged "UPDATE block SET sketch = substr(sketch, 9) $block" "'sketch' differs" 'block 0 ' 'condition 2'
damaged "UPDATE block SET games = games + 1 $block" 'block 0 ' 'condition 2'
damaged "UPDATE block SET sums = 'no JSON' $block" 'block 0 ' 'condition 2'
damaged "UPDATE block SET results = '{}' $block" 'block 0 ' 'condition 2'
damaged "UPDATE block SET block = 1 $block" 'bad\.db'

# A file cut short is no mismatch of results but a broken one.
head -c 6000 good.db >cut.db
expect_exit 5 hoyito verify cut.db
expect_match "cut\.db" "$err"

# Policies limited by time: marked everywhere, left out by verify, not played again.
cat >timed.yaml <<'END'
experiment: timed
seed: 1
games: 2
rules: {preset: hoyito-ii}
policies:
  - {south: {alphabeta: {depth: 2, time_ms: 1000}}, north: random}
  - {south: random, north: random}
END
expect_exit 0 hoyito run timed.yaml -o timed.db
expect_match 'cannot be reproduced' "$out"
expect_exit 0 hoyito verify timed.db --json
expect_json '. == {games: 2, not_reproducible: 2, agree: true}' "$out" "timed"
expect_exit 1 hoyito replay timed.db --condition 1 --game 0
expect_match 'limited by time' "$err"
expect_equal '0 1' "$(sqlite3 timed.db 'SELECT group_concat(reproducible, " ") FROM condition')" "reproducible"
sqlite3 timed.db 'UPDATE game SET turns = turns + 1 WHERE condition_id = 2'
expect_exit 3 hoyito verify timed.db --json
expect_json '.agree == false and (.difference | contains("turns"))' "$out" "a difference as JSON"
