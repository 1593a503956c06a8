#!/usr/bin/env bash
# hoyito bench: every row has a baseline that was measured in the same run, or is one.
. "$(dirname -- "$0")/lib.sh"
cd "$scratch"

expect_exit 0 hoyito bench --json -j 2 --rounds 1 --milliseconds 2
mv "$out" rows.json
rows() { jq -r "$1" rows.json; }

for name in "sums in registers" "sums in registers, scaling" "2x6 plain loop" "2x6 random" \
  "2x6 random, scaling" "2x6 random, one at a time" "2x6 random, ply by ply" \
  "2x6 en passant random" "2x12 random" "2x6 six counters random" "2x6 random, record: summary" \
  "2x6 random, record: summary, scaling" "bare insert" "store, games played before" \
  "2x6 random, record: games" "2x6 alphabeta:depth=9, any rules" "2x6 alphabeta:depth=9" \
  "2x6 mcts:iterations=2000, any rules" "2x6 mcts:iterations=2000" \
  "2x5 tables of 12" "2x5 tables of 12, scaling"; do
  expect_equal 1 "$(rows "[.[] | select(.name == \"$name\")] | length")" "rows named '$name'"
done
expect_equal "" "$(rows '.[] | select(.per_second <= 0) | .name')" "rows without a speed"
# The ratio is that of the two speeds shown, and both are in the same unit.
expect_equal "" "$(rows '. as $all | .[] | select(.baseline) |
  . as $row | ([$all[] | select(.name == $row.baseline)] | .[0]) as $base |
  select($base == null or $base.unit != $row.unit or
         (($row.per_second / $base.per_second - $row.ratio) | fabs) > 1e-9 * $row.ratio) | .name')" \
  "rows whose ratio is not that to their baseline"
expect_equal "" "$(rows '[.[].baseline] as $bases |
  .[] | select(.baseline == null) | .name as $name | select($bases | index($name) | not) |
  $name')" "rows that have no baseline and are none"
expect_equal "" "$(rows '.[] | select(.unit == "plies" and (.name | test("mcts") | not)) |
  select(.laps_per_second < .per_second or .games_per_second <= 0) | .name')" \
  "rows of play with fewer laps than plies"
expect_equal "" "$(rows '.[] | select((.answers_per_second != null) != (.name | test("alphabeta|mcts"))) |
  .name')" "rows of policies, and no others, with answers"
expect_equal "2 2 2 2 2" "$(rows '[.[] | select(.name | endswith("scaling") or endswith("games")) | .threads] |
  join(" ")')" "threads"

expect_exit 0 hoyito bench --rounds 1 --milliseconds 2 --only store
expect_match "rows .* x bare insert" "$out"
expect_equal 3 "$(wc -l <"$out")" "lines of the two rows and their head"
expect_exit 0 hoyito bench --rounds 1 --milliseconds 2 --only "tables of 12"
expect_no_match "scaling" "$out" "one thread"

expect_exit 2 hoyito bench --only nothing
expect_match "no row has 'nothing' in its name" "$err"
expect_exit 2 hoyito bench --rounds 0
expect_exit 2 hoyito bench --milliseconds x
expect_exit 2 hoyito bench --rounds 102
expect_exit 5 env TMPDIR="$scratch/missing" "$program" bench --rounds 1 --milliseconds 1 --only store
expect_match "cannot make the folder '.*missing/hoyito-bench-" "$err"
