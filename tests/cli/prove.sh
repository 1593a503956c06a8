#!/usr/bin/env bash
# hoyito prove: values, bounds, refusals, interruption.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

shape='(.lower | type) == "number" and .lower <= .upper and .proved == (.lower == .upper) and
  (if .proved then .value == .lower else .value == null end) and (.best | type) == "array" and
  (.line | type) == "array" and .nodes >= 0 and .seconds >= 0'

# Hoyito II, tables included, on two threads; verified.
expect_exit 0 timeout 120 "$program" prove hoyito-ii -j 2 --json --verify
expect_json "$shape" "$out"
expect_json '.value == -28 and .winner == "north" and .best == [0] and .line[0] == 0 and .verified and
  .table_counters == 16 and .open == []' "$out"
expect_match '^value from -28 to -28' "$err" "progress"

# Perfect play of the golden variants, in one word each.
jq -c '.[] | [.holes, .seeds, .perfect.value, (.rules | join(" "))]' "$golden/exact.json" >rows
while read -r row; do
  {
    printf 'name: small\nsource: none\n'
    jq -r '"holes: \(.[0])\nseeds: \(.[1])", (.[3] | split(" ")[] | sub("="; ": "))' <<<"$row"
  } >small.yaml
  for counters in 0 8; do
    expect_exit 0 hoyito prove ./small.yaml --json --max-counters $counters -j 1 --memory 8M
    expect_equal "$(jq '.[2]' <<<"$row")" "$(jq .value "$out")" "$row over $counters"
    expect_json "$shape" "$out"
  done
done <rows

# Widths 2 to 5 with four.
for pair in 2:-16 3:0 4:8 5:16; do
  printf 'name: w\nsource: none\nholes: %s\n' "${pair%:*}" >w.yaml
  expect_exit 0 hoyito prove ./w.yaml --json
  if [[ $pair != 3:* ]]; then
    expect_equal "${pair#*:}" "$(jq .value "$out")" "width ${pair%:*}"
  fi
  expect_json '.proved' "$out"
done

# Text.
expect_exit 0 hoyito prove ./w.yaml
expect_match '^w: value 16: south wins by 16$' "$out"
expect_match '^best first holes: ' "$out"
expect_match '^line: ' "$out"
expect_exit 0 hoyito prove ./w.yaml --sign --json
expect_json '.winner == "south" and .lower > 0' "$out" "sign"

# Ready tables.
expect_exit 0 hoyito solve ./w.yaml --max-counters 12 -o tables
expect_exit 0 hoyito prove ./w.yaml --tables tables --json
expect_json '.value == 16 and .table_counters == 12' "$out" "tables from a folder"
expect_exit 3 hoyito prove hoyito-ii --tables tables
expect_exit 5 hoyito prove ./w.yaml --tables nowhere

# Stopped: bounds, and they say that they are no value.
expect_exit 0 hoyito prove hoyito-ii-2x12 --time 1 --max-counters 4 --json
expect_json "$shape" "$out"
expect_json '.proved == false and .value == null' "$out"
expect_exit 0 hoyito prove hoyito-ii-2x12 --level 3 --max-counters 4
expect_match 'value from -[0-9]+ to [0-9]+, not proved' "$out"
check
status=0
timeout -s INT 2 "$program" prove hoyito-ii-2x12 --max-counters 4 --json >stopped 2>"$err" || status=$?
expect_json "$shape" stopped
expect_match 'interrupted' "$err"

# Sowings given up for their length.
printf 'name: full\nsource: none\nseeds: 8\n' >full.yaml
expect_exit 0 timeout 120 "$program" prove ./full.yaml --json --max-laps 10000 --max-counters 12 -j 1
expect_json '.value == -96 and .unresolved > 0' "$out" "long sowings"
expect_exit 0 timeout 120 "$program" prove ./full.yaml --max-laps 10000 --max-counters 12 -j 1
expect_match '^sowings given up for their length: [1-9]' "$out"

# What is refused.
refused() {
  local words=$1
  shift
  expect_exit 2 hoyito prove "$@"
  expect_empty "$out" "$*"
  expect_match "$words" "$err" "$*"
}
refused "claim_by" ba-awa
for field in 'unfinished: void' 'repetition: 3'; do
  printf 'name: r\nsource: none\n%s\n' "$field" >r.yaml
  refused "${field%%:*}" ./r.yaml
done
refused 'a variant is missing'
refused 'too many' hoyito-ii hoyito-i
refused "unknown preset 'nosuch'" nosuch
refused '\-\-memory takes' hoyito-ii --memory 4X
refused '\-\-memory takes' hoyito-ii --memory 0
refused '\-\-time takes' hoyito-ii --time 0
refused '\-\-max-laps' hoyito-ii --max-laps 0
refused '\-\-level takes' hoyito-ii --level 63
expect_exit 0 hoyito prove --help
expect_match '^  hoyito prove hoyito-ii' "$out" "examples"
