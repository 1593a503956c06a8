# hoyito stats km, rmst, logrank, cox and competing: the golden answers, weights, and bad input.

set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# agrees WANT GOT WHAT: all that is in the first is in the second, numbers to 1e-8.
agrees() {
  check
  if ! jq -e -n --slurpfile want "$1" --slurpfile got "$2" '
    def near(a; b): if (a | type) == "number" and (b | type) == "number"
                    then ((a - b) | fabs) <= 1e-8 * ([(a | fabs), 1e-12] | max)
                    elif (a | type) == "array" and (b | type) == "array"
                    then (a | length) == (b | length) and
                         ([range(a | length) as $i | near(a[$i]; b[$i])] | all)
                    else a == b end;
    $want[0] as $w | $got[0] as $g | [$w | keys[] | . as $k | near($w[$k]; $g[$k])] | all
    ' >/dev/null; then
    fail "$3:
$(excerpt "$1")
$(excerpt "$2")"
  fi
}

# take ID: its inputs in the file row, its answers in the file want.
take() {
  jq -c --arg id "$1" '.cases[] | select(.id == $id) | .inputs' "$golden/statistics.json" >row
  jq -c --arg id "$1" '.cases[] | select(.id == $id) | .expected' "$golden/statistics.json" >want
  expect_true "there is a case $1" test -s row
}

# Statistics whose inputs are all there.
for id in km/2x6 km/2x12 km/all_censored km/no_censoring logrank/2x6_vs_2x12 cox/efron \
  competing/aalen_johansen; do
  take "$id"
  expect_exit 0 hoyito stats "${id%%/*}" <row
  agrees want "$out" "$id"
done
take km/2x6
jq -c --arg id km/2x6 '.cases[] | select(.id == $id) | .expected_python_only' \
  "$golden/statistics.json" >want
expect_exit 0 hoyito stats km <row
agrees want "$out" "what statsmodels says"

# The others of the same inputs: by a key, and without it by their names.
take logrank/peto_rho1
expect_exit 0 hoyito stats logrank <row
jq -c .peto_rho1 "$out" >got
agrees want got "Peto's test by its name"
jq -c '.rho = 1' row | hoyito stats logrank >got
agrees want got "Peto's test by rho"
for ties in breslow exact; do
  take "cox/$ties"
  expect_exit 0 hoyito stats cox <row
  jq -c ".$ties" "$out" >got
  agrees want got "$ties by its name"
  jq -c --arg ties "$ties" '.ties = $ties' row | hoyito stats cox >got
  agrees want got "$ties by its key"
done

# Restricted means, of one group and of two.
inputs() { jq -c --arg id "$1" '.cases[] | select(.id == $id) | .inputs' "$golden/statistics.json"; }
for id in 2x6_tau25 2x6_tau30 2x12_tau30; do
  take "rmst/$id"
  inputs "km/${id%_*}" | jq -c --argjson tau "${id#*tau}" '. + {tau: $tau}' >lengths
  expect_exit 0 hoyito stats rmst <lengths
  agrees want "$out" "rmst/$id"
  jq -c --argjson lengths "$(cat lengths)" '.see = $lengths' row >seen
  expect_exit 0 hoyito stats rmst <seen
  agrees want "$out" "rmst/$id, lengths in 'see'"
done
take rmst/diff_2x12_minus_2x6_tau30
jq -c -n --argjson a "$(inputs km/2x6)" --argjson b "$(inputs km/2x12)" \
  '{see: [$a, $b], tau: 30}' >pair
expect_exit 0 hoyito stats rmst <pair
agrees want "$out" "the difference of restricted means"
expect_json '.ratio > 1.25 and .ratio_ci95[0] > 1 and .ratio_ci95[1] > 1.4' "$out" "their ratio"
inputs logrank/2x6_vs_2x12 | jq -c '.tau = 30' >groups
expect_exit 0 hoyito stats rmst <groups
agrees want "$out" "the difference by groups"
expect_exit 1 hoyito stats rmst <row
expect_match "'see' names another row" "$out" "a row that is not here"

# A weight stands for that many games.
printf '{"time":[1,2,2,3],"status":[1,1,0,1],"weight":[2,3,1,2],"group":["a","b","a","b"]}\n' >few
printf '{"time":[3,3,2,2,2,2,1,1],"status":[1,1,0,1,1,1,1,1],"group":[1,1,0,1,1,1,0,0]}\n' >many
for name in km competing; do
  expect_exit 0 hoyito stats "$name" < <(jq -c 'del(.group)' few)
  cp -- "$out" want
  expect_exit 0 hoyito stats "$name" < <(jq -c 'del(.group)' many)
  agrees want "$out" "$name with weights"
done
printf '{"time":[1,2,2,3],"status":[1,1,1,1],"weight":[2,3,2,2],"group":["a","b","a","b"]}\n' >few
printf '{"time":[1,1,2,2,2,2,2,3,3],"status":[1,1,1,1,1,1,1,1,1],"group":[0,0,1,1,1,0,0,1,1]}\n' >many
for name in logrank cox; do
  expect_exit 0 hoyito stats "$name" <few
  expect_json '.groups == ["a", "b"]' "$out" "names of groups"
  jq -c 'with_entries(select(.value | type != "object")) | del(.groups)' "$out" >want
  expect_exit 0 hoyito stats "$name" <many
  agrees want "$out" "$name with weights"
done

# Curves at times that are asked for: the steps before them; not known behind the last game that was cut.
take km/2x6
jq -c '.at = ([0] + .time + [1e9] | unique)' row >asked
expect_exit 0 hoyito stats km <asked
expect_json '.at.surv[0] == 1 and .at.surv[1:-1] == .surv and .at.se_surv[1:-1] == ."se_surv_greenwood"' "$out"
expect_json '.at.lower[1:-1] == ."lower_log-log" and .at.upper[1:-1] == ."upper_log-log"' "$out"
jq -c '.at = [.time[2] + 0.5]' row >asked
expect_exit 0 hoyito stats km <asked
expect_json '(.at.time[0] - 0.5) as $t | .surv[.time | index($t)] == .at.surv[0]' "$out" "between two times"
take competing/aalen_johansen
jq -c '.at = (.time | unique)' row >asked
expect_exit 0 hoyito stats competing <asked
expect_json '.at.cuminc_finished == .cuminc_finished and .at.upper_cuminc_endless == .upper_cuminc_endless' "$out"
printf '{"time":[1,2],"status":[1,0],"at":[3]}\n' >row
for name in km competing; do
  expect_exit 0 hoyito stats "$name" <row
  expect_json '.at | .surv == [null] or .cuminc_finished == [null]' "$out" "$name behind the last game"
done

# An infinite coefficient is no number.
printf '{"time":[1,2,3,4,5],"status":[1,1,1,0,0],"group":["a","a","a","b","b"],"ties":"efron"}\n' >row
expect_exit 0 hoyito stats cox <row
expect_json '.fit == "infinite" and .infinite == [-1] and .coef == null and .hr == null' "$out" \
  "a monotone likelihood"
printf '{"time":[1,2,3],"status":[1,1,0],"covariates":[[0,1],[1,0],[2,5]]}\n' >row
expect_exit 0 hoyito stats cox <row
expect_json '.coef | length == 2' "$out" "two covariates"

# Bad input.
bad() {
  printf '%s\n' "$2" >row
  expect_exit 1 hoyito stats "$1" <row
  expect_json '.line == 1 and (.error | length > 10)' "$out" "$2"
  expect_match "$3" "$out" "$2"
}
bad km '{"time":[1,2],"status":[1]}' "'status' has 1 elements and 'time' 2"
bad km '{"time":[1,-2],"status":[1,1]}' "'time' \(element 2\)"
bad km '{"time":[1,null],"status":[1,1]}' "'time' \(element 2\)"
bad km '{"status":[1,1]}' "'time'"
bad km '{"time":[1],"status":[1],"conf":1}' "'conf'"
bad km '{"time":[1],"status":[1],"weigth":[1]}' "did you mean 'weight'"
bad rmst '{"time":[1],"status":[1]}' "'tau' is missing"
bad rmst '{"time":[1,2,3],"status":[1,1,1],"group":[1,2,3],"tau":2}' "3 groups"
bad logrank '{"time":[1],"status":[1]}' "'group' is missing"
bad logrank '{"time":[1],"status":[1],"group":[null]}' "'group' \(element 1\)"
bad cox '{"time":[1],"status":[1],"group":["a"],"ties":"effron"}' "efron, breslow, exact"
bad cox '{"time":[1,2],"status":[1,1],"covariates":[[1],[1,2]]}' "'covariates' \(element 2\)"
bad cox '{"time":[1],"status":[1]}' "'covariates'"
bad cox '{"time":[1,2],"status":[1,1],"covariates":[[1]]}' "'covariates' has 1 elements and 'time' 2"
bad cox '{"time":[1],"status":[1],"covariates":[["a"]]}' "'covariates' \(element 1\) is an array of 1 number"
bad cox '{"time":[1],"status":[1],"covariates":4}' "'covariates' is an array of arrays"
bad logrank '{"time":[1],"status":[1],"group":"a"}' "'group' is an array of texts or numbers"
bad logrank "{\"time\":[$(seq -s, 1001)],\"status\":[$(printf "1,%.0s" {1..1000})1],\"group\":[$(seq -s, 1001)]}" \
  "'group' has more than 1000 different elements"
bad km '{"time":[1],"status":[1],"at":[-1]}' "'at' \(element 1\)"
bad competing '{"time":[1],"status":[1],"at":"1"}' "'at' is an array"

# No games.
for name in km competing; do
  expect_exit 0 hoyito stats "$name" <<<'{"time":[],"status":[]}'
done
expect_exit 0 hoyito stats rmst <<<'{"time":[],"status":[],"tau":3}'
expect_json '.rmst == null' "$out" "a mean of no games"
for name in logrank cox; do
  expect_exit 0 hoyito stats "$name" <<<'{"time":[],"status":[],"group":[]}'
done

# The examples of the help are answered.
for name in km rmst competing logrank cox; do
  expect_exit 0 hoyito stats "$name" --help
  sed -n "s/^  hoyito stats $name <<<'\(.*\)'$/\1/p" "$out" >row
  expect_exit 0 hoyito stats "$name" <row
done
