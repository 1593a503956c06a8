# The solved start positions of experiments/solved: a part is solved again, and what is committed holds together.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

study=$source_folder/experiments/solved
committed=$study/solved.json

expect_json 'length >= 180 and ([.[].name] | unique | length) == length' "$committed" "rows"
expect_json 'all(.[]; if has("refused") then .value == null else
  (2 * .holes * .seeds) as $total | .lower >= -$total and .upper <= $total and .lower <= .upper
  and .proved == (.lower == .upper) and .value == (if .proved then .lower else null end)
  and (.winner == "south") == (.lower > 0) and (.winner == "north") == (.upper < 0)
  and (if .proved then (.best + .open | length) > 0 else true end)
  and (.holes as $holes | all(.best[], .open[]; . >= 0 and . < $holes)) end)' "$committed" "bounds"

expect_exit 0 env HOYITO="$program" timeout 200 bash "$study/solve.sh" --quick
expect_json 'length >= 15 and all(.[]; has("refused") or .proved)' "$out" "the quick part"
cp -- "$out" quick.json
# Everything that is in both, to the letter; best holes where all are known.
jq -n --slurpfile quick quick.json --slurpfile all "$committed" '
  ($all[0] | map({(.name): .}) | add) as $known | $quick[0][]
  | $known[.name] as $other | select($other == null or
    ([.variant, .fields, .holes, .seeds, .value, .proved, .winner, .refused, .reachable] !=
     [$other | .variant, .fields, .holes, .seeds, .value, .proved, .winner, .refused, .reachable]) or
    (.open == [] and $other.open == [] and .best != $other.best)) | .name' >differences
expect_empty differences "entries that differ from the committed ones"
expect_json 'any(.[]; .checked | index("exact")) and any(.[]; .checked | index("strategy"))' quick.json "checks"

# The tables of the README are those of the rows.
jq -rf "$study/tables.jq" "$committed" | grep '^|' >lines
expect_true "tables" test "$(wc -l <lines)" -gt 30
grep -Fxvf "$study/README.md" lines >missing || true
expect_empty missing "lines of the tables that are not in the README"

# Perfect play of the golden file.
jq -c '.[] | select(.rules == []) | [.holes, .seeds, .perfect.value]' "$golden/exact.json" >golden
num=0
while read -r row; do
  found=$(jq --argjson g "$row" '.[] | select(.variant == "hoyito-ii" and .fields == [] and .holes == $g[0]
    and .seeds == $g[1]) | .value' "$committed")
  expect_equal "$(jq '.[2]' <<<"$row")" "$found" "golden $row"
  num=$((num + 1))
done <golden
expect_true "golden rows" test "$num" -ge 3

# Stopped and taken up again: nothing is done twice; a search with less cannot take away from a row.
cd -- "$scratch/folders/start"
solve() { HOYITO="$program" timeout 100 bash "$study/solve.sh" --work work --only '^hoyito-ii-[34]x4$' "$@"; }
expect_exit 0 solve --positions 1e5 presets
expect_match '^hoyito-ii-4x4: over' "$err"
cp work/solved.json first
expect_exit 0 solve --positions 1e5 presets
expect_empty "$err" "done already"
expect_same_file first work/solved.json "the same again"
for words in '--nosuch' 'part' '--time'; do
  expect_exit 2 bash "$study/solve.sh" "$words"
done
