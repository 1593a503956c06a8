# hoyito rerun: a database, played again from itself alone.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"
export TMPDIR=$scratch/tmp
mkdir "$TMPDIR"

# write_experiment RECORD [STOP]
write_experiment() {
  cat >rules.yaml <<'EOF'
name: own
source: for this test
preset: hoyito-ii
chain_capture: false
EOF
  cat >study.yaml <<EOF
experiment: study
question: Does it repeat?
seed: auto
games: 60
max_plies: 400
record: $1
rules: {preset: ./rules.yaml, holes: [3, 4]}
policies:
  - {south: random, north: greedy, swap: true}
  - {south: random, north: {epsilon: {rate: 0.2, policy: greedy}}}
opening: {random_plies: 1}
${2:+stop: $2}
EOF
}

# rerun_equal DB WHAT: again.db is DB once more, --check says so too, and neither changes DB.
rerun_equal() {
  cp "$1" kept.db
  rm -f again.db
  expect_exit 0 hoyito rerun "$1" -o again.db -j 2
  expect_match '^equal$' "$out" "$2"
  expect_equal "$(digest "$1")" "$(digest again.db)" "$2: digest"
  for table in experiment condition game chain move block look stop; do
    sqlite3 "$1" "SELECT * FROM \"$table\" ORDER BY 1, 2, 3" >"$scratch/was"
    sqlite3 again.db "SELECT * FROM \"$table\" ORDER BY 1, 2, 3" >"$scratch/is"
    expect_same_file "$scratch/was" "$scratch/is" "$2: table $table"
  done
  expect_exit 0 hoyito verify again.db
  expect_exit 0 hoyito rerun "$1" --check --json -j 1
  expect_json ".equal and .digest == \"$(digest "$1")\" and .digest_before == .digest and .lacking == \"\"" "$out" "$2"
  expect_same_file kept.db "$1" "$2: the database itself"
  expect_equal '' "$(ls "$TMPDIR")" "$2: temporary files"
}

# The rules file is gone, or says something else; games and seed came from the command line, the seed of another run by lot.
for record in games moves summary; do
  enter "$record"
  write_experiment "$record"
  hoyito run study.yaml -o lot.db >/dev/null 2>&1
  hoyito run study.yaml --games 25 --seed 77 -o given.db >/dev/null 2>&1
  echo 'name: other' >rules.yaml
  rerun_equal lot.db "$record, seed by lot"
  expect_equal "$(sqlite3 lot.db 'SELECT seed FROM experiment')" "$(sqlite3 again.db 'SELECT seed FROM experiment')" seed
  rm rules.yaml study.yaml
  rerun_equal given.db "$record, from the command line"
  expect_equal 77 "$(sqlite3 again.db 'SELECT seed FROM experiment')" seed
done

# Provenance: the file it came from, and the database that it repeats.
enter provenance
write_experiment games
hoyito run study.yaml --shard 2/3 -o shard.db >/dev/null 2>&1
hoyito rerun shard.db -o again.db >/dev/null 2>&1
sqlite3 shard.db 'SELECT record FROM provenance' >"$scratch/was"
sqlite3 again.db 'SELECT record FROM provenance' >"$scratch/is"
expect_json '.parameters.shard == "2/3"' "$scratch/was"
expect_json ".parameters.origin == {database: \"shard.db\", schema_version: $(query shard.db 'PRAGMA user_version'),
  digest: \"$(digest shard.db)\", runs: 1}" "$scratch/is"
expect_json '.parameters | has("shard") | not' "$scratch/is"
expect_equal "$(jq .parameters.experiment_file "$scratch/was")" "$(jq .parameters.experiment_file "$scratch/is")" file
hoyito rerun again.db -o third.db >/dev/null 2>&1
expect_equal "$(jq .parameters.experiment_file "$scratch/was")" \
  "$(sqlite3 third.db 'SELECT record FROM provenance' | jq .parameters.experiment_file)" "the file of a rerun of a rerun"

# Parts: a shard, merged shards, an interrupted run, one that was taken up with more games.
for record in games summary; do
  enter "parts-$record"
  write_experiment "$record"
  sed -i 's/auto/18446744073709551615/' study.yaml
  for i in 1 2 3; do hoyito run study.yaml --shard $i/3 -o $i.db >/dev/null 2>&1; done
  rerun_equal 2.db "$record: a shard"
  hoyito merge two.db 3.db 1.db >/dev/null 2>&1
  rerun_equal two.db "$record: two shards of three"
  hoyito merge two.db 2.db >/dev/null 2>&1
  hoyito run study.yaml --games 90 -o two.db >/dev/null 2>&1
  rerun_equal two.db "$record: shards, merged and taken up with more games"
  expect_equal 90 "$(sqlite3 again.db 'SELECT games FROM experiment')" "games asked for"
  # a rerun that was interrupted is taken up
  hoyito run study.yaml --games 90 --shard 3/7 -o half.db >/dev/null 2>&1
  expect_exit 0 hoyito rerun two.db -o half.db
  expect_match '^equal$' "$out" "$record: taken up"
  # and one that holds more is not the same
  expect_exit 3 hoyito rerun 2.db -o half.db
  expect_match '^different: .*(only the second has this row|games)' "$out" "$record: more than there was"
done

# A row that was taken away is missed.
enter lost
write_experiment moves
hoyito run study.yaml -o study.db >/dev/null 2>&1
query study.db 'DELETE FROM move WHERE condition_id = 2 AND number = 59'
expect_exit 3 hoyito rerun study.db -o again.db
expect_match '^different: .*only the second has this row' "$out" "a row less"

# Interrupted for true: what was committed is repeated, no more.
enter interrupted
write_experiment games
sed -i 's/games: 60/games: 20000/; s/auto/5/' study.yaml
timeout -s INT 0.5 "$program" run study.yaml -o cut.db >/dev/null 2>&1 || true
if [[ -e cut.db ]]; then
  rerun_equal cut.db "an interrupted run"
  rm again.db
  timeout -s INT 0.3 "$program" rerun cut.db -o again.db >/dev/null 2>&1 || true
  expect_exit 0 hoyito rerun cut.db -o again.db
  expect_match '^equal$' "$out" "a rerun that was interrupted as well"
  timeout -s INT 0.2 "$program" rerun cut.db --check >/dev/null 2>&1 || true
  expect_equal '' "$(ls "$TMPDIR")" "temporary files of an interrupted check"
fi

# Stop rules: the rule decides again, and decides the same.
for record in games summary; do
  enter "stop-$record"
  write_experiment "$record" '{metric: first_player_score, half_width: 0.15, every: 20}'
  sed -i 's/games: 60/games: 400/; s/auto/5/' study.yaml
  hoyito run study.yaml -o stop.db >/dev/null 2>&1
  rerun_equal stop.db "$record: stop rule"
  expect_true "stops early" test "$(sqlite3 stop.db 'SELECT min(games) FROM stop')" -lt 400
  # interrupted, without a decision on the last condition
  cp stop.db open.db
  query open.db 'DELETE FROM stop WHERE condition_id = 4'
  rm again.db
  expect_exit 0 hoyito rerun open.db -o again.db --json
  expect_json '.equal and (.finished | not)' "$out" "$record: unfinished"
  expect_equal "$(digest stop.db)" "$(digest again.db)" "$record: it is finished now"
done
enter stop-sprt
write_experiment games '{sprt: {elo0: 0, elo1: 40}, every: 20}'
sed -i 's/games: 60/games: 400/; s/auto/5/; /epsilon/d' study.yaml
hoyito run study.yaml -o stop.db >/dev/null 2>&1
rerun_equal stop.db sprt

# Policies limited by time are played, and not compared.
enter timed
cat >timed.yaml <<'END'
experiment: timed
seed: 1
games: 2
rules: {holes: 2}
policies:
  - {south: {alphabeta: {depth: 2, time_ms: 1000}}, north: random}
  - {south: random, north: random}
END
hoyito run timed.yaml -o timed.db >/dev/null 2>&1
query timed.db 'UPDATE game SET turns = turns + 1 WHERE condition_id = 1'
expect_exit 0 hoyito rerun timed.db --check
expect_match 'limited by time' "$out"
expect_match '^equal in all that was compared$' "$out"
query timed.db 'UPDATE game SET turns = turns + 1 WHERE condition_id = 2 AND number = 1'
expect_exit 3 hoyito rerun timed.db --check --json
expect_json "(.equal | not) and (.difference | contains(\"'turns'\"))" "$out"

# Endgame tables: their hash is kept, others are refused, missing ones are named.
enter tables
printf 'name: small\nsource: for this test\npreset: hoyito-ii\nholes: 2\nclaim: 0\n' >small.yaml
cat >exact.yaml <<'END'
experiment: exact
seed: 3
games: 10
rules: {preset: ./small.yaml}
policies:
  - {south: {exact: {tables: tables, depth: 2}}, north: {epsilon: {rate: 0.3, policy: {exact: {tables: tables}}}}}
END
hoyito solve small.yaml --max-counters 8 -o tables >/dev/null 2>&1
hoyito run exact.yaml -o exact.db >/dev/null 2>&1
sqlite3 exact.db 'SELECT record FROM provenance' >record.json
expect_json '.parameters.tables | length == 2 and all(.sha256 | test("^[0-9a-f]{64}$")) and (map(.sha256) | unique | length == 1)' \
  record.json "hash of the tables"
rerun_equal exact.db tables
cp -r tables copy
hoyito solve small.yaml --max-counters 12 -o tables >/dev/null 2>&1
expect_exit 3 hoyito rerun exact.db --check
expect_match "condition 1 was played by other endgame tables, 'exact:tables=tables,depth=2'" "$err"
rm -r tables
expect_exit 5 hoyito rerun exact.db --check
expect_match "condition 1 plays by endgame tables, 'exact:tables=tables,depth=2', which are not to be had: .*tables.*hoyito solve" "$err"
mv copy tables
expect_exit 0 hoyito rerun exact.db --check
mkdir merging
cd merging
expect_exit 0 hoyito merge merged.db ../exact.db

# What cannot be asked for.
enter refused
write_experiment games
hoyito run study.yaml -o study.db >/dev/null 2>&1
expect_exit 2 hoyito rerun study.db
expect_match 'either -o NEW.db or --check' "$err"
expect_exit 2 hoyito rerun study.db -o new.db --check
expect_exit 2 hoyito rerun --check
expect_exit 2 hoyito rerun study.db -o study.db
expect_match 'both the input and the output' "$err"
ln study.db same.db
expect_exit 2 hoyito rerun study.db -o same.db
expect_exit 5 hoyito rerun missing.db --check
echo text >text.db
expect_exit 3 hoyito rerun text.db --check
expect_exit 3 hoyito rerun study.db -o text.db
hoyito run study.yaml --seed 9 -o other.db >/dev/null 2>&1
cp other.db other.was
expect_exit 3 hoyito rerun study.db -o other.db
expect_match "other\.db' was played with the seed 9" "$err"
expect_same_file other.was other.db "a database of another experiment"
cp study.db bad.db
query bad.db "UPDATE experiment SET generator = 'other'"
expect_exit 3 hoyito rerun bad.db --check
expect_match "made with 'other'; this program has" "$err"
expect_exit 5 hoyito rerun study.db -o no/such/folder/new.db
TMPDIR=/no/such/folder expect_exit 5 hoyito rerun study.db --check
expect_match '/no/such/folder.*TMPDIR' "$err"
