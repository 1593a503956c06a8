# hoyito solve and hoyito value: endgame tables made, resumed, checked, and asked.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

cat >small.yaml <<'EOF2'
name: small
source: "made up"
holes: 3
seeds: 2
EOF2

# What would be made.
expect_exit 0 hoyito solve hoyito-ii --max-counters 24 --dry-run
expect_empty "$err"
expect_match '^ 20 counters: 84672315 positions$' "$out"
expect_match '^ 24 counters: 417225900 positions$' "$out"
expect_exit 0 hoyito solve hoyito-ii --max-counters 23 --dry-run --json
expect_json '[.layers[].counters] == [0, 4, 8, 12, 16, 20]' "$out"
expect_json '.memory_bytes > 99e6 and .disk_bytes > 99e6' "$out"

# Made, there already, extended.
expect_exit 0 hoyito solve hoyito-ii --max-counters 8 -o tables --json -j 2
expect_json '[.layers[] | [.counters, .positions]] == [[0, 1], [4, 1365], [8, 75582]]' "$out"
expect_json '.layers[2] | (.won / .positions - 0.5158 | fabs) < 0.0001 and .even + .won + .lost == .positions' "$out"
expect_equal '000.hyt 004.hyt 008.hyt' "$(cd tables && echo *)" "the files"
(cd tables && snapshot) >before
expect_exit 0 hoyito solve hoyito-ii --max-counters 8 -o tables -j 1
expect_match '^ +8 +75582 +0\.5158 +0\.0383 +0\.4458$' "$out"
(cd tables && snapshot) >after
expect_same_file before after "tables that are there"
expect_exit 0 hoyito solve --check tables
expect_match '^all right: 76948 positions of up to 8 counters' "$out"
expect_exit 0 hoyito solve hoyito-ii --check tables --json
expect_json '.right and .positions == 76948 and .layers == 3' "$out"

# Killed at any moment, and resumed: the same files.
expect_exit 0 hoyito solve hoyito-ii --max-counters 12 -o whole -j 2
for wait in 0.02 0.05 0.1 0.2; do
  (timeout -s KILL "$wait" "$program" solve hoyito-ii --max-counters 12 -o killed -j 2 || true) >/dev/null 2>&1
done
expect_exit 0 hoyito solve hoyito-ii --max-counters 12 -o killed -j 1
rm -f killed/*.part
(cd whole && sha256sum -- *) >want
(cd killed && sha256sum -- *) >got
expect_same_file want got "tables made in pieces"

# Stopped in good order.
status=0
timeout -s TERM 0.7 "$program" solve hoyito-ii --max-counters 24 -o stopped -j 1 >"$out" 2>"$err" || status=$?
expect_equal 124 "$status" "timeout's status"
expect_match "^hoyito: interrupted in the layer of [0-9]+ counters; .*'stopped'.*same command" "$err"
expect_equal '' "$(find stopped -name '*.part')" "half files"

# What cannot be.
expect_exit 2 hoyito solve ba-awa --max-counters 8 -o refused
expect_match "claim_by" "$err"
expect_true "no folder for refused rules" test ! -e refused
expect_exit 2 hoyito solve hoyito-ii --max-counters 16 -o refused --memory 1
expect_match '13\.8 MiB.*1\.0 MiB are allowed' "$err"
expect_exit 2 hoyito solve hoyito-ii --max-counters 200 -o refused
expect_exit 2 hoyito solve hoyito-ii -o refused
expect_exit 2 hoyito solve hoyito-ii --max-counters 8
expect_exit 2 hoyito solve --max-counters 8 -o refused
expect_exit 2 hoyito solve hoyito-ii --max-counters 256 -o refused
expect_exit 3 hoyito solve hoyito-iii --max-counters 8 -o tables
expect_match 'another variant: .*chain_capture=true' "$err"
expect_exit 5 hoyito solve --check nowhere
expect_exit 5 hoyito solve hoyito-ii --max-counters 8 -o nowhere/tables

# A value that was changed is caught by its checksum.
cp -r tables damaged
printf '\3' | dd of=damaged/008.hyt bs=1 seek=5000 conv=notrunc 2>/dev/null
expect_exit 5 hoyito solve --check damaged
expect_match "damaged/008\.hyt.*damaged \(block 0\)" "$err"
expect_exit 5 hoyito solve hoyito-ii --max-counters 12 -o damaged

# Values.
cat >rows <<'EOF2'
{"board":[0,1,2,0,2,0,0,0,1,0,1,1],"mover":"north","id":7}
{"board":[1,0,0,0,0,0,0,2,1,0,0,0],"mover":"south"}
{"board":[4,4,4,4,4,4,4,4,4,4,4,4],"mover":"south"}
{"board":[0,0,0,0,0,0,1,1,1,1,0,0],"mover":"south"}
{"board":[0,1,2,0,2,0,0,0,1,0,1,1],"mover":"north","rules":{"chain_capture":false}}
{"board":[0,1,2],"mover":"north"}
EOF2
expect_exit 1 hoyito value hoyito-ii --tables tables <rows
expect_equal 6 "$(wc -l <"$out")" "answers"
sed -n 1p "$out" >got
expect_json '.id == 7 and (.value | type) == "number" and (.best | all(. >= 6))' got
sed -n 3p "$out" >got
expect_json '.line == 3 and (.error | contains("48 counters"))' got
sed -n 4p "$out" >got
expect_json '.best == [] and (.value | type) == "number"' got
sed -n 5p "$out" >got
expect_json '.line == 5 and (.error | contains("rules"))' got
expect_json '.value == -(1 * input.value)' <(jq -c . <(hoyito value hoyito-ii --tables tables \
  <<<'{"board":[0,0,0,0,0,0,1,1,1,1,0,0],"mover":"south"}
{"board":[0,0,0,0,0,0,1,1,1,1,0,0],"mover":"north"}'))
expect_exit 3 hoyito value hoyito-iii --tables tables </dev/null
expect_exit 5 hoyito value hoyito-ii --tables nowhere </dev/null
expect_exit 2 hoyito value hoyito-ii </dev/null

# The policy that plays by them.
expect_exit 0 hoyito solve small.yaml --max-counters 8 -o small
expect_exit 0 hoyito analyse small.yaml --policy exact:tables=small --position '0 2 1 2 2 1/4 0 south' --json
expect_json '.exact' "$out"
cat >study.yaml <<'EOF2'
experiment: study
seed: 1
games: 200
rules: {preset: small.yaml}
max_plies: 500
policies: [{south: {exact: {tables: small, depth: 4}}, north: random}]
EOF2
sed 's/tables: small/tables: nowhere/' study.yaml >nowhere.yaml
for dry in '' --dry-run; do
  # shellcheck disable=SC2086
  expect_exit 5 hoyito run nowhere.yaml -o study.db $dry
  expect_match "condition 1 plays by endgame tables, 'exact:tables=nowhere.*not to be had" "$err" "no tables"
  expect_true "no database that names tables which are not there" test ! -e study.db
done
expect_exit 0 hoyito run study.yaml -o study.db
expect_exit 0 hoyito verify study.db
expect_equal 200 "$(query study.db 'select count(*) from game')" "games"
