# hoyito rules: presets, rules files and the schema.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

presets=(ba-awa hoyito-i hoyito-ii hoyito-ii-2x12 hoyito-ii-opponent-side hoyito-iii)
fields=(holes seeds relay skip_origin casa final_capture chain_capture en_passant capture_side extra_turn
  claim claim_by no_move endless repetition unfinished)

# The list.
expect_exit 0 hoyito rules
expect_empty "$err"
awk '{ print $1 }' "$out" >got
printf '%s\n' "${presets[@]}" >want
expect_same_file want got "the presets"
expect_match '^hoyito-ii +the default of every field$' "$out"
expect_match '^hoyito-i +chain_capture: false, en_passant: sower, extra_turn: false$' "$out"
expect_match '^hoyito-ii-2x12 +holes: 12$' "$out"
expect_match '^hoyito-ii-opponent-side +capture_side: opponent$' "$out"
expect_match '^hoyito-iii +chain_capture: false$' "$out"
expect_match '^ba-awa +chain_capture: false, en_passant: owner, extra_turn: false, claim: 8, claim_by: starter$' \
  "$out"
expect_exit 0 hoyito rules --json
cp "$out" list.json
jq -r '.[].name' list.json >got
expect_same_file want got "the presets as JSON"

# The defaults, as rules.md states them.
expect_exit 0 hoyito rules hoyito-ii --json
expect_json '.rules == {holes: 6, seeds: 4, relay: true, skip_origin: false, casa: 4, final_capture: true,
  chain_capture: true, en_passant: "none", capture_side: "any", extra_turn: true, claim: 4,
  claim_by: "capturer", no_move: "pass", endless: "annul", repetition: 0, unfinished: "score"}' "$out"

# Each preset explained; its file says the same.
for preset in "${presets[@]}"; do
  expect_exit 0 hoyito rules "$preset"
  expect_empty "$err"
  expect_equal "$preset" "$(sed -n 1p "$out")" "the name"
  expect_match '^source: .....' "$out" "$preset"
  for field in "${fields[@]}"; do
    expect_equal 1 "$(grep -c -E "^[ *] $field +[^ ]" "$out")" "$preset: lines of $field"
  done
  cp "$out" explained
  expect_exit 0 hoyito rules "$preset" --json
  jq -S . "$out" >got
  jq -S ".[] | select(.name == \"$preset\")" list.json >want
  expect_same_file want got "$preset in the list and alone"
  marked=$(grep -v ' differs from the default' explained | grep -c '^\* ' || true)
  differences=$(jq -n --slurpfile all list.json --arg name "$preset" '
    ($all[0][] | select(.name == "hoyito-ii").rules) as $defaults |
    ($all[0][] | select(.name == $name).rules) as $rules |
    [$rules | keys[] | select($rules[.] != $defaults[.])] | length')
  expect_equal "$differences" "$marked" "$preset: marked fields"
  file=$source_folder/configs/rules/$preset.yaml
  expect_exit 0 hoyito rules "$file" --json
  jq -S . "$out" >got
  expect_same_file want got "$preset and its file"
done
expect_equal "${#presets[@]}" "$(find "$source_folder/configs/rules" -name '*.yaml' | wc -l)" "files of presets"

# A file of one's own, from another folder, that starts from a preset and from a file.
mkdir sub
cat >sub/mine.yaml <<'EOF'
name: mine
source: "made up"
preset: ba-awa
holes: 5
EOF
cat >sub/yours.yml <<'EOF'
name: yours
source: "made up"
preset: mine.yaml
seeds: 3
EOF
expect_exit 0 hoyito rules sub/yours.yml --json
expect_json '.name == "yours" and .source == "made up"' "$out"
expect_json '.rules | [.holes, .seeds, .claim, .claim_by] == [5, 3, 8, "starter"]' "$out"
cat >study.yaml <<'EOF'
experiment: study
seed: 1
games: 1
rules: {preset: [sub/mine.yaml, hoyito-i]}
policies: [{south: random, north: random}]
EOF
expect_exit 0 hoyito run study.yaml --dry-run --json
expect_json '.conditions[0].canonical | contains("holes=5") and contains("claim_by=starter")' "$out"

# What there is not.
expect_exit 2 hoyito rules hoyito-iv
expect_match "hoyito-iv.*did you mean 'hoyito-i'\?" "$err"
expect_empty "$out"
expect_exit 2 hoyito rules hoyto-ii-2x12
expect_match "did you mean 'hoyito-ii-2x12'\?" "$err"
expect_exit 2 hoyito rules oware-of-another-family
expect_no_match 'did you mean' "$err"
expect_match 'known: .*ba-awa.*hoyito-iii' "$err"
expect_exit 2 hoyito rules ''
expect_exit 2 hoyito rules missing.yaml
expect_match 'missing\.yaml' "$err"
expect_exit 2 hoyito rules sub/
expect_exit 2 hoyito rules hoyito-i hoyito-ii
expect_exit 2 hoyito rules study.yaml
expect_match '^hoyito: study\.yaml:1:1: ' "$err"

# fault PLACE WORDS: what is in fault.yaml is refused there.
fault() {
  expect_exit 2 hoyito rules fault.yaml
  expect_empty "$out" "$(cat fault.yaml)"
  expect_match "^hoyito: fault\.yaml:$1: .*$2" "$err" "$(cat fault.yaml)"
}
head_lines=$'name: x\nsource: y\n'
printf '%scaza: 4\n' "$head_lines" >fault.yaml
fault 3:1 "caza.*did you mean 'casa'"
printf '%scasa: 17\n' "$head_lines" >fault.yaml
fault 3:7 'casa.*17.*2 … 16'
printf '%scasa: 4\ncasa: 4\n' "$head_lines" >fault.yaml
fault 4:1 casa
printf '%srelay: yes\n' "$head_lines" >fault.yaml
fault 3:8 'relay.*yes.*true, false'
printf '%sholes: [6, 12]\n' "$head_lines" >fault.yaml
fault 3:8 holes
printf '%sfinal_capture: false\n' "$head_lines" >fault.yaml
fault '[0-9]+:[0-9]+' 'chain_capture.*final_capture'
printf '%spreset: fault.yaml\n' "$head_lines" >fault.yaml
fault 3:9 'starts from itself'
printf 'source: y\n' >fault.yaml
fault 1:1 name
printf 'name: x\n' >fault.yaml
fault 1:1 source

# The schema is JSON, knows all keys, and is the one in the tree.
expect_exit 0 hoyito rules --schema
expect_empty "$err"
cp "$out" schema.json
expect_json 'type == "object" and (."$schema" | startswith("https://json-schema.org/"))' schema.json
for key in experiment question seed games max_plies max_laps record rules policies opening; do
  expect_json ".properties | has(\"$key\")" schema.json
done
for field in "${fields[@]}"; do
  expect_json "[.. | objects | select(has(\"$field\"))] | length >= 1" schema.json "field $field"
done
expect_json '.additionalProperties == false' schema.json
committed=$source_folder/experiments/hoyito-experiment.schema.json
if [[ -e $committed ]]; then
  expect_same_file schema.json "$committed" "the schema in experiments/"
else
  echo "experiments/hoyito-experiment.schema.json is not there"
fi
