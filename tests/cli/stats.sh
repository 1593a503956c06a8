# hoyito stats: every golden case, the list and the help, and what is refused.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

comparison=$source_folder/tests/cli/stats.jq

# Golden cases. The names that are there are all answered; these have to be there.
names='bootstrap_exact chain_rate descriptive mannwhitney mcnemar negbin p_adjust penta poisson
  poisson_ratio prop sample_size special sprt sprt_bounds two_prop wdl welch_t'
expect_exit 0 hoyito stats --list --json
jq -r '.[].name' "$out" | sort >listed
jq -r '.cases[].id | split("/")[0] | split("(")[0]' "$golden/statistics.json" | sort -u >wanted
for name in $names; do
  expect_true "$name is listed" grep -qx "$name" listed
  expect_true "$name is golden" grep -qx "$name" wanted
done
num_cases=0
while read -r name; do
  jq -c --arg name "$name" '[.cases[] | select((.id | split("/")[0] | split("(")[0]) == $name)]' \
    "$golden/statistics.json" >cases
  jq -c '.[].inputs' cases >inputs
  expect_exit 0 hoyito stats "$name" <inputs
  expect_empty "$err" "$name"
  expect_equal "$(wc -l <inputs)" "$(wc -l <"$out")" "answers of $name"
  jq -c --slurpfile answers "$out" -f "$comparison" cases >differences
  expect_empty differences "$name"
  jq -s 'map([.[] | select(. != null)] | length) | min' "$out" >defined
  expect_true "$name defines something" test "$(cat defined)" -gt 1
  num_cases=$((num_cases + $(wc -l <inputs)))
done < <(comm -12 listed wanted)
expect_true "there are many cases" test "$num_cases" -ge 60

# The comparison itself tells a wrong answer and a missing one.
echo '[{"id":"a/1","expected":{"p":0.5,"q":[1,null]},"expected_python_only":{}}]' >cases
echo '{"p":0.5000001,"q":[1,null]}' >answers
jq -c --slurpfile answers answers -f "$comparison" cases >differences
expect_json '.key == "p"' differences
echo '{"p":0.5,"q":[1,2]}' >answers
jq -c --slurpfile answers answers -f "$comparison" cases >differences
expect_json '.key == "q"' differences
echo '{"q":[1,null]}' >answers
jq -c --slurpfile answers answers -f "$comparison" cases >differences
expect_json '.key == "p" and .got == null' differences
echo '{"p":0.5,"q":[1,null],"more":1}' >answers
jq -c --slurpfile answers answers -f "$comparison" cases >differences
expect_empty differences

# List and help: every statistic has an example, which works.
expect_exit 0 hoyito stats
expect_match '^prop ' "$out"
cp "$out" list
expect_exit 0 hoyito stats --list
expect_same_file list "$out" "stats alone is --list"
expect_exit 0 hoyito stats --list --json
jq -c '.[]' "$out" >statistics
while read -r statistic; do
  name=$(jq -r .name <<<"$statistic")
  expect_exit 0 hoyito stats "$name" < <(jq -r .example <<<"$statistic")
  expect_equal 1 "$(wc -l <"$out")" "answers of the example of $name"
  expect_json 'has("error") | not' "$out" "$name"
  expect_exit 0 hoyito stats "$name" --help
  expect_match "hoyito stats $name <<<" "$out"
  jq -r '.inputs | keys[]' <<<"$statistic" >keys
  while read -r key; do
    expect_true "$name --help tells of $key" grep -qF "  $key " "$out"
  done <keys
done <statistics
expect_exit 0 hoyito stats --help
expect_match 'hoyito stats --list' "$out"
expect_exit 2 hoyito stats prob
expect_match "did you mean 'prop'" "$err"
expect_exit 2 hoyito stats nonsense
expect_match 'hoyito stats --list' "$err"
expect_exit 2 hoyito stats prop more
expect_exit 0 hoyito stats 'wdl(W,D,L)' <<<'{"W":3,"D":2,"L":1}'
cp "$out" long
expect_exit 0 hoyito stats wdl <<<'{"W":3,"D":2,"L":1}'
expect_same_file long "$out" "the long name"

# Faulty rows stand between good ones. Lines are: name | words of the message | row
cat >faults <<'EOF'
prop|'n' is missing: an integer|{"successes":3}
prop|'successes' is an integer from 0 to 10|{"successes":11,"n":10}
prop|'successes' is an integer from 0 to 10|{"successes":-1,"n":10}
prop|'successes' is an integer from 0 to 10|{"successes":1.5,"n":10}
prop|'successes' is an integer from 0 to 10|{"successes":"3","n":10}
prop|'successes' is missing: an integer from 0 to 10|{"successes":null,"n":10}
prop|'n' is an integer|{"successes":0,"n":1e300}
prop|'conf' is a number between 0 and 1|{"successes":3,"n":10,"conf":1}
prop|'conf' is a number between 0 and 1|{"successes":3,"n":10,"conf":95}
prop|unknown key 'confidance'; did you mean 'confidence'|{"successes":3,"n":10,"confidance":0.9}
prop|JSON|{"successes":NaN,"n":10}
prop|JSON|{"successes":3,"n":10
prop|object|[3,10]
two_prop|'n2' is an integer from 1|{"x1":1,"n1":2,"x2":0,"n2":0}
mcnemar|'table_rowmajor' has 4 counts|{"table_rowmajor":[1,2,3,4,5]}
mcnemar|'table_rowmajor' \(element 2\) is an integer|{"table_rowmajor":[1,-2,3,4]}
wdl|'D' is missing|{"W":1,"L":2}
penta|'WL\+DD' is an integer|{"LL":1,"LD":1,"WL+DD":0.5,"WD":1,"WW":1}
sprt|'model' is one of logistic, normalized|{"elo0":0,"elo1":5,"model":"x","res":[1,2,3]}
sprt|'model' is one of logistic, normalized|{"elo0":0,"elo1":5,"res":[1,2,3]}
sprt|'res' has 3 counts|{"elo0":0,"elo1":5,"model":"logistic","res":[1,2,3,4]}
sprt|'elo0' \(5\) has to be below 'elo1'|{"elo0":5,"elo1":5,"model":"logistic","res":[1,2,3]}
sprt_bounds|'alpha' is a number between 0 and 0.5|{"alpha":0.5}
sequence|'n', 'sum' and 'sum_squares' have one|{"n":[10],"sum":[1,2],"sum_squares":[1]}
sequence|block 2: 10 numbers from 0 to 1 cannot|{"n":[10,10],"sum":[5,11],"sum_squares":[4,5]}
poisson|'exposure' is a number from|{"events":3,"exposure":0}
poisson|'events' is an integer|{"events":-3,"exposure":1}
poisson_ratio|'x' and 'T' have 2 elements|{"x":[1,2,3],"T":[1,2]}
chain_rate|have one element a game each|{"chain_captures":[1,2],"captures":[3]}
chain_rate|'captures' \(element 2\) is a number from 0|{"chain_captures":[1,2],"captures":[3,-1]}
negbin|2.5 among the counts is no integer|{"y":[1,2.5]}
bootstrap_exact|at most 7 games|{"y":[1,1,1,1,1,1,1,1],"x":[1,1,1,1,1,1,1,1]}
bootstrap|'resamples' is an integer from 100|{"y":[1],"x":[1],"resamples":5}
bootstrap|'seed' is a decimal integer|{"y":[1],"x":[1],"seed":"18446744073709551616"}
descriptive|'x' is missing: an array of numbers|{}
descriptive|'x' \(element 2\) is a number|{"x":[1,"2"]}
descriptive|array of at least 1 number|{"x":[]}
descriptive|'x' has 2 values and 1 counts|{"x":{"value":[1,2],"count":[1]}}
mannwhitney|'y' is missing|{"x":[1,2]}
p_adjust|'p' \(element 2\) is a number from 0 to 1|{"p":[0.5,1.5]}
tost|'low' \(1\) has to be below 'high' \(0\)|{"value":0.5,"se":0.1,"low":1,"high":0}
tost|'se' is a number from|{"value":0.5,"se":0,"low":0,"high":1}
plan|'power' is a number between 0 and 1|{"p1":0.5,"p2":0.6,"power":1}
EOF
while IFS='|' read -r name words row; do
  example=$(jq -r --arg name "$name" 'select(.name == $name).example' statistics)
  printf '%s\n%s\n\n%s\n' "$example" "$row" "$example" >rows
  expect_exit 1 hoyito stats "$name" <rows
  expect_match '^hoyito: 1 of 4 rows' "$err" "$name $row"
  expect_equal 3 "$(wc -l <"$out")" "lines out of $name $row"
  sed -n 2p "$out" >got
  expect_json 'keys == ["error", "line"] and .line == 2' got "$name $row"
  jq -r .error got >message
  expect_match "$words" message "$name $row"
  expect_equal "$(sed -n 1p "$out")" "$(sed -n 3p "$out")" "the good rows around $row"
done <faults

# A histogram and the numbers that it stands for; the order of the numbers; another confidence.
expect_exit 0 hoyito stats mannwhitney <<<'{"x":[3,1,1,2],"y":{"value":[4,2],"count":[2,1]}}'
cp "$out" histogram
expect_exit 0 hoyito stats mannwhitney <<<'{"y":[4,2,4],"x":[1,1,2,3]}'
expect_same_file histogram "$out" "a histogram"
expect_exit 0 hoyito stats chain_rate <<<'{"game":[7,2,7],"chain_captures":[1,0,2],"captures":[3,5,4]}'
cp "$out" rows
expect_exit 0 hoyito stats chain_rate <<<'{"chain_captures":[3,0],"captures":[7,5]}'
expect_same_file rows "$out" "rows of the same game"
expect_exit 0 hoyito stats bootstrap <<<'{"y":[2,0,1],"x":[10,9,11],"seed":"18446744073709551615"}'
expect_json '.seed == "18446744073709551615"' "$out"
cp "$out" drawn
expect_exit 0 hoyito stats bootstrap <<<'{"y":[2,0,1],"x":[10,9,11],"seed":"18446744073709551615"}'
expect_same_file drawn "$out" "the same seed"
expect_exit 0 hoyito stats two_prop <<<'{"x1":3,"n1":9,"x2":5,"n2":9,"conf":0.99}'
expect_json 'has("wald_ci99_diff") and (has("wald_ci95_diff") | not)' "$out"

# What is not defined is null; an empty input gives no answers.
expect_exit 0 hoyito stats prop <<<'{"successes":0,"n":0}'
expect_json '.share == null and .wilson == [null, null]' "$out"
nothing='{"value":[1],"count":[0]}'
expect_exit 0 hoyito stats descriptive <<<"{\"x\":$nothing}"
expect_json '.n == 0 and .mean == null and .max == null' "$out"
expect_exit 0 hoyito stats mannwhitney <<<"{\"x\":$nothing,\"y\":[1,2]}"
expect_json '[.[] | if type == "array" then .[] else . end] | all(. == null)' "$out"
expect_exit 0 hoyito stats welch_t <<<"{\"x\":$nothing,\"y\":[1,2]}"
expect_json '.p == null' "$out"
expect_exit 0 hoyito stats negbin <<<"{\"y\":$nothing}"
expect_json '.mu_mle == null' "$out"
expect_exit 0 hoyito stats prop </dev/null
expect_empty "$out"
