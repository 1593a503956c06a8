# Files from strangers: databases that are data and never code, texts that no terminal, page or other program takes
# for commands, and sizes that are refused before they are taken.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

cat >study.yaml <<'EOF'
experiment: study
question: "Is it?"
seed: 7
games: 6
max_plies: 100
record: games
rules: {holes: [2, 3], seeds: 2}
policies:
  - {south: random, north: greedy}
EOF
expect_exit 0 hoyito run study.yaml -o good.db -j 1
sed 's/record: games/record: summary/' study.yaml >sums.yaml
expect_exit 0 hoyito run sums.yaml -o sums.db -j 1

# refused STATUS WORDS: no command takes bad.db, and none changes it.
refused() {
  local before
  before=$(sha256sum bad.db)
  for command in 'report bad.db' 'report bad.db --json' 'report bad.db --html page.html' 'digest bad.db' \
    'verify bad.db' 'compare bad.db --metric plies --by holes' 'effects bad.db --metric plies' \
    'plan bad.db --half-width 0.1' 'ladder bad.db' 'quality bad.db' 'replay bad.db --condition 1 --game 0' \
    'merge out.db bad.db' 'merge bad.db good.db' 'run study.yaml -o bad.db' 'run study.yaml -o bad.db --dry-run'; do
    # shellcheck disable=SC2086
    expect_exit "$1" hoyito $command
    expect_match "$2" "$err" "$command"
  done
  expect_equal "$before" "$(sha256sum bad.db)" "the refused file"
  expect_equal '' "$(find . -name 'bad.db-*' -o -name 'out.db*' -o -name page.html)" "files of refused commands"
}

# What this program did not make, by its name; what it made, changed or missing.
spoil() {
  cp good.db bad.db
  query bad.db "$1"
}
spoil 'CREATE VIEW mine AS SELECT * FROM game'
refused 3 "'bad\.db' holds the view 'mine', which this program did not make: drop it"
spoil 'CREATE TRIGGER mine AFTER INSERT ON game BEGIN DELETE FROM game; END'
refused 3 "'bad\.db' holds the trigger 'mine'"
spoil 'CREATE TABLE mine (a)'
refused 3 "'bad\.db' holds the table 'mine'"
spoil 'CREATE INDEX mine ON game (plies)'
refused 3 "'bad\.db' holds the index 'mine'"
spoil 'CREATE VIRTUAL TABLE mine USING fts5 (a)'
refused 3 "'bad\.db' holds the table 'mine'"
spoil 'DROP VIEW v_pair'
refused 3 "'bad\.db' lacks the view 'v_pair'"
spoil 'DROP VIEW v_chain; CREATE VIEW v_chain AS SELECT randomblob(1000000000)'
refused 3 "the view 'v_chain' in 'bad\.db' is not the one that this program makes"
spoil "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'experiment'"
refused 3 "the table 'experiment' in 'bad\.db' is not the one"
spoil "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE experiment (' || printf('%.*c', 200000, 'a') || ' INT)'
  WHERE name = 'experiment'"
refused 5 "cannot read in 'bad\.db'"

# A trigger that came in behind the check does nothing; what ANALYZE leaves behind is no stranger's.
cp good.db analysed.db
query analysed.db 'ANALYZE'
expect_exit 0 hoyito report analysed.db
expect_exit 0 hoyito run study.yaml -o analysed.db
expect_equal "$(digest good.db)" "$(digest analysed.db)" "digest after ANALYZE"

# A cache as large as the file wishes, a page with unwanted cells.
cp good.db cache.db
query cache.db 'PRAGMA default_cache_size = 1000000000'
expect_exit 0 hoyito report cache.db

# Texts: what moves a terminal's cursor is refused, in databases and in files; a page shows text as text.
spoil "UPDATE experiment SET question = char(27) || '[2J'"
refused 3 "damaged: the experiment's name or question"
spoil "UPDATE experiment SET name = '../../etc/passwd'"
refused 3 "damaged: the experiment's name or question"
spoil "UPDATE experiment SET question = printf('%.*c', 5000000, 'a')"
refused 3 "damaged: the experiment's name or question"
spoil "UPDATE experiment SET rules_version = char(27) || '[2J'"
refused 3 "was made with '\?\[2J'"
printf '\xef\xbb\xbf' | cat - study.yaml >marked.yaml # a mark of UTF-8 is no part of the text
expect_exit 0 hoyito run marked.yaml -o good.db
sed 's/question: .*/question: "\\e[2J"/' study.yaml >bad.yaml
expect_exit 2 hoyito run bad.yaml -o new.db
expect_match "bad\.yaml:2:11: 'question' cannot be .*; allowed: a text without control characters" "$err"
expect_no_match $'\e' "$err"
sed "s|question: .*|question: \"</title><script>alert(1)</script> \`touch owned\`; \$(touch owned)'; system 'touch owned'\"|" study.yaml >odd.yaml
expect_exit 0 hoyito run odd.yaml -o odd.db -j 1
expect_exit 0 hoyito report odd.db --html odd.html
expect_no_match '<script' odd.html
expect_match '&lt;script&gt;alert\(1\)' odd.html
expect_true "no command of a text was run" test ! -e owned

# gnuplot is told numbers only: nothing of the file's words is in its script, and no shell starts it.
mkdir bin
cat >bin/gnuplot <<'EOF'
#!/bin/sh
exec tee -a "${0%/*}/script"
EOF
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH expect_exit 0 hoyito report odd.db --html drawn.html
expect_match '^set terminal svg' bin/script
expect_no_match 'alert|touch|owned|random|greedy|study|system|`' bin/script "gnuplot's script"

# Values that no run writes.
#
# damaged DB SQL WORDS [COMMAND...]: refused by the command, `report` unless another one is given.
damaged() {
  local sql=$2 words=$3
  cp "$1" bad.db
  shift 3
  query bad.db "PRAGMA ignore_check_constraints = ON; $sql"
  expect_exit 3 hoyito "${@:-report}" bad.db
  expect_match "$words" "$err" "$sql"
}
for column in south_score plies turns laps captures longest_chain legal_holes claimed; do
  damaged good.db "UPDATE game SET $column = -1 WHERE number = 0" 'damaged: the row of game 0'
done
damaged good.db "UPDATE game SET plies = 4294967295 WHERE number = 0" 'damaged: the row of game 0'
damaged good.db "UPDATE game SET longest_chain = 100000 WHERE number = 0" 'damaged: the row of game 0'
damaged good.db "UPDATE game SET move_hash = 'zz' WHERE number = 0" 'damaged: the row of game 0'
damaged good.db "UPDATE game SET number = -1 WHERE number = 0" 'damaged: the row of game'
damaged good.db "UPDATE experiment SET games = 9223372036854775807" "damaged: the experiment's record or games"
damaged good.db "UPDATE condition SET first_policy = 'alphabeta:depth=99'" "damaged: a condition"
damaged sums.db "UPDATE block SET lengths = '{\"stuck\":[[1,9223372036854775807]]}'" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET lengths = '$(printf '[%.0s' {1..5000})'" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET results = json_set(results, '$.south', 1000)" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET sums = json_set(sums, '$.plies', 9223372036854775807)" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET chains = '[[1,9223372036854775807]]'" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET longest_chain = 1000000" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET sketch = zeroblob(1000000)" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET played = zeroblob(8)" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET block = -5" 'damaged: block -5 of condition 1'
damaged sums.db "UPDATE block SET sketch = zeroblob(8), sketch_full = 2" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET chains = '[[1]]'" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET chains = '[[1,true]]'" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET chains = '{}'" 'damaged: block 0 of condition 1'
damaged sums.db "UPDATE block SET lengths = '[]'" 'damaged: block 0 of condition 1'
for column in results terminations sums products; do
  damaged sums.db "UPDATE block SET $column = '{}'" 'damaged: block 0 of condition 1'
done
damaged good.db "DELETE FROM experiment" 'holds no experiment'
damaged good.db "UPDATE experiment SET seed = '-1'" 'damaged: the seed'
damaged good.db "UPDATE condition SET swap = 2" 'damaged: a number of a condition is out of range'
damaged good.db "UPDATE condition SET opening_plies = -1" 'damaged: a number of a condition is out of range'
damaged good.db "UPDATE condition SET max_plies = 0" 'damaged: a number of a condition is out of range'
damaged good.db "UPDATE condition SET max_laps = 0" 'damaged: a number of a condition is out of range'
damaged good.db "UPDATE condition SET canonical = 'x' || id" 'damaged: a condition'
damaged good.db "UPDATE condition SET hash = 'x' || id" 'damaged: a condition'
damaged good.db "UPDATE game SET termination = 'goes_on' WHERE number = 0" 'damaged: the row of game 0'
damaged good.db "UPDATE game SET result = 'nobody' WHERE number = 0" 'damaged: the row of game 0'

# Stop rules, and what they have looked at.
sed 's/^games: .*/games: 400/; s/^rules: .*/rules: {holes: [3, 4], seeds: 3}/' study.yaml >larger.yaml
for record in games summary; do
  {
    sed "s/^record: .*/record: $record/" larger.yaml
    echo 'stop: {metric: captures, half_width: 0.1, every: 50}'
  } >"rule_$record.yaml"
  expect_exit 0 hoyito run "rule_$record.yaml" -o "rule_$record.db" -j 1
done
{
  sed 's/north: greedy/north: greedy, swap: true/' larger.yaml
  echo 'stop: {sprt: {elo0: 0, elo1: 50}, every: 50}'
} >sprt.yaml
expect_exit 0 hoyito run sprt.yaml -o sprt.db -j 1
for rule in '' '[]' '{' '{"half_width":0.2}' '{"sprt":{}}' '{"sprt":1}'; do
  damaged sprt.db "UPDATE experiment SET stop = '$rule'" "damaged: the experiment's stop rule"
done
for change in '$.metric|"height"' '$.half_width|0.0' '$.confidence|1.0' '$.every|0' '$.every|-3' '$.more|1'; do
  damaged rule_games.db "UPDATE experiment SET stop = json_set(stop, '${change%|*}', json('${change#*|}'))" \
    "damaged: the experiment's stop rule"
done
for change in '$.sprt.model|"x"' '$.sprt.elo1|-100.0' '$.sprt.more|1'; do
  damaged sprt.db "UPDATE experiment SET stop = json_set(stop, '${change%|*}', json('${change#*|}'))" \
    "damaged: the experiment's stop rule"
done
for change in "reason = 'tired'" 'games = 0' 'games = 100000' 'looks = 0' 'counted = -1' 'left_out = -1'; do
  damaged sprt.db "UPDATE stop SET $change" 'damaged: what stopped condition 1 is no such row' verify
done
damaged sprt.db 'UPDATE stop SET looks = looks + 1 WHERE swapped = 1' 'damaged: what stopped condition 1 is no such row' verify
damaged sprt.db 'DELETE FROM stop WHERE swapped = 1' 'damaged: what stopped condition 1 is no such row' verify
damaged rule_games.db 'INSERT INTO stop SELECT condition_id, 1, reason, games, looks, counted, left_out, statistic, low, high,
  anytime FROM stop WHERE condition_id = 1' 'damaged: what stopped condition 1 is no such row' verify
damaged rule_summary.db 'UPDATE look SET x = -1' 'damaged: the sums at a look' verify
damaged rule_summary.db 'UPDATE look SET y = y + 1' 'does not replay: its sums differ' verify
damaged rule_summary.db 'INSERT INTO look SELECT condition_id, 1, games, n, x, y, xx, xy, yy, cut FROM look' \
  'rows of looks, of which' verify
damaged rule_games.db 'UPDATE game SET captures = -1; DELETE FROM stop' 'damaged: the sums at a look' run rule_games.yaml -o
damaged rule_summary.db 'DELETE FROM stop WHERE condition_id = 1; DELETE FROM look WHERE games = 50' \
  'damaged: condition 1 has other games than those below' run rule_summary.yaml -o

sed '/^policies/,$d' larger.yaml >robin.yaml
echo 'policies: {round_robin: [random, greedy]}' >>robin.yaml
expect_exit 0 hoyito run robin.yaml -o robin.db -j 1
damaged robin.db "UPDATE game SET move_hash = 'zz' WHERE number = 3" 'damaged: the row of game 3' ladder

# Lengths of games that agree with the sums all the same.
sed 's/^record: .*/record: summary/' larger.yaml >lengths.yaml
expect_exit 0 hoyito run lengths.yaml -o lengths.db -j 1
lengths=$(query lengths.db 'SELECT lengths FROM block WHERE condition_id = 1')
other=$(jq -c 'map_values(([.[][0]] | max) as $most | [.[] | select(.[1] == 1 and .[0] != $most)] as $single |
  if ($single | length) < 2 then . else map(if . == $single[0] then .[0] -= 1 elif . == $single[1] then .[0] += 1 else . end) end)' \
  <<<"$lengths")
expect_true "other lengths than $lengths" test "$other" != "$lengths"
damaged lengths.db "UPDATE block SET lengths = '$other' WHERE condition_id = 1" "lengths" verify

# A journal that names another one has SQLite remove the file of that name.
echo precious >victim.txt
for command in 'report bad.db' 'digest bad.db' 'verify bad.db' 'run study.yaml -o bad.db' 'merge bad.db sums.db' \
  'merge out.db bad.db' 'rerun bad.db --check'; do
  cp good.db bad.db
  {
    printf '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\x02\0\0\0\x10\0'
    head -c 484 /dev/zero
    printf '\0\x04\0\x01%s\0\0\0' "$PWD/victim.txt"
    printf %b "\\x$(printf %x "$(printf %s "$PWD/victim.txt" | wc -c)")"
    printf %s "$PWD/victim.txt" | od -An -v -tu1 -w1 | awk '{ s += $1 } END {
      printf "%c%c%c%c", 0, 0, int(s / 256), s % 256 }' | head -c 4
    printf '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7'
  } >bad.db-journal
  # shellcheck disable=SC2086
  expect_exit 3 hoyito $command
  expect_match "'bad\.db-journal' names another journal, which no hoyito makes" "$err" "$command"
  expect_same_file good.db bad.db "$command"
  expect_equal precious "$(cat victim.txt)" "$command"
done
rm -f bad.db-journal

# Heads of files: a number that only the journal has, a size of pages that there is not.
cp good.db bad.db
sqlite3 bad.db '.dbconfig no_ckpt_on_close on' 'PRAGMA journal_mode = WAL' 'PRAGMA application_id = 7' >/dev/null
expect_true "the journal is there" test -s bad.db-wal
expect_exit 3 hoyito report bad.db
expect_match "'bad\.db' is not a database of hoyito" "$err" "another number in the journal"
rm -f bad.db*
cp good.db bad.db
printf '\3\3' | dd of=bad.db bs=1 seek=16 conv=notrunc status=none
refused 3 "'bad\.db' is not a database of hoyito"

# What only a look at the whole file finds: a word where a number has to be, behind the back of STRICT.
schema=$(query good.db "SELECT sql FROM sqlite_schema WHERE name = 'game'")
cp good.db bad.db
query bad.db "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '') WHERE name = 'game'"
query bad.db "UPDATE game SET lead_changes = 'many' WHERE number = 1"
query bad.db "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '$schema' WHERE name = 'game'"
expect_exit 5 hoyito verify bad.db
expect_match "'bad\.db' is damaged: .*game\.lead_changes" "$err"

# A database may ask for more games than anybody plays; what is there is verified at once.
cp good.db bad.db
query bad.db "UPDATE experiment SET games = 100000000000"
expect_exit 0 timeout 100 "$program" verify bad.db -j 1
expect_match 'all agree' "$out"

# Memory that a file asks for is refused with its size, before it is taken.
sed 's/greedy/{alphabeta: {depth: 2, table: 65536}}/' study.yaml >large.yaml
expect_exit 2 hoyito run large.yaml -o new.db -j 64
expect_match 'the policies of condition 1 take 65536 MiB of memory for each of 64 threads, and this process can have [0-9]+ MiB' "$err"
sed 's/greedy/{mcts: {iterations: 100000000, memory: 65536}}/' study.yaml >large.yaml
expect_exit 2 hoyito run large.yaml -o new.db -j 128 --dry-run
expect_match 'the policies of condition 1 take [0-9]+ MiB of memory for each of 128 threads' "$err"
cat >grid.yaml <<'EOF'
experiment: grid
question: ""
seed: 1
games: 1000000000000
rules: {holes: [2,3,4,5,6,7,8,9,10,11,12], seeds: [6,7,8,9,10,11,12], casa: [3,4,5], claim: [0,1,2,3,4], relay: [true, false], skip_origin: [true, false]}
policies:
  - {south: random, north: random}
EOF
expect_exit 2 hoyito run grid.yaml -o new.db
expect_match '4620 conditions of 1000000000000 games take [0-9]+ MiB to keep the books of' "$err"
{
  sed '/^rules/,$d' study.yaml
  echo "rules: {holes: [$(seq -s, 1 32)], seeds: [$(seq -s, 1 32)], casa: [$(seq -s, 2 16)], claim: [$(seq -s, 0 32)], repetition: [$(seq -s, 2 31)]}"
  sed -n '/^policies/,$p' study.yaml
} >billion.yaml
expect_exit 2 timeout 20 "$program" run billion.yaml -o new.db
expect_match "the grid of 'rules' and 'policies' has [0-9]{8,} conditions; at most 100000 are allowed" "$err"
expect_exit 2 hoyito run study.yaml -o new.db -j 1000000
expect_match '\-j takes an integer from 1 to 1024' "$err"
expect_exit 2 hoyito prove hoyito-ii --memory 200000G
expect_match '\-\-memory takes [0-9]+ MiB of memory, and this process can have' "$err"
expect_exit 2 hoyito exact hoyito-ii --memory 200T
expect_match '\-\-memory takes [0-9]+ MiB of memory, and this process can have' "$err"
# The limit of a job's or a container's control group, where one can be made here.
for limit in memory/hoyito-$$/memory.limit_in_bytes hoyito-$$/memory.max; do
  group=/sys/fs/cgroup/${limit%/*}
  mkdir "$group" 2>/dev/null || continue
  if [ -w "/sys/fs/cgroup/$limit" ]; then
    echo 300M >"/sys/fs/cgroup/$limit"
    expect_exit 2 bash -c "echo \$\$ >$group/cgroup.procs && exec '$program' prove hoyito-ii --memory 2000"
    expect_match '\-\-memory takes 2000 MiB of memory, and this process can have 300 MiB' "$err"
  fi
  rmdir "$group"
done
expect_exit 2 hoyito solve hoyito-ii-2x12 --max-counters 40 -o tables
expect_match 'more positions than any memory holds|MiB' "$err"
expect_true "no folder of refused tables" test ! -e tables
expect_true "nothing was made" test ! -e new.db

# YAML: nesting, aliases, size. Their memory and time are bounded.
{ printf 'experiment: '; printf '[%.0s' {1..100000}; } >deep.yaml
expect_exit 2 timeout 20 "$program" run deep.yaml
expect_match 'nesting of more than 16 levels' "$err"
printf 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n' >bomb.yaml
expect_exit 2 hoyito rules ./bomb.yaml
expect_match "anchors .* are not supported" "$err"
yes 'name: x' | head -c 2000000 >long.yaml || true
expect_exit 2 hoyito rules ./long.yaml
expect_match 'larger than 1 MiB' "$err"
expect_exit 2 timeout 20 "$program" rules /dev/zero.yaml
ln -s /dev/zero endless.yaml
expect_exit 2 timeout 20 "$program" rules ./endless.yaml
expect_match 'larger than 1 MiB' "$err"

# JSON Lines: nesting, long lines; the rows behind them are answered.
{ printf '[%.0s' {1..100000}; echo; echo '{"rules":{"holes":1},"board":[4,4],"mover":"south","hole":0}'; } >rows
expect_exit 1 hoyito ply <rows
expect_match '"line": ?1' "$out"
expect_match '"after"' "$out"
head -c 40000000 /dev/zero | tr '\0' 'x' >rows
printf '\n{"rules":{"holes":1},"board":[4,4],"mover":"south","hole":0}\n' >>rows
expect_exit 1 hoyito ply <rows
expect_match 'longer than .* MiB.*"line": ?1' "$out"
expect_match '"after"' "$out"
