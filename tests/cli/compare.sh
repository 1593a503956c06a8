# hoyito compare and hoyito effects: the answers, what they refuse, and their help.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

enter questions
cat >study.yaml <<'EOF'
experiment: study
seed: 3
games: 300
max_plies: 60
record: games
rules:
  holes: [3, 4]
  seeds: 2
  extra_turn: [true, false]
policies:
  - {south: random, north: random}
  - {south: greedy, north: random, swap: true}
EOF
hoyito run study.yaml -o study.db >/dev/null 2>&1

expect_exit 0 hoyito compare study.db --metric first_player_score --by holes
expect_match '^first_player_score by holes' "$out"
expect_match '4 against 3: difference .*\[.*\] points; .*p = .*adjusted p' "$out"
expect_match 'of 300 games' "$out"

expect_exit 0 hoyito compare study.db --metric restricted_plies --by holes --horizon 40 --json
expect_json '.unit == "plies" and .horizon == 40 and .num_comparisons == 6' "$out"
expect_json '[.strata[].comparisons[] | .p_adjusted >= .p] | all' "$out"
expect_json '[.strata[].levels[] | (.terminations | add) == .games] | all' "$out"
expect_json '[.strata[].comparisons[] | .difference.low <= .difference.estimate and
  .difference.estimate <= .difference.high and .paired] | all' "$out"

# The mean of pairs, from the rows.
hoyito compare study.db --metric captures_per_ply --by south --json >"$out"
expect_json '[.strata[].comparisons[] | .level] | all(. == "greedy" or . == "random")' "$out"

expect_exit 0 hoyito effects study.db --metric first_player_score --json
expect_json '.tables | length == 3' "$out"
expect_json '.tables[0] | (.main_effects | length) == 2 and (.interactions | length) == 1' "$out"
expect_json '[.tables[] | ([.variation[].share] | add) + .variation_rest - 1 | fabs < 1e-9] | all' "$out"
expect_exit 0 hoyito effects study.db --metric hazard
expect_match 'holes 3 → 4 ' "$out"

# Nothing of the database is changed by asking.
before=$(sha256sum study.db)
hoyito compare study.db --metric hazard --by holes >/dev/null
expect_equal "$before" "$(sha256sum study.db)" 'the database after a question'

# Every metric that is listed is answered, or refused with what to ask for instead.
hoyito compare --list --json | jq -r '.[].metric' >metrics
expect_true 'some 30 metrics' test "$(wc -l <metrics)" -gt 25
while read -r metric; do
  for command in 'compare --by holes' effects; do
    check
    # shellcheck disable=SC2086
    hoyito ${command%% *} study.db --metric "$metric" ${command#"${command%% *}"} >"$out" 2>"$err" && continue
    grep -Eq 'ask for|biased|do not add up|are not known there' "$err" || fail "$command $metric: $(cat "$err")"
  done
done <metrics

expect_exit 1 hoyito compare study.db --metric plies --by holes
expect_match 'truncated.*restricted_plies' "$err"
expect_empty "$out"
expect_exit 2 hoyito compare study.db --metric plise --by holes
expect_match "did you mean 'plies'" "$err"
expect_exit 2 hoyito compare study.db --metric draw_share --by hole
expect_match "did you mean 'holes'" "$err"
expect_exit 2 hoyito compare study.db --metric draw_share --by casa
expect_match 'nothing to compare' "$err"
expect_exit 2 hoyito compare study.db --metric draw_share
expect_exit 2 hoyito compare study.db --by holes
expect_exit 2 hoyito compare study.db --metric draw_share --by holes --confidence 1
expect_exit 2 hoyito compare study.db --metric draw_share --by holes --adjust nothing
expect_exit 2 hoyito compare study.db --metric draw_share --by holes --baseline 7
expect_exit 2 hoyito effects study.db --metric draw_share --scale logs
expect_exit 2 hoyito effects study.db --metric median_plies
expect_exit 2 hoyito compare
expect_exit 5 hoyito compare missing.db --metric draw_share --by holes
for command in compare effects; do
  expect_exit 0 hoyito "$command" --help
  expect_match "hoyito $command .*--metric" "$out"
done
