# hoyito replay DB: stored games as boards and as rows.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

cat >study.yaml <<'EOF'
experiment: study
seed: 11
games: 40
max_plies: 60
record: moves
rules: {holes: [3, 6], en_passant: [none, owner]}
policies:
  - {south: random, north: random}
  - {south: greedy, north: random, swap: true}
EOF
hoyito run study.yaml >/dev/null 2>&1

# Every value of the row comes out, as text and as JSON, and the JSON goes through the filter unchanged.
query study.db "SELECT condition_id, swapped, number, plies, south_score, north_score, termination, result,
    turns, passes, holes_per_row
  FROM (SELECT game.*, condition.holes AS holes_per_row FROM game JOIN condition ON condition.id = condition_id)
  WHERE number IN (0, 1, 39)" >rows
expect_equal 36 "$(wc -l <rows)" "games to look at"
: >replayed
while IFS='|' read -r condition swapped number plies south north termination result turns passes holes; do
  game=(study.db --condition "$condition" --game "$number")
  if [[ $swapped -eq 1 ]]; then
    game+=(--swapped)
  fi
  expect_exit 0 hoyito replay "${game[@]}"
  expect_empty "$err"
  expect_equal "$plies" "$(grep -c '^ply ' "$out" || true)" "lines of plies: ${game[*]}"
  expect_equal "$((plies + 1))" "$(grep -c '^  north ' "$out")" "boards: ${game[*]}"
  expect_equal "$((plies + 1))" "$(grep -c '^  south ' "$out")" "boards: ${game[*]}"
  expect_equal "$termination after $plies plies; south $south, north $north: $result" "$(tail -n 1 "$out")" \
    "the last line: ${game[*]}"
  # All counters of a board and the score are there at each ply.
  awk -v total="$((8 * holes))" '
    /^  north / { sum = 0; for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/) sum += $i }
    /^  south / { for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/) sum += $i
                  if (sum != total) { print NR ": " sum " counters"; exit 1 } }' "$out" >sums || true
  expect_empty sums "counters on the boards: ${game[*]}"
  grep '^ply ' "$out" | sed 's/^ply [0-9]*: [a-z]* plays hole \([0-9]*\):.*/\1/' | paste -s -d , >holes || true
  query study.db "SELECT hex(holes) FROM move WHERE condition_id = $condition AND swapped = $swapped
    AND number = $number" | fold -w 2 | while read -r hex; do echo "$((16#$hex))"; done | paste -s -d , >want
  expect_same_file want holes "holes of the boards: ${game[*]}"

  expect_exit 0 hoyito replay "${game[@]}" --json
  expect_equal 1 "$(wc -l <"$out")" "lines of JSON"
  expect_json "[.plies, (.holes | length), .score, .termination, .result, .turns, .passes] ==
    [$plies, $plies, [$south, $north], \"$termination\", \"$result\", $turns, $passes]" "$out" "${game[*]}"
  jq -r '.holes | map(tostring) | join(",")' "$out" >holes
  expect_same_file want holes "holes of the row: ${game[*]}"
  cat "$out" >>replayed
done <rows
expect_exit 0 hoyito replay <replayed
jq -cS . replayed >want
jq -cS . "$out" >got
expect_same_file want got "rows through the filter"
jq -c 'del(.score, .plies, .turns, .passes, .termination, .result)' replayed >questions
expect_exit 0 hoyito replay <questions
jq -cS . "$out" >got
expect_same_file want got "rows without their answers through the filter"
expect_true "some games were cut and some were not" \
  test "$(jq -r .termination replayed | sort -u | wc -l)" -gt 1

# The seats: the same number with seats swapped is another game.
hoyito replay study.db --condition 2 --game 0 --json >a
hoyito replay study.db --condition 2 --game 0 --swapped --json >b
expect_true "seats make a difference" eval '! cmp -s a b'

# Without rows (record: summary) the games come from the seed, and are the same.
sed 's/^record: .*/record: summary/' study.yaml >summary.yaml
hoyito run summary.yaml -o summary.db >/dev/null 2>&1
expect_exit 0 hoyito replay summary.db --condition 2 --game 0 --swapped --json
expect_same_file b "$out" "a game of a database of sums"

# What is not there.
snapshot >"$scratch/before"
missing() {
  local words=$1
  shift
  expect_exit 2 hoyito replay "$@"
  expect_empty "$out" "$*"
  expect_match "$words" "$err" "$*"
}
missing '8 conditions, no condition 9' study.db --condition 9 --game 0
missing 'game 40 of condition 1' study.db --condition 1 --game 40
missing 'game 999999999999 of condition 1' study.db --condition 1 --game 999999999999
missing 'condition 1 has no games with swapped seats' study.db --condition 1 --game 0 --swapped
missing '--condition and --game' study.db
missing '--condition and --game' study.db --condition 1
missing '--condition and --game' study.db --game 1
missing '--condition and --game' study.db --swapped
missing 'database' --condition 1 --game 0
missing 'database' --game 0
missing 'database' --swapped
missing '--condition .*not .0.' study.db --condition 0 --game 0
missing '--condition .*not .-1.' study.db --condition -1 --game 0
missing '--condition .*not .01.' study.db --condition 01 --game 0
missing '--condition .*not .x.' study.db --condition x --game 0
missing '--game .*not .-1.' study.db --condition 1 --game -1
missing '--game .*not .1.5.' study.db --condition 1 --game 1.5
missing '--game .*not .1000000000000.' study.db --condition 1 --game 1000000000000
missing 'other.db.*too many' study.db other.db --condition 1 --game 0
expect_exit 5 hoyito replay missing.db --condition 1 --game 0
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files after replays"

# A game that is planned and not played yet, or was played by another shard.
expect_exit 0 hoyito run study.yaml --shard 1/40 -o shard.db
number=$(query shard.db 'SELECT min(number) FROM game WHERE condition_id = 1')
absent=$(query shard.db 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39)
  SELECT min(i) FROM n WHERE i NOT IN (SELECT number FROM game WHERE condition_id = 1)')
if [[ -n $number ]]; then
  expect_exit 0 hoyito replay shard.db --condition 1 --game "$number"
fi
missing "game $absent of condition 1" shard.db --condition 1 --game "$absent"

# A row that is not the game its seed gives.
cp study.db bad.db
query bad.db "UPDATE game SET move_hash = '0123456789abcdef' WHERE condition_id = 1 AND number = 3"
expect_exit 3 hoyito replay bad.db --condition 1 --game 3
expect_empty "$out"
expect_exit 0 hoyito replay bad.db --condition 1 --game 4
