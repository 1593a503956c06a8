# hoyito run: plans, runs, goes on, and gives the same results however it is done.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# write_experiment RECORD: two variants, two pairs of policies, one of them with seats swapped.
write_experiment() {
  cat >study.yaml <<EOF
experiment: study
question: Does it work?
seed: 20261129
games: 150
max_plies: 300
record: $1
rules:
  preset: hoyito-ii
  holes: [3, 6]
policies:
  - {south: random, north: random}
  - {south: greedy, north: {epsilon: {rate: 0.25, policy: greedy}}, swap: true}
opening: {random_plies: 2}
EOF
}
num_games=900 # 2 variants x (1 + 2 seatings) x 150

# A plan touches nothing, whether the database is there or not.
write_experiment games
snapshot >"$scratch/before"
expect_exit 0 hoyito run study.yaml --dry-run
expect_empty "$err" "dry run"
expect_equal 4 "$(grep -c '^condition ' "$out")" "conditions of the plan"
expect_match "4 conditions, $num_games games, of which $num_games would be played" "$out"
expect_match "'study.db'" "$out"
max_plies=$(sed -n 's/^max_plies: //p' study.yaml)
expect_match "^a game that is not over after ${max_plies:-100000} plies is truncated\$" "$out"
expect_exit 0 hoyito run study.yaml --dry-run --json --games 7 -o elsewhere.db
expect_json ".max_plies == ${max_plies:-100000}" "$out"
expect_json '.games == 42 and .games_to_play == 42 and .seed == "20261129"' "$out"
expect_json '.database == "elsewhere.db" and .experiment == "study"' "$out"
expect_json '[.conditions[].condition] == [1, 2, 3, 4]' "$out"
expect_json '[.conditions[].games] == [7, 14, 7, 14]' "$out"
expect_json '([.conditions[].canonical] | unique | length) == 4' "$out"
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files of a dry run"

# Lists of two, three and two values: twelve distinct conditions.
cat >grid.yaml <<'EOF'
experiment: grid
seed: 1
games: 1
rules: {holes: [4, 5], seeds: [3, 4, 5], relay: [true, false]}
policies: [{south: random, north: random}]
EOF
expect_exit 0 hoyito run grid.yaml --dry-run --json
expect_json '([.conditions[].canonical] | unique | length) == 12' "$out"

# A run under the default name; the report as text.
expect_exit 0 hoyito run study.yaml -j 2
expect_equal 'grid.yaml study.db study.yaml ' "$(printf '%s ' *)" "files after a run"
expect_match '^study: Does it work\?$' "$out"
expect_match "seed 20261129; $num_games of $num_games games" "$out"
expect_equal 6 "$(grep -c '^condition ' "$out")" "conditions and seatings of the report"
for line in 'south wins' 'north wins' draws 'no result' 'first-player score' 'ended by' 'mean length' \
  'length, quantiles' captures chains; do
  expect_equal 6 "$(grep -c "^  $line  " "$out")" "lines '$line' of the report"
done
expect_match "seed 20261129; $num_games games to play, 2 threads" "$err"
expect_match '^next: hoyito report study\.db$' "$err"
cp "$out" report.txt
expect_exit 0 hoyito report study.db
expect_same_file report.txt "$out" "the report of the run and that of the database"
expect_empty "$err"
expect_equal ok "$(query study.db 'PRAGMA integrity_check')" "integrity"

# The report as JSON: parts add up.
expect_exit 0 hoyito report study.db --json
cp "$out" report.json
expect_json '.seed == "20261129" and .experiment == "study"' report.json
expect_json ".games == $num_games and .games_asked_for == $num_games" report.json
expect_json '(.conditions | length) == 6 and ([.conditions[].games] | add) == .games' report.json
expect_json '[.conditions[] | .condition * 10 + (if .swapped then 1 else 0 end)] == [10, 20, 21, 30, 40, 41]' \
  report.json
expect_json '[.conditions[] | .games == ([.terminations[]] | add)] | all' report.json "terminations"
expect_json '[.conditions[] | .games == ([.results[].games] | add)] | all' report.json "results"
expect_json '[.conditions[] | ([.results[].estimate] | add) - 1 | fabs < 1e-12] | all' report.json "shares"
expect_json '[.conditions[].results[] | 0 <= .low and .low <= .estimate and .estimate <= .high and .high <= 1] | all' \
  report.json "limits"
expect_json '[.conditions[].results[] | .of] | unique == [150]' report.json "denominators"
expect_json '[.. | numbers | isinfinite or isnan] | any | not' report.json "finite numbers"
expect_json '[.conditions[1, 2] | [.south_policy, .north_policy] | sort] | unique | length == 1' report.json \
  "policies of both seatings"
expect_json '.conditions[1].south_policy == "greedy" and .conditions[2].north_policy == "greedy"' report.json

# The report and the rows say the same.
expect_equal "$(query study.db "SELECT condition_id, swapped, count(*), sum(result = 'south'), sum(plies)
    FROM game GROUP BY 1, 2 ORDER BY 1, 2")" \
  "$(jq -r '.conditions[] | "\(.condition)|\(if .swapped then 1 else 0 end)|\(.games)|\(.results.south.games)"' \
    report.json |
    while IFS= read -r row; do
      IFS='|' read -r condition swapped _ <<<"$row"
      echo "$row|$(query study.db "SELECT sum(plies) FROM game
        WHERE condition_id = $condition AND swapped = $swapped")"
    done)" "tallies of rows and report"

# Again: nothing to play, nothing changed, the same report.
snapshot >"$scratch/before"
expect_exit 0 hoyito run study.yaml
expect_match "^nothing to play: all $num_games games are there" "$err"
expect_same_file report.txt "$out" "the report of a run without games"
expect_exit 0 hoyito run study.yaml -j 1 --json
expect_same_file report.json "$out" "its JSON"
expect_exit 0 hoyito run study.yaml --dry-run
expect_match "of which 0 would be played" "$out"
expect_exit 0 hoyito run study.yaml --games 10
expect_same_file report.txt "$out" "fewer games asked for than there are"
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files after a run without games"

# What decides the results may not change; what does not, may.
snapshot >"$scratch/before"
for change in 's/^seed: .*/seed: 20261130/' 's/holes: \[3, 6\]/holes: [3, 5]/' 's/holes: \[3, 6\]/holes: [6, 3]/' \
  's/max_plies: 300/max_plies: 301/' 's/random_plies: 2/random_plies: 1/' 's/rate: 0.25/rate: 0.5/' \
  's/record: games/record: moves/' 's/, swap: true//' 's/north: random/north: greedy/'; do
  sed "$change" study.yaml >other.yaml
  expect_true "changes something: $change" eval '! cmp -s study.yaml other.yaml'
  expect_exit 3 hoyito run other.yaml -o study.db
  expect_match "'study.db'" "$err"
  expect_exit 3 hoyito run other.yaml -o study.db --dry-run
  rm other.yaml
done
expect_exit 3 hoyito run study.yaml --seed 20261128
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files after refused runs"
sed 's/^question: .*/question: Another one?/' study.yaml >other.yaml
expect_exit 0 hoyito run other.yaml -o study.db
expect_match 'nothing to play' "$err"

# One digest for any threads, shards and steps, at each level of record; and another for another level.
: >digests
for record in games summary moves; do
  enter "$record"
  write_experiment "$record"
  expect_exit 0 hoyito run study.yaml -j 1 -o one.db
  expect_match '1 thread$' "$err"
  expect_exit 0 hoyito run study.yaml -j 2 -o two.db
  expect_exit 0 hoyito run study.yaml -j 7 -o seven.db
  expect_match '7 threads$' "$err"
  for shard in 1 2 3; do
    expect_exit 0 hoyito run study.yaml --shard "$shard/3" -o "$shard.db"
    expect_match "of $num_games games" "$out"
  done
  digest one.db >want
  expect_match '^[0-9a-f]{64}$' want
  expect_exit 0 hoyito digest one.db --json
  expect_json ".digest == \"$(cat want)\"" "$out"
  for name in two seven; do
    digest "$name.db" >got
    expect_same_file want got "$record: digest of $name threads"
  done
  expect_exit 0 hoyito merge merged.db 3.db 1.db 2.db --json
  expect_json ".games == $num_games and .games_asked_for == $num_games" "$out" "$record"
  digest merged.db >got
  expect_same_file want got "$record: digest of merged shards"
  expect_exit 0 hoyito report one.db
  cp "$out" report.one
  expect_exit 0 hoyito report merged.db
  expect_same_file report.one "$out" "$record: report of merged shards"
  for shard in 1 2 3; do
    digest "$shard.db" >got
    expect_true "$record: a shard has its own digest" eval '! cmp -s want got'
  done
  if [[ $record != summary ]]; then
    expect_equal "$num_games" "$((\
      $(query 1.db 'SELECT count(*) FROM game') + $(query 2.db 'SELECT count(*) FROM game') + \
      $(query 3.db 'SELECT count(*) FROM game')))" "$record: games of the shards"
    expect_equal 1 "$(query one.db "SELECT count(DISTINCT move_hash) >= 0.9 * count(*) FROM game
      WHERE condition_id = 3")" "$record: distinct games of 2x6 random play"
  fi
  # The same again is once, and shards go on in one file.
  expect_exit 0 hoyito merge merged.db 1.db one.db
  digest merged.db >got
  expect_same_file want got "$record: digest after merging twice"
  expect_exit 0 hoyito run study.yaml --shard 2/3 -o steps.db
  expect_exit 0 hoyito run study.yaml -o steps.db
  digest steps.db >got
  expect_same_file want got "$record: digest of a shard and the rest"
  # More games asked for: it goes on, to the same as at once.
  expect_exit 0 hoyito run study.yaml --games 40 -o grown.db -j 2
  digest grown.db >got
  expect_true "$record: fewer games have another digest" eval '! cmp -s want got'
  expect_exit 0 hoyito run study.yaml -o grown.db --dry-run --json
  expect_json ".games == $num_games and .games_to_play == $num_games - 240" "$out" "$record"
  expect_exit 0 hoyito run study.yaml -o grown.db -j 2
  expect_match "$((num_games - 240)) games to play" "$err"
  digest grown.db >got
  expect_same_file want got "$record: digest after --games was raised"
  expect_exit 0 hoyito verify merged.db
  expect_match "^$num_games games replayed; all agree$" "$out"
  # Another seed is another result.
  expect_exit 0 hoyito run study.yaml --seed 1 -o other.db
  digest other.db >got
  expect_true "$record: another seed, another digest" eval '! cmp -s want got'
  expect_equal '' "$(find . -type f -not -name '*.db' -not -name '*.yaml' -not -name want -not -name got \
    -not -name 'report*')" \
    "$record: other files left behind"
  cat want >>"$scratch/folders/digests"
done
cd -- "$scratch/folders/start"
expect_equal 3 "$(sort -u "$scratch/folders/digests" | wc -l)" "digests of the levels"

# Reports of rows and of sums are the same but for the name of the level.
expect_same_file ../games/report.one ../summary/report.one "reports of rows and of sums"
expect_same_file ../games/report.one ../moves/report.one "reports with and without moves"

# Seeds of 64 bits go through whole, as text.
cat >small.yaml <<'EOF'
experiment: small
seed: 5
games: 20
rules: {holes: 3}
policies: [{south: random, north: random}]
EOF
for seed in 0 1 4294967297 9007199254740993 9007199254740992 9223372036854775808 18446744073709551615; do
  expect_exit 0 hoyito run small.yaml --seed "$seed" -o "seed-$seed.db" --json
  expect_json ".seed == \"$seed\"" "$out"
  expect_match "seed $seed;" "$err"
  expect_equal "$seed text" "$(query "seed-$seed.db" "SELECT seed || ' ' || typeof(seed) FROM experiment")" \
    "the stored seed"
  query "seed-$seed.db" 'SELECT group_concat(move_hash) FROM (SELECT move_hash FROM game ORDER BY number)' \
    >>hashes
  sed "s/^seed: .*/seed: $seed/" small.yaml >from_file.yaml
  expect_exit 0 hoyito run from_file.yaml -o "seed-$seed.db"
  expect_match 'nothing to play' "$err" "the same seed in the file"
done
expect_equal 7 "$(sort -u hashes | wc -l)" "seeds that give different games"
rm -- seed-*.db

# seed: auto is drawn, printed and stored; the file is taken up with it.
sed 's/^seed: .*/seed: auto/' small.yaml >auto.yaml
expect_exit 0 hoyito run auto.yaml --dry-run --json
expect_json '.seed == "auto"' "$out"
for name in a b; do
  expect_exit 0 hoyito run auto.yaml -o "$name.db" --json
  jq -r .seed "$out" >"$name.seed"
  expect_match '^(0|[1-9][0-9]*)$' "$name.seed"
  expect_match "^seed $(cat "$name.seed");" "$err"
  expect_equal "$(cat "$name.seed")" "$(query "$name.db" 'SELECT seed FROM experiment')" "the stored seed"
done
expect_true "two draws differ" eval '! cmp -s a.seed b.seed'
expect_exit 0 hoyito run auto.yaml -o a.db --games 30
expect_match "^seed $(cat a.seed); 10 games to play" "$err"
expect_exit 0 hoyito run auto.yaml -o c.db --seed "$(cat a.seed)" --games 30
expect_equal "$(digest a.db)" "$(digest c.db)" "digest of a drawn seed, given"
rm -- ?.db

# Wrong options: exit 2, the message names the option, nothing is made.
snapshot >"$scratch/before"
while read -r name option; do
  expect_exit 2 hoyito run small.yaml ${option:+"$option"}
  expect_empty "$out" "$option"
  expect_match "$name" "$err" "$option"
done <<'EOF'
-j -j0
-j -j-1
-j -j1e1
-j -j01
-j -j+1
-j -jx
-j -j1025
-j -j2.0
-j --threads=
--games --games=0
--games --games=-1
--games --games=1e3
--games --games=010
--games --games=1.0
--games --games=
--games --games=all
--games --games=1000000000001
--games --games=18446744073709551617
--seed --seed=18446744073709551616
--seed --seed=-1
--seed --seed=1e3
--seed --seed=
--seed --seed=0x10
--seed --seed=007
--seed --seed=1_000
--shard --shard=0/3
--shard --shard=4/3
--shard --shard=1
--shard --shard=1/
--shard --shard=/3
--shard --shard=1/0
--shard --shard=1/2/3
--shard --shard=-1/2
--shard --shard=01/2
--shard --shard=1:2
--shard --shard=
--shard --shard=1/1000001
--output --output
--bogus --bogus
'x' -x
--json --json=yes
--dry-run --dry-run=no
EOF
expect_exit 2 hoyito run small.yaml --seed ' 1'
expect_exit 2 hoyito run small.yaml --games '1 '
expect_exit 2 hoyito run small.yaml -j $'2\n'
expect_exit 2 hoyito run small.yaml small.yaml
expect_match 'small.yaml' "$err"
expect_exit 2 hoyito run
expect_exit 2 hoyito run --json
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files after wrong options"

# Where the database cannot be: exit 5, nothing made.
for path in missing/x.db small.yaml/x.db '' .; do
  expect_exit 5 hoyito run small.yaml -o "$path"
  expect_match "'${path//./\\.}'" "$err" "-o '$path'"
  expect_empty "$out"
done
expect_exit 5 hoyito run small.yaml -o /dev/null
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files where no database can be"

# Read-only places; root may write everywhere.
if [[ $(id -u) -ne 0 ]]; then
  mkdir locked
  hoyito run small.yaml -o locked/there.db >/dev/null 2>&1
  cp small.yaml locked/
  chmod a-w locked
  expect_exit 5 hoyito run small.yaml -o locked/new.db
  expect_exit 0 hoyito report locked/there.db
  expect_exit 0 hoyito digest locked/there.db
  expect_exit 0 hoyito verify locked/there.db
  expect_exit 5 hoyito run small.yaml -o locked/there.db --games 50
  expect_equal 2 "$(find locked -type f | wc -l)" "files in a read-only folder"
  chmod u+w locked
  chmod a-w locked/there.db
  expect_exit 5 hoyito run small.yaml -o locked/there.db --games 50
  expect_exit 0 hoyito report locked/there.db
  chmod a-r locked/there.db
  expect_exit 5 hoyito report locked/there.db
else
  echo "read-only places are not checked: root may write everywhere"
fi

# Odd names of files.
mkdir -- 'a folder'
expect_exit 0 hoyito run small.yaml -o "a folder/ü '%s' ?#.db"
expect_exit 0 hoyito report "a folder/ü '%s' ?#.db"
expect_equal 1 "$(find 'a folder' -type f | wc -l)" "files of an odd name"
expect_exit 0 hoyito run small.yaml -o file:x.db?mode=memory
expect_true "a name that looks like a URI is a name" test -f 'file:x.db?mode=memory'
expect_exit 0 hoyito run small.yaml -o :memory:
expect_exit 0 hoyito report :memory:
expect_exit 0 hoyito run -o ./-dash.db -- small.yaml
expect_exit 0 hoyito digest -- -dash.db
