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

# Sameness within a margin; each against each.
expect_exit 0 hoyito compare study.db --metric first_player_score --by holes --margin 0.9
expect_match '4 against 3: .*; within ±0.9: shown \(p = [0-9.e-]+\)$' "$out"
expect_exit 0 hoyito compare study.db --metric first_player_score --by holes --margin 0.9 --json
expect_json '[.strata[].comparisons[].equivalence | .margin == 0.9 and .shown and .p < 0.025] | all' "$out"
expect_exit 0 hoyito compare study.db --metric median_plies --by holes --margin 0.1
expect_match '4 against 3: .*; within ±0.1: not shown \(by the interval\)$' "$out"
expect_exit 2 hoyito compare study.db --metric hazard --by holes --margin 1
expect_match 'a margin is for differences; a hazard is a ratio' "$err"
sed 's/holes: .*/holes: [3, 4, 5]/; /extra_turn/d; /greedy/d' study.yaml >three.yaml
hoyito run three.yaml -o three.db >/dev/null 2>&1
expect_exit 0 hoyito compare three.db --metric draw_share --by holes --json
expect_json '[.strata[].comparisons[] | [.level, .base]] == [["4", "3"], ["5", "3"]]' "$out"
expect_exit 0 hoyito compare three.db --metric draw_share --by holes --all-pairs --json
expect_json '[.strata[].comparisons[] | [.level, .base]] == [["4", "3"], ["5", "3"], ["5", "4"]]' "$out"

# Games cut before the horizon are survival data, and are not paired.
sed 's/max_plies: .*/max_plies: 100000\nmax_laps: 20/' three.yaml >cut.yaml
for record in games summary; do
  sed "s/record: .*/record: $record/" cut.yaml >"cut-$record.yaml"
  hoyito run "cut-$record.yaml" -o "cut-$record.db" >/dev/null 2>&1
  for metric in restricted_plies hazard; do
    horizon=(--horizon 20)
    [[ $metric == hazard ]] && horizon=()
    hoyito compare "cut-$record.db" --metric $metric --by holes "${horizon[@]}" --json |
      jq '[.strata[].comparisons[] | .ratio.estimate * 1e9 | round]' >"$metric-$record"
  done
done
expect_same_file restricted_plies-games restricted_plies-summary "restricted means of rows and of sums"
expect_same_file hazard-games hazard-summary "hazard ratios of rows and of sums"
expect_exit 0 hoyito compare cut-games.db --metric restricted_plies --by holes --horizon 20
expect_match 'are paired: .*but where the test is z: games were cut before the horizon' "$out"
expect_match '4 against 3: .*; z [0-9.-]+, p = ' "$out"
expect_exit 0 hoyito compare cut-summary.db --metric restricted_plies --by holes --horizon 20
expect_match '^groups are taken to be independent' "$out"

# Nothing of the database is changed by asking.
before=$(sha256sum study.db)
hoyito compare study.db --metric hazard --by holes >/dev/null
expect_equal "$before" "$(sha256sum study.db)" 'the database after a question'

# Every metric that is listed is answered, or refused with what to ask for instead.
hoyito compare --list --json | jq -r '.[].metric' >metrics
expect_true 'some 30 metrics' test "$(wc -l <metrics)" -gt 25
for command in compare effects; do
  hoyito "$command" --list | sed 's/ .*//' >listed
  expect_same_file metrics listed "the metrics of $command --list"
done
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
expect_exit 2 hoyito compare study.db --metric draw_share --by holes --horizon 40
expect_match '--horizon belongs to the metric restricted_plies' "$err"
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
