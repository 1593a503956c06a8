# hoyito stats regression: closed forms, single games against their sums, contrasts, and bad input.

set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# ask ROW: its answer in `out`.
ask() { expect_exit 0 hoyito stats regression <<<"$1"; }

# Two cells have closed forms: the log odds, and White's error with the cells' own variances.
ask '{"rows":[[1,0],[1,1]],"n":[400,300],"sum":[180,160],"sum_squares":[170,150],"family":"logistic"}'
expect_json '. as $r | def odds(p): (p / (1 - p)) | log; (180 / 400) as $p | (160 / 300) as $q |
  [$r.coef[0] - odds($p), $r.coef[1] - (odds($q) - odds($p)),
   $r.se[0] - (((170 - 400 * $p * $p) / 399 / 400 | sqrt) / ($p * (1 - $p))), $r.fitted[0] - $p] |
  all(fabs < 1e-9)' "$out" "log odds"
expect_json '.n == 700 and .df_residual == 698 and .fit == "known" and .infinite == [0, 0]' "$out"
expect_json '.ci | all(.[0] < .[1]) and all(length == 2)' "$out"

# Least squares by hand: y = 0.15 + 0.94 x.
single='{"rows":[[1,1],[1,2],[1,3],[1,4]],"y":[1.1,1.9,3.2,3.8],"errors":"model"}'
ask "$single"
expect_json '[.coef[0] - 0.15, .coef[1] - 0.94, .deviance - 0.082, .dispersion - 0.041] | all(fabs < 1e-12)' "$out"

# Games one by one, their sums, and an offset instead of a part of the mean.
ask '{"rows":[[1,0],[1,0],[1,0],[1,1],[1,1],[1,1]],"y":[1,2,4,3,7,9],"family":"log-linear"}'
jq -c '[.coef, .se, .p] | flatten | map(. * 1e9 | round)' "$out" >want
ask '{"rows":[[1,0],[1,1]],"n":[3,3],"sum":[7,19],"sum_squares":[21,139],"family":"log-linear"}'
jq -c '[.coef, .se, .p] | flatten | map(. * 1e9 | round)' "$out" >got
expect_same_file want got "games and their sums"
ask '{"rows":[[1,0],[1,1]],"n":[3,3],"sum":[7,19],"sum_squares":[21,139],"family":"log-linear","offset":[2,2]}'
expect_equal "$(jq '.[0] - 2e9' want)" "$(jq '.coef[0] * 1e9 | round' "$out")" "the constant beside an offset"

# A contrast of one coefficient is that coefficient, and its square the test of all.
ask "$(jq -c '.contrasts = [[0, 1]]' <<<"$single")"
expect_json '.contrasts.coef == .coef[1:] and .contrasts.p == .p[1:] and .contrasts.df == 1' "$out"
expect_json '.contrasts | (.wald_chisq - (.statistic[0] | . * .)) / .wald_chisq | fabs < 1e-9' "$out"
expect_json '.contrasts | (.wald_p - .p[0]) | fabs < 1e-9' "$out"

# What has no estimate is null.
ask '{"rows":[[1,0],[1,1]],"n":[5,5],"sum":[2,5],"sum_squares":[2,5],"family":"logistic"}'
expect_json '.fit == "infinite" and .infinite == [0, 1] and .coef[1] == null' "$out" "a cell that wins all"
ask '{"rows":[[1,2],[2,4]],"n":[5,5],"sum":[2,5],"sum_squares":[2,5]}'
expect_json '.fit == "singular" and .coef == [null, null]' "$out" "terms that are the same"

bad() {
  expect_exit 1 hoyito stats regression <<<"$1"
  expect_json '.line == 1 and (.error | length > 10)' "$out" "$1"
  expect_match "$2" "$out" "$1"
}
bad '{"y":[1,2]}' "'rows' is an array of arrays of numbers"
bad '{"rows":3,"y":[1,2]}' "'rows' is an array of arrays"
bad '{"rows":[[]],"y":[1]}' "'rows' is an array of arrays"
bad '{"rows":[[1],[1,2]],"y":[1,2]}' "'rows' \(element 2\) is an array of 1 number"
bad '{"rows":[[1,1],[1,"a"]],"y":[1,2]}' "'rows' \(element 2\) is an array of 2 numbers"
bad '{"rows":[[1],[1]],"y":[1]}' "'y' has 1 elements and 'rows' 2"
bad '{"rows":[[1],[1]],"n":[1],"sum":[1,1],"sum_squares":[1,1]}' "'n' has 1 elements"
bad '{"rows":[[1],[1]],"n":[1,1],"sum":[1,1]}' "'sum_squares' is an array"
bad '{"rows":[[1],[1]],"y":[1,2],"offset":[1]}' "'offset' has 1 elements"
bad '{"rows":[[1],[1]],"y":[1,2],"contrasts":[[1,2]]}' "'contrasts' has 2 weights a row, and 'rows' 1 terms"
bad '{"rows":[[1],[1]],"y":[1,2],"family":"poisson"}' 'linear, logistic, log-linear'
bad '{"rows":[[1],[1]],"y":[1,2],"family":"logistic"}' 'cell 2: .* between 0 and 1'
bad '{"rows":[[1],[1]],"y":[1,2],"famly":"linear"}' "did you mean 'family'"
