# hoyito ladder: ratings of a round robin, as text and JSON, and what it refuses.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# write_experiment RECORD GAMES POLICIES
write_experiment() {
  cat >study.yaml <<EOF
experiment: study
seed: 11
games: $2
max_plies: 2000
record: $1
rules: {preset: hoyito-ii, holes: [4, 6]}
policies: $3
opening: {random_plies: 2}
EOF
}
robin='{round_robin: [random, {epsilon: {rate: 0.5, policy: greedy}}, greedy], self: true}'

enter games
write_experiment games 80 "$robin"
expect_exit 0 hoyito run study.yaml --dry-run
expect_match '12 conditions, 1440 games' "$out"
expect_exit 0 hoyito run study.yaml -o study.db
snapshot >"$scratch/before"
expect_exit 0 hoyito ladder study.db
cp "$out" text
expect_empty "$err" "talk of ladder"
expect_equal 2 "$(grep -c '^2×' text)" "tables"
expect_match "^  'random' is 0$" text
expect_match '^  greedy +[0-9]+ \[[0-9]+, [0-9]+\] +320 ' text
expect_match '^  random +0 \[0, 0\] +320 ' text
expect_match 'first player: [+-][0-9.]+ Elo \[' text
expect_match 'classes of skill: [123] ' text
expect_match 'chi-square [0-9.]+, 1 degrees of freedom' text
expect_match ' 80 pairs ' text
expect_no_match 'nan|inf' text
expect_exit 0 hoyito ladder --json study.db
cp "$out" json
expect_json '.tables | length == 2' json
expect_json '[.tables[].policies[0].policy] == ["greedy", "greedy"]' json
expect_json 'all(.tables[]; .anchor == "random" and .games == 720 and .games_without_result == 0)' json
expect_json 'all(.tables[].policies[]; .elo.bound == null and .elo.low <= .elo.estimate
  and .elo.high >= .elo.estimate and .games == 320 and .self_games == 80)' json
expect_json 'all(.tables[].pairings[] | select(.unit == "pair"); ([.pairs[]] | add) == 80
  and .won + .drawn + .lost == 160)' json
expect_json '.seed == "11"' json
expect_json 'all(.tables[]; .skill.chain | length >= 2)' json
# the score of a pairing is that of the view of pairs
points=$(query study.db "SELECT sum(first_policy_points) FROM v_pair WHERE condition_id = 2")
expect_json ".tables[0].pairings[1].score.estimate * 160 - $points | . < 1e-9 and . > -1e-9" json
snapshot | grep -Ev ' \./(text|json)$|^\./(text|json) ' >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "ladder changes nothing"
expect_exit 0 env LC_ALL=de_DE.UTF-8 "$program" ladder study.db
expect_same_file text "$out" "ladder in another locale"

# Another anchor moves the scale.
expect_exit 0 hoyito ladder study.db --anchor greedy --json
expect_json 'all(.tables[]; .anchor == "greedy" and .policies[0].elo.estimate == 0
  and .policies[2].elo.high < 0)' "$out"
expect_exit 0 hoyito ladder study.db --anchor 'epsilon:policy=greedy,rate=0.5'
expect_match "'epsilon:rate=0.5,policy=greedy' is 0" "$out"
expect_exit 2 hoyito ladder study.db --anchor greedy:ties=first
expect_match "no games of the policy 'greedy:ties=first'; there are: random, epsilon" "$err"
expect_exit 2 hoyito ladder study.db --anchor gredy
expect_match "did you mean 'greedy'" "$err"

# The same whatever the threads, and from shards.
expect_exit 0 hoyito run study.yaml --shard 1/2 -o a.db -j 2
expect_exit 0 hoyito run study.yaml --shard 2/2 -o b.db
expect_exit 0 hoyito ladder a.db --json
expect_json 'all(.tables[]; .clusters == 40 and .games == 360)' "$out"
expect_exit 0 hoyito merge both.db a.db b.db
expect_exit 0 hoyito ladder both.db
expect_same_file text "$out" "ladder of merged shards"

# Moves are rows as well; sums are not.
enter moves
write_experiment moves 10 "$robin"
expect_exit 0 hoyito run study.yaml -o study.db
expect_exit 0 hoyito ladder study.db
enter summary
write_experiment summary 10 "$robin"
expect_exit 0 hoyito run study.yaml -o study.db
expect_exit 3 hoyito ladder study.db
expect_match "record: summary" "$err"
expect_empty "$out"

# Without swapped seats strength and seat are one.
enter seats
write_experiment games 50 '[{south: greedy, north: random}]'
expect_exit 0 hoyito run study.yaml -o study.db
expect_exit 0 hoyito ladder study.db
expect_match 'first player: unknown: seats were not swapped' "$out"
expect_match 'scale: not tested' "$out"
expect_match ' 50 games ' "$out"

# One policy only, no random, and policies that never met.
enter few
write_experiment games 20 '[{south: greedy, north: greedy}]'
expect_exit 0 hoyito run study.yaml -o study.db
expect_exit 0 hoyito ladder study.db
expect_match "'greedy' is 0" "$out"
expect_match 'against itself: score 0\.[0-9]{4}' "$out"
expect_exit 0 hoyito ladder study.db --json
expect_json 'all(.tables[]; .policies[0].score == null and .scale_test.p == null)' "$out"
write_experiment games 20 '[{south: random, north: greedy, swap: true},
  {south: greedy:ties=first, north: greedy:ties=first}]'
expect_exit 0 hoyito run study.yaml -o other.db
expect_exit 0 hoyito ladder other.db
expect_match '^  greedy:ties=first +unknown' "$out"
expect_match "'unknown' policies have no games that lead to the anchor" "$out"

# Usage.
enter usage
expect_exit 2 hoyito ladder
expect_exit 2 hoyito ladder a.db b.db
expect_exit 0 hoyito ladder --help
expect_match 'hoyito ladder strength.db' "$out"
expect_exit 5 hoyito ladder missing.db
write_experiment games 5 '{round_robin: [random, greedy, random]}'
expect_exit 2 hoyito run study.yaml -o study.db
expect_match "study.yaml:7:.*the policy 'random' is given twice" "$err"
