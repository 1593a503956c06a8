# Options that do not go together, places that cannot be written, and inputs of stats that do not fit: each is refused
# with its reason, and nothing is printed.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

enter options
cat >study.yaml <<'EOF'
experiment: study
seed: 3
games: 60
max_plies: 500
rules: {holes: 3, seeds: 2}
policies:
  - {south: random, north: random}
EOF
hoyito run study.yaml -o study.db >/dev/null 2>&1

# Lines are: exit status | words of the message | arguments.
num_cases=0
while IFS='|' read -r status words arguments; do
  num_cases=$((num_cases + 1))
  # shellcheck disable=SC2086 # words
  expect_exit "$status" hoyito $arguments </dev/null
  expect_match "$words" "$err" "hoyito $arguments"
  expect_empty "$out" "hoyito $arguments"
done <<EOF
2|--check takes a folder, and no --max-counters|solve --check tables --max-counters 4
2|--check takes a folder|solve --check tables -o other
2|--check takes a folder|solve --check tables --dry-run
2|a variant is missing|solve --max-counters 4 -o tables
2|--max-counters is missing|solve hoyito-ii -o tables
2|-o, the folder of the tables, is missing|solve hoyito-ii --max-counters 4
2|'ba-awa' is too many|solve hoyito-ii ba-awa --max-counters 4 -o tables
2|a variant is missing|value --tables tables
2|'ba-awa' is too many|value hoyito-ii ba-awa --tables tables
2|--schema takes no variant|rules hoyito-ii --schema
2|--horizon belongs to the metric restricted_plies|compare study.db --metric plies --by holes --horizon 9
2|--metric is needed|compare study.db --by holes
2|give either --half-width or --difference|plan study.db
2|give either --half-width or --difference|plan study.db --half-width 0.1 --difference 0.1
2|--power goes with --difference|plan study.db --half-width 0.1 --power 0.9
2|--half-width must be below 0.5|plan study.db --half-width 0.7
2|--difference below 1|plan study.db --difference 1.5
2|'a' is too many|digest study.db a
2|'a' is too many|verify study.db a
5|cannot write 'missing/report.html': No such file|report study.db --html missing/report.html
5|File name too long|report study.db --html $(printf 'x%.0s' {1..4100})
EOF
expect_true "cases" test "$num_cases" -eq 21

# How many games: a pilot says it for a difference, and for other levels.
expect_exit 0 hoyito plan study.db --difference 0.2 --json
cp "$out" plain
expect_json '[.. | objects | select(has("difference")) | .difference == 0.2 and .power == 0.8] | length > 0 and all' "$out"
games() { jq '[.. | objects | select(has("deviation")) | .games] | max' "$1"; }
hoyito plan study.db --difference 0.2 --power 0.95 --json >powerful
expect_true "more power, more games" test "$(games powerful)" -gt "$(games plain)"
hoyito plan study.db --half-width 0.05 --json >half
hoyito plan study.db --half-width 0.05 --confidence 0.999 --json >sure
expect_true "more confidence, more games" test "$(games sure)" -gt "$(games half)"

# Lines are: statistic | words of the error | input.
while IFS='|' read -r name words input; do
  expect_exit 1 hoyito stats "$name" <<<"$input"
  expect_json '.line == 1 and (keys == ["error", "line"])' "$out" "$name of $input"
  expect_match "$words" "$out" "$name of $input"
done <<'EOF'
bootstrap_exact|'y' and 'x' have one element a game each|{"y":[1,2],"x":[1]}
bootstrap|'y' and 'x' have one element a game each|{"y":[1,2],"x":[1]}
bootstrap|'seed' is a decimal integer|{"y":[1,2],"x":[1,2],"seed":"1e3"}
bootstrap|'resamples'|{"y":[1,2],"x":[1,2],"resamples":1}
tost|'low' \(2\) has to be below 'high' \(1\)|{"low":2,"high":1,"value":1,"se":1}
tost|'successes'|{"low":0.1,"high":0.9,"n":5,"successes":6}
tost|'se'|{"low":0.1,"high":0.9,"value":0.5,"se":0}
EOF
jq -nc '{y: [range(2000)], x: [range(2000) | 1], resamples: 10000000}' >row
expect_exit 1 hoyito stats bootstrap <row
expect_match "10000000 'resamples' of 2000 games are more than 10\^10 draws" "$out"
expect_exit 0 hoyito stats tost <<<'{"low":0.4,"high":0.6,"n":1000,"successes":500}'
expect_json '.equivalent and .p < 0.001' "$out" "a share within its margins"
expect_exit 0 hoyito stats tost <<<'{"low":0.4,"high":0.6,"n":10,"successes":5}'
expect_json '.equivalent == false' "$out" "a share of few games"
expect_exit 0 hoyito stats descriptive <<<'{"x":[1,2,3,4],"conf":0.9}'
expect_json '.t_ci90 | .[0] < 2.5 and .[1] > 2.5' "$out" "an interval with its level in the name"
