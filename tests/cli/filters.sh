# hoyito ply and hoyito replay as filters: golden rows, faulty rows, and odd ways to write lines.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

board='[4,4,4,4,4,4,4,4,4,4,4,4]'
good_ply='{"rules":{},"board":'$board',"score":[0,0],"mover":"south","hole":4}'
good_game='{"rules":{},"holes":[1,10,7]}'

# golden COMMAND FILE KEYS…: the rows without their answer give the rows, and so do the whole ones.
golden_rows() {
  local command=$1 file=$golden/$2 answer=$3
  jq -c . "$file" >want
  jq -c "del($answer)" "$file" >questions
  expect_true "the questions hold no answers" test "$(wc -c <questions)" -lt "$(wc -c <want)"
  expect_exit 0 hoyito "$command" <questions
  expect_empty "$err" "$command of golden rows"
  jq -c . "$out" >got
  expect_same_file want got "$command of $2"
  expect_exit 0 hoyito "$command" <"$file"
  jq -c . "$out" >got
  expect_same_file want got "$command of $2, answers there already"
}

golden_rows ply plies.jsonl .after
golden_rows replay games.jsonl .score,.plies,.turns,.passes,.termination,.result

# Keys that no filter reads go through; one that is nearly a key which is there is none of its misspellings.
for row in '{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":4,"score":[0,0]' '{"rules":{},"holes":[4],"max_plies":5'; do
  command=ply
  [[ $row == *holes* ]] && command=replay
  hoyito $command <<<"$row}" | jq -c . >want
  expect_exit 0 hoyito $command <<<"$row,\"id\":[1,{\"a\":2}],\"note\":\"x\",\"scores\":1,\"after\":0}"
  if [[ $command == ply ]]; then expect_json '.id == [1, {"a": 2}] and .scores == 1' "$out"; fi
  jq -c 'del(.id, .note, .scores) | if .holes then del(.after) else . end' "$out" >got
  expect_same_file want got "$command with other keys"
done

# Each faulty row stands between good ones, which are answered. Lines of `cases` are
#   words of the message | row
faulty_rows() {
  local command=$1 good=$2 words row line=1 num_cases
  printf '%s\n' "$good" >rows
  : >words
  while IFS='|' read -r words row; do
    printf '%s\n%s\n' "$row" "$good" >>rows
    printf '%s\n' "$words" >>words
  done <cases
  num_cases=$(wc -l <words)
  expect_true "there are cases" test "$num_cases" -gt 5
  printf '%s\n' "$good" | hoyito "$command" >answer
  expect_exit 1 hoyito "$command" <rows
  expect_match '^hoyito: ' "$err"
  expect_match "$num_cases of $((2 * num_cases + 1)) rows" "$err"
  expect_equal "$((2 * num_cases + 1))" "$(wc -l <"$out")" "lines out of $command"
  jq -c 'select(.error) | keys' "$out" | sort -u >got
  expect_equal '["error","line"]' "$(cat got)" "keys of faults of $command"
  while read -r words; do
    line=$((line + 1))
    sed -n "${line}p" "$out" >got
    sed -n "${line}p" rows >row
    expect_match "^\{\"error\":\".+\",\"line\":$line\}\$" got "$command of $(cut -c 1-200 row)"
    expect_match "$words" got "$command of $(cut -c 1-200 row)"
    line=$((line + 1))
    sed -n "${line}p" "$out" >got
    expect_same_file answer got "the good row behind $(cut -c 1-200 row)"
  done <words
}

cat >cases <<EOF
JSON|nonsense
JSON|{"rules":{},"board":$board,"mover":"south","hole":4
JSON|{"rules":{},"board":$board,"mover":"south","hole":4} and more
JSON|{"rules":{},"board":$board,"mover":"south","hole":4}{}
JSON|{'rules':{}}
JSON|{"rules":{},"board":$board,"mover":"south","hole":NaN}
JSON|3
JSON|null
object|[1,2]
object|[]
board|{"rules":{},"mover":"south","hole":4}
board|{"rules":{},"board":[4,4,4],"mover":"south","hole":0}
board|{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":0}
board|{"rules":{"holes":5},"board":$board,"mover":"south","hole":0}
board|{"rules":{},"board":{},"mover":"south","hole":0}
board|{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,-4],"mover":"south","hole":0}
board|{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,4.0],"mover":"south","hole":0}
board|{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,"4"],"mover":"south","hole":0}
board|{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,null],"mover":"south","hole":0}
board|{"rules":{},"board":[2049,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":0}
board|{"rules":{},"board":[65540,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":0}
board|{"rules":{},"board":[4294967300,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":0}
2048|{"rules":{},"board":[2000,4,4,4,4,4,4,4,4,4,4,40],"mover":"south","hole":0}
2048|{"rules":{},"board":[1000,4,4,4,4,4,4,4,4,4,4,4],"score":[1000,1000],"mover":"south","hole":0}
score|{"rules":{},"board":$board,"score":[0],"mover":"south","hole":0}
score|{"rules":{},"board":$board,"score":[0,-1],"mover":"south","hole":0}
score|{"rules":{},"board":$board,"score":[0,0.5],"mover":"south","hole":0}
score|{"rules":{},"board":$board,"score":null,"mover":"south","hole":0}
mover|{"rules":{},"board":$board,"hole":4}
mover|{"rules":{},"board":$board,"mover":"west","hole":4}
mover|{"rules":{},"board":$board,"mover":"South","hole":4}
mover|{"rules":{},"board":$board,"mover":0,"hole":4}
hole|{"rules":{},"board":$board,"mover":"south"}
hole|{"rules":{},"board":$board,"mover":"south","hole":12}
hole|{"rules":{},"board":$board,"mover":"south","hole":-1}
hole|{"rules":{},"board":$board,"mover":"south","hole":4.0}
hole|{"rules":{},"board":$board,"mover":"south","hole":"4"}
hole|{"rules":{},"board":$board,"mover":"south","hole":true}
hole|{"rules":{},"board":$board,"mover":"south","hole":4294967300}
JSON|{"rules":{},"board":$board,"mover":"south","hole":99999999999999999999}
empty|{"rules":{},"board":[0,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":0}
empty|{"rules":{},"board":[0,0,0,0,0,0,0,0,0,0,0,0],"mover":"north","hole":11}
south|{"rules":{},"board":$board,"mover":"south","hole":6}
north|{"rules":{},"board":$board,"mover":"north","hole":5}
caza.*did you mean 'casa'|{"rules":{"caza":4},"board":$board,"mover":"south","hole":4}
relay|{"rules":{"relay":1},"board":$board,"mover":"south","hole":4}
relay|{"rules":{"relay":"true"},"board":$board,"mover":"south","hole":4}
holes|{"rules":{"holes":"6"},"board":$board,"mover":"south","hole":4}
holes|{"rules":{"holes":6.0},"board":$board,"mover":"south","hole":4}
holes|{"rules":{"holes":33},"board":$board,"mover":"south","hole":4}
holes|{"rules":{"holes":0},"board":[],"mover":"south","hole":0}
casa|{"rules":{"casa":1},"board":$board,"mover":"south","hole":4}
repetition|{"rules":{"repetition":1},"board":$board,"mover":"south","hole":4}
en_passant.*sower|{"rules":{"en_passant":"nobody"},"board":$board,"mover":"south","hole":4}
en_passant|{"rules":{"en_passant":true},"board":$board,"mover":"south","hole":4}
rules|{"rules":[],"board":$board,"mover":"south","hole":4}
rules|{"rules":"hoyito-ii","board":$board,"mover":"south","hole":4}
chain_capture.*final_capture|{"rules":{"final_capture":false},"board":$board,"mover":"south","hole":4}
captur|{"rules":{"final_capture":false,"chain_capture":false},"board":$board,"mover":"south","hole":4}
claim|{"rules":{"holes":1,"seeds":2},"board":[2,2],"mover":"south","hole":0}
duplicate|{"rules":{},"rules":{},"board":$board,"mover":"south","hole":4}
duplicate|{"rules":{"casa":4,"casa":3},"board":$board,"mover":"south","hole":4}
duplicate|{"rules":{},"board":$board,"mover":"south","hole":4,"hole":5}
preset.*did you mean 'hoyito-i'|{"rules":{"preset":"hoyito-iv"},"board":$board,"mover":"south","hole":4}
preset|{"rules":{"preset":6},"board":$board,"mover":"south","hole":4}
max_laps|{"rules":{},"board":$board,"mover":"south","hole":4,"max_laps":0}
max_laps|{"rules":{},"board":$board,"mover":"south","hole":4,"max_laps":"5"}
'max_lap'.*did you mean 'max_laps'|{"rules":{},"board":$board,"mover":"south","hole":4,"max_lap":5}
'scores'.*did you mean 'score'|{"rules":{},"board":$board,"mover":"south","hole":4,"scores":[0,0]}
EOF
faulty_rows ply "$good_ply"

cat >cases <<EOF
JSON|nonsense
object|[0,1]
holes|{"rules":{}}
holes|{"rules":{},"holes":4}
holes|{"rules":{},"holes":"4"}
holes|{"rules":{},"holes":[4.0]}
holes|{"rules":{},"holes":["4"]}
holes|{"rules":{},"holes":[-1]}
holes|{"rules":{},"holes":[12]}
holes|{"rules":{"holes":2},"holes":[0,4]}
ply 1: hole 6|{"rules":{},"holes":[6]}
ply 2: hole 1|{"rules":{},"holes":[1,1]}
ply 2: hole 2|{"rules":{},"holes":[4,2]}
over|{"rules":{"holes":1,"seeds":1,"claim":0,"casa":2},"holes":[0,0]}
max_plies|{"rules":{},"holes":[0],"max_plies":0}
max_plies|{"rules":{},"holes":[],"max_plies":0}
max_plies|{"rules":{},"holes":[0],"max_plies":-1}
max_plies|{"rules":{},"holes":[0],"max_plies":1.5}
max_plies|{"rules":{},"holes":[0],"max_plies":null}
max_plies|{"rules":{},"holes":[0],"max_plies":4294967296}
max_plies|{"rules":{},"holes":[1,10,7],"max_plies":2}
max_laps|{"rules":{},"holes":[0],"max_laps":0}
chain_captur.*did you mean 'chain_capture'|{"rules":{"chain_captur":true},"holes":[0]}
chain_capture.*final_capture|{"rules":{"final_capture":false},"holes":[0]}
duplicate|{"rules":{},"holes":[0],"holes":[1]}
'max_plys'.*did you mean 'max_plies'|{"rules":{},"holes":[0],"max_plys":5}
'maxlaps'.*did you mean 'max_laps'|{"rules":{},"holes":[0],"maxlaps":5}
EOF
faulty_rows replay "$good_game"

# Holes behind the end of a golden game, and all but its last hole.
jq -c 'select(.termination == "claimed") | .holes += [0]' "$golden/games.jsonl" | sed -n 1,20p >rows
expect_exit 1 hoyito replay <rows
expect_equal 20 "$(jq -r .error "$out" | grep -c 'over.*claimed')" "games with a hole too many refused"
jq -c 'select(.termination == "claimed") | .holes |= .[:-1]' "$golden/games.jsonl" | sed -n 1,20p >rows
expect_exit 0 hoyito replay <rows
expect_equal 20 "$(jq -c 'select(.termination == null and .result == null and .plies == (.holes | length))' \
  "$out" | wc -l)" "games with a hole too few go on"
jq -c '.holes |= .[:-1] | .max_plies = (.holes | length)' rows >shortened
expect_exit 0 hoyito replay <shortened
expect_equal 20 "$(jq -r 'select(.result == "none") | .termination' "$out" | grep -c '^truncated$')" \
  "games cut at max_plies"

# Nothing in, nothing out.
for command in ply replay; do
  expect_exit 0 hoyito "$command" </dev/null
  expect_empty "$out"
  expect_empty "$err"
  printf '\n   \n\t\r\n' >blank
  expect_exit 0 hoyito "$command" <blank
  expect_empty "$out"
done

printf '%s\n' "$good_ply" | hoyito ply >answer
sed 'p;p' answer >three

# A hole whose sowing never ends is no legal move where that is forbidden.
endless='"board":[13,0,4,1,2,1,0,10,1,0,7,1],"mover":"south","hole":0'
printf '{"rules":{},%s}\n{"rules":{"endless":"forbid"},%s}\n' "$endless" "$endless" >rows
expect_exit 1 hoyito ply <rows
sed -n 1p "$out" >got
expect_json '.after.ending == "endless" and .after.termination == "endless"' got "an endless sowing"
sed -n 2p "$out" >got
expect_json '.line == 2 and (.error | contains("never ends"))' got "endless: forbid"

# Blank lines count.
printf '\n%s\n\n  \nbroken\n%s\n' "$good_ply" "$good_ply" >rows
expect_exit 1 hoyito ply <rows
sed -n 2p "$out" >got
expect_json '.line == 5' got "blank lines count as lines"
sed -n '1p;3p' "$out" >got
sed p answer >want
expect_same_file want got "rows between blank lines"

# CRLF, and a last line without a newline.
printf '%s\r\n%s\r\n%s' "$good_ply" "$good_ply" "$good_ply" >rows
expect_exit 0 hoyito ply <rows
expect_same_file three "$out" "CRLF lines"
printf '%s\r\nx\r\n%s\r' "$good_ply" "$good_ply" >rows
expect_exit 1 hoyito ply <rows
sed -n 2p "$out" >got
expect_json '.line == 2' got "the line number with CRLF"
printf '%s\nbroken' "$good_ply" >rows
expect_exit 1 hoyito ply <rows
tail -n 1 "$out" >got
expect_json '.line == 2' got "a faulty last line without newline"

# Very long lines: blanks, a long array, a long name, deep nesting.
blanks() { head -c "$1" /dev/zero | tr '\0' "$2"; }
{ blanks 3000000 ' '; printf '%s\n' "$good_ply"; blanks 3000000 ' '; printf '\n%s\n' "$good_ply"; } >rows
expect_exit 0 hoyito ply <rows
sed p answer >want
expect_same_file want "$out" "rows on and behind lines of 3 MB"
{
  printf '{"rules":{},"holes":[0'
  blanks 500000 x | sed 's/x/,0/g'
  printf ']}\n{"rules":{"'
  blanks 1000000 x
  printf '":1},"holes":[0]}\n'
  blanks 1000000 '['
  printf '\n%s\n' "$good_game"
} >rows
expect_exit 1 hoyito replay <rows
expect_equal '1 2 3 ' "$(jq -r '.line // empty' "$out" | tr '\n' ' ')" "lines of faults of 1 MB"
expect_true "messages about long lines are short" test "$(head -n 3 "$out" | wc -c)" -lt 1500
expect_equal 3 "$(tail -n 1 "$out" | jq .plies)" "the game behind long lines"

# Bytes that are no UTF-8, and NUL: the answer is valid JSON in UTF-8.
{
  printf '{"rules":{"\xff\xfe":4},"board":%s,"mover":"south","hole":4}\n' "$board"
  printf '\xff\xfe\n\x80{}\n\xc3\n'
  printf '{"rules":{"caf\xc3\xa9":4},"board":%s,"mover":"south","hole":4}\n' "$board"
  printf 'a\0b\n\0\n{"\\u0000":1}\n'
  printf '%s\n' "$good_ply"
} >rows
expect_exit 1 hoyito ply <rows
expect_equal '1 2 3 4 5 6 7 8 ' "$(jq -r '.line // empty' "$out" | tr '\n' ' ')" "lines of faulty bytes"
jq -c . "$out" >got # replaces what is no UTF-8
expect_same_file "$out" got "the output is JSON in UTF-8"
sed -n 5p "$out" >got
expect_match $'caf\xc3\xa9' got "a name in UTF-8"
tail -n 1 "$out" >got
expect_same_file answer got "the row behind faulty bytes"

# What is not asked for goes through unchanged.
printf '%s\n' "$good_ply" | jq -c '. + {id: "a/1", note: {x: [1, 2.5, null]}}' >rows
expect_exit 0 hoyito ply <rows
jq -c 'del(.after)' "$out" >got
expect_same_file rows got "other keys of a row"

# Presets in rows.
printf '{"rules":{"preset":"ba-awa","holes":5},"holes":[0]}\n{"rules":{"chain_capture":false,"en_passant":"owner","extra_turn":false,"claim":8,"claim_by":"starter","holes":5},"holes":[0]}\n' >rows
expect_exit 0 hoyito replay <rows
expect_equal 1 "$(jq -c 'del(.rules)' "$out" | sort -u | wc -l)" "answers by preset and by its fields"

# Answers come at once in order, whatever the number of rows.
for ((i = 0; i < 5; i++)); do cat "$golden/plies.jsonl"; done | jq -c 'del(.after) + {n: input_line_number}' >rows
expect_exit 0 hoyito ply <rows
jq -c .n rows >want
jq -c .n "$out" >got
expect_same_file want got "the order of rows"
