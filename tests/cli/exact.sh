# hoyito exact: small variants completely.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# variant FILE FIELD…: a rules file of these fields ("key=value").
variant() {
  local file=$1 field
  shift
  printf 'name: small\nsource: none\n' >"$file"
  for field in "$@"; do
    printf '%s: %s\n' "${field%%=*}" "${field#*=}" >>"$file"
  done
}

# Every golden row, to one part in 10^10.
num=$(jq length "$golden/exact.json")
expect_true "there are golden rows" test "$num" -ge 11
for ((i = 0; i < num; i++)); do
  jq ".[$i]" "$golden/exact.json" >row
  mapfile -t fields < <(jq -r '"holes=\(.holes)", "seeds=\(.seeds)", .rules[]' row)
  variant small.yaml "${fields[@]}"
  expect_exit 0 hoyito exact small.yaml --json
  cp "$out" got
  jq -n --slurpfile row row --slurpfile got got '
    def near($a; $b): ($a - $b | fabs) <= 1e-10 * ([$a | fabs, 1e-4] | max);
    $row[0] as $r | $got[0] as $g |
    ($r.random | to_entries | all(near(.value; $g.random[.key]))) and
    ($r.perfect | to_entries | all(near(.value; $g.perfect[.key]))) and
    $r.holes == $g.holes and $r.seeds == $g.seeds and $r.rules == $g.rules' >verdict
  expect_equal true "$(cat verdict)" "row $i: ${fields[*]}"
done

# Said beforehand: how many positions at most, how much memory.
variant small.yaml holes=2 seeds=4
expect_exit 0 hoyito exact small.yaml
expect_match '^at most 3248 positions, [0-9.]+ MiB for all of them; limit 2048 MiB$' "$err"
expect_match '^43 positions can be reached' "$err"
expect_match '^  value  *-16 counters to south: north wins$' "$out"
expect_match '^  line .*claimed after [0-9]+ plies$' "$out"
expect_match '^  mean plies  *6\.1552734375 plies a game; standard deviation 4\.473479962' "$out"
expect_match '^  ended endless  *9\.375 %$' "$out"
expect_match 'error at most' "$out"

# The parts of JSON belong together, and the line is what replay makes of it.
expect_exit 0 hoyito exact small.yaml --json --mass 0.999999
expect_json '.random | ([.terminations[].all] | add) + .p_never - 1 | fabs < 1e-12' "$out"
expect_json '.random | ([.terminations[].south] | add) - .p_south | fabs < 1e-15' "$out"
expect_json '.random.length | (.probabilities | add) - .mass | fabs < 1e-12' "$out"
expect_json '.random.length | .mass >= 0.999999 and .quantiles.median == 5' "$out"
expect_json '.random | (.p_south + .p_draw / 2) - .first_player_score | fabs < 1e-12' "$out"
jq -c '{rules: {holes, seeds}, holes: .perfect.line}' "$out" >row
value=$(jq .perfect.value "$out")
expect_exit 0 hoyito replay <row
expect_json ".score[0] - .score[1] == $value and .termination == \"claimed\"" "$out"

# Games that never end.
variant small.yaml holes=2 seeds=4 claim=0
expect_exit 0 hoyito exact small.yaml --json
expect_json '.random | .p_never > 0.8 and .mean_plies == null and .sd_plies == null and
  (.why_null | test("never end"))' "$out"
expect_json '.perfect | .termination == null and .repeats_from > 0' "$out"
expect_exit 0 hoyito exact small.yaml
expect_match '^  never ends' "$out"

# History and score in the position.
variant small.yaml holes=2 seeds=4 repetition=2
expect_exit 0 hoyito exact small.yaml --json
expect_json '.history_positions == 47 and .random.terminations.repetition.all > 0.03' "$out"
variant small.yaml holes=3 seeds=1 unfinished=void
expect_exit 0 hoyito exact small.yaml --json
expect_json '.score_positions >= 490 and .random.p_none > 0.1' "$out"

# What does not fit.
expect_exit 1 hoyito exact hoyito-ii --memory 16M
expect_empty "$out"
expect_match 'does not fit: .* MiB or more, and the limit is 16 MiB' "$err"
expect_exit 1 hoyito exact hoyito-ii
expect_match 'does not fit: there are up to [0-9.e+]+ positions, .* the limit is 2048 MiB' "$err"
variant small.yaml holes=3 seeds=2 repetition=3
expect_exit 1 hoyito exact small.yaml --memory 16M
expect_match "does not fit: .*'repetition'" "$err"

# What is refused.
refused() {
  local words=$1
  shift
  expect_exit 2 hoyito exact "$@"
  expect_empty "$out" "$*"
  expect_match "$words" "$err" "$*"
}
refused 'needs a variant'
refused 'too many' small.yaml small.yaml
refused "unknown preset 'nosuch'" nosuch
for size in 0 -1 1X G 1.5G '' 99999999999999999999; do
  refused '--memory takes a size' small.yaml "--memory=$size"
done
for mass in 1 -0.1 x 2; do
  refused '--mass takes a number' small.yaml "--mass=$mass"
done
refused '--max-laps takes' small.yaml --max-laps 0
expect_exit 0 hoyito exact --help
expect_match '^  hoyito exact small.yaml' "$out" "examples"
