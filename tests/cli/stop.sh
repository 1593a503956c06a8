# Stop rules and plans: runs that end themselves, what is said about them, and how many games to ask for.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# write_experiment RECORD GAMES STOP
write_experiment() {
  cat >study.yaml <<EOF
experiment: study
seed: 20261129
games: $2
record: $1
rules: {preset: hoyito-ii, holes: [2, 3]}
policies:
  - {south: random, north: greedy, swap: true}
  - {south: greedy, north: random, swap: true}
opening: {random_plies: 1}
${3:+stop: $3}
EOF
}
score='{metric: first_player_score, half_width: 0.05, every: 200}'
sprt='{sprt: {elo0: 0, elo1: 20}, every: 100}'

# A plan of the run names the maximum and touches nothing.
write_experiment games 100000 "$score"
expect_exit 0 hoyito run study.yaml --dry-run
expect_match '4 conditions, at most 800000 games, of which 800000 would .* unless the stop rule' "$out"
expect_exit 0 hoyito run study.yaml --dry-run --json
expect_json '.stop == {metric: "first_player_score", half_width: 0.05, confidence: 0.95, every: 200}' "$out"
expect_equal 'study.yaml' "$(ls)" "files of a dry run"

# One shard cannot know.
expect_exit 2 hoyito run study.yaml --shard 1/2
expect_match "study\.yaml.*stop rule.*shard.*hoyito plan" "$err"
expect_equal 'study.yaml' "$(ls)" "files after a refused shard"

# Each record and rule: the same games and decisions by any number of threads, which verify.
for record in summary games moves; do
  for rule in "$score" "$sprt"; do
    write_experiment "$record" 100000 "$rule"
    if [[ $record == summary && $rule == "$sprt" ]]; then
      expect_exit 2 hoyito run study.yaml
      expect_match "study\.yaml:10:14: 'sprt' looks at pairs.*'record: summary'" "$err"
      continue
    fi
    for threads in 1 3; do
      rm -f study.db
      expect_exit 0 hoyito run study.yaml -j "$threads"
      expect_match 'at most 800000 games to play' "$err"
      digest study.db >"digest-$threads"
      query study.db 'SELECT * FROM stop' >"stop-$threads"
      cp "$out" "report-$threads"
    done
    expect_same_file digest-1 digest-3 "$record: digests"
    expect_same_file stop-1 stop-3 "$record: decisions"
    expect_same_file report-1 report-3 "$record: reports"
    expect_equal 8 "$(query study.db 'SELECT count(*) FROM stop WHERE games < 100000')" "$record: ended"
    expect_exit 0 hoyito verify study.db
    expect_match 'all agree' "$out"
    expect_exit 0 hoyito run study.yaml
    expect_match 'nothing to play: all [0-9]+ games' "$err" "$record: a second run"
    expect_exit 0 hoyito run study.yaml --dry-run
    expect_match 'of which 0 would be played' "$out"
    num_games=$(query study.db 'SELECT sum(games) FROM stop')
    expect_exit 0 hoyito report study.db --json
    expect_json ".games == $num_games and .games_asked_for == $num_games and .games_at_most == 800000" "$out"
    expect_json '.stop_rule.every > 0 and ([.conditions[].stop.ended] | all)' "$out"
    expect_json '[.conditions[] | .games == .stop.games] | all' "$out"
    if [[ $rule == "$score" ]]; then
      expect_json '[.conditions[].stop | .reason == "half_width" and .interval.anytime and
        .interval.high - .interval.low <= 0.1 and .interval.metric == "first_player_score"] | all' "$out"
      expect_json '[.conditions[] | .stop.interval.low < .first_player_score.low and
        .stop.interval.high > .first_player_score.high] | all' "$out" "$record: the price of looking"
    else
      expect_json '[.conditions[].stop | (.reason == "h0" and .sprt.llr <= .sprt.lower) or
        (.reason == "h1" and .sprt.llr >= .sprt.upper)] | all' "$out"
      expect_json '[.conditions[].stop | (.sprt.pairs | add) == .counted and .counted + .left_out == .games] | all' "$out"
      expect_json '[.conditions[].stop.reason] | index("h0") != null and index("h1") != null' "$out"
    fi
    expect_exit 0 hoyito report study.db
    expect_equal 8 "$(grep -c '^  stopped by  ' "$out")" "$record: lines of the report"
  done
done
expect_match 'stopped by +sprt, H[01] accepted: look [0-9]+, at [0-9]+ pairs; log-likelihood ratio' "$out"

# Pairs without a result in both games are not seen, and that is said.
sed 's/^games: .*/games: 2000\nmax_plies: 15/; s/^stop: .*/stop: {sprt: {elo0: 0, elo1: 5}, every: 1000}/' study.yaml >cut.yaml
expect_exit 0 hoyito run cut.yaml -o cut.db
expect_match 'stopped by .* pairs, of which [0-9]+ count and [0-9]+ are left out, a game of them having no result;' "$out"
expect_equal 8 "$(query cut.db 'SELECT count(*) FROM stop WHERE counted + left_out = games')" "left out"
expect_equal "$(query cut.db 'SELECT condition_id, count(first_policy_points) FROM v_pair GROUP BY condition_id')" \
  "$(query cut.db 'SELECT condition_id, counted FROM stop WHERE swapped = 0')" "pairs counted"
cp cut.db bad.db
query bad.db 'UPDATE stop SET counted = counted + 1 WHERE condition_id = 1 AND swapped = 1'
expect_exit 3 hoyito verify bad.db
expect_match "what stopped condition 1 .*'counted'" "$err"
query bad.db 'DELETE FROM stop WHERE condition_id = 1 AND swapped = 0'
expect_exit 3 hoyito verify bad.db

# The same policy on both seats plays the same games twice: no pairs, and a warning.
sed 's/south: random, north: greedy/south: random, north: random/' study.yaml >same.yaml
expect_exit 2 hoyito run same.yaml
expect_match "same\.yaml.*south: random, north: random.*same games once more" "$err"
sed '/^stop:/d; s/^games: .*/games: 20/' same.yaml >twice.yaml
expect_exit 0 hoyito run twice.yaml --dry-run -o twice.db
expect_equal 2 "$(grep -c 'warning: both policies are the same' "$out")" "warnings of a dry run"
expect_exit 0 hoyito run twice.yaml -o twice.db
expect_equal 2 "$(grep -c 'warning .*games of the other seating once more' "$out")" "warnings of the report"
expect_exit 0 hoyito report twice.db --json
expect_json '[.conditions[] | select(.repeats_other_seating)] | length == 2 and
  all(.swapped and .south_policy == .north_policy)' "$out"
expect_equal 40 "$(query twice.db 'SELECT count(*) FROM game AS a JOIN game AS b USING (condition_id, number, move_hash)
  WHERE a.swapped = 0 AND b.swapped = 1 AND condition_id IN (SELECT id FROM condition WHERE first_policy = second_policy)')" \
  "the same games"

# Another rule or maximum is another experiment.
expect_exit 3 hoyito run study.yaml --games 5000
expect_match "at most 100000 games, not 5000" "$err"
write_experiment moves 100000 "$score"
expect_exit 3 hoyito run study.yaml
expect_match "has the stop rule .*sprt.*not .*first_player_score" "$err"
expect_exit 3 hoyito merge all.db study.db
expect_match 'stop rule' "$err"

# A nominal interval is said to be one; what is not reached is said as well.
write_experiment summary 700 '{metric: captures, half_width: 0.001, every: 200}'
expect_exit 0 hoyito run study.yaml -o nominal.db
expect_match 'stopped by +the most games asked for, undecided: look 4, at 700 games; captures per game' "$out"
expect_match 'nominal: not corrected for looking 4 times' "$out"

# What somebody changed is found.
cp nominal.db bad.db
query bad.db "UPDATE stop SET reason = 'half_width' WHERE condition_id = 2"
expect_exit 3 hoyito verify bad.db
expect_match "what stopped condition 2 .*'reason'" "$err"
cp nominal.db bad.db
query bad.db 'UPDATE look SET yy = yy + 1 WHERE condition_id = 3 AND games = 400'
expect_exit 3 hoyito verify bad.db
expect_match "look of condition 3 .*400 games" "$err"

# Killed again and again, then finished: the same games and decisions.
for record in summary games; do
  enter "kill-$record"
  write_experiment "$record" 1000000 '{metric: first_player_score, half_width: 0.007, every: 100}'
  expect_exit 0 hoyito run study.yaml -o whole.db -j 2
  digest whole.db >want
  query whole.db 'SELECT * FROM stop' >want-stop
  num_kills=0
  for delay in 0.05 0.2 0.5 1.2 0.3 1.3 0.7; do
    status=0
    "$program" run study.yaml -j 2 >"$out" 2>"$err" &
    pid=$!
    sleep "$delay"
    kill -s KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || status=$?
    if [[ $status -eq 0 ]]; then
      break
    fi
    num_kills=$((num_kills + 1))
  done
  expect_true "$record: only $num_kills kills hit the run" test "$num_kills" -ge 2
  expect_exit 0 hoyito run study.yaml -j 1
  digest study.db >got
  query study.db 'SELECT * FROM stop' >got-stop
  expect_same_file want got "$record: digest after kills"
  expect_same_file want-stop got-stop "$record: decisions after kills"
  expect_exit 0 hoyito verify study.db -j 2
done

# A plan from a pilot: what it promises is reached.
enter plan
write_experiment games 400 ''
expect_exit 0 hoyito run study.yaml -o pilot.db -j 2
expect_exit 0 hoyito plan pilot.db --half-width 0.02
expect_empty "$err"
expect_match '^study: games for first-player score ± 0.02 at 95 %' "$out"
expect_equal 8 "$(grep -c '^condition ' "$out")" "conditions of a plan"
expect_match '8 conditions and seatings, [0-9]+ games in all; time about [0-9]+ s on .* with 2 threads; disk about' "$out"
games=$(sed -n 's/^  games: \([0-9]*\)$/\1/p' "$out")
expect_exit 0 hoyito plan pilot.db --half-width 0.02 --json
expect_json ".games == $games and .all_games == 8 * $games and .seconds > 0 and .bytes > 100000" "$out"
expect_json '.target == {metric: "first_player_score", confidence: 0.95, half_width: 0.02}' "$out"
expect_json "[.conditions[] | .games <= $games and .deviation_limit > .deviation] | all" "$out"
expect_exit 0 hoyito run study.yaml --games "$games" -o full.db -j 2
expect_exit 0 hoyito report full.db --json
expect_json '[.conditions[].first_player_score | .high - .low <= 0.04] | all' "$out" "the plan is kept"
for metric in draw_share endless_share chains_per_capture captures; do
  expect_exit 0 hoyito plan pilot.db --metric "$metric" --difference 0.1 --power 0.9
done
expect_exit 0 hoyito plan pilot.db --metric plies --half-width 1
sed 's/^games: .*/games: 50\nmax_plies: 5/' study.yaml >cut.yaml
expect_exit 0 hoyito run cut.yaml -o cut.db
expect_exit 1 hoyito plan cut.db --metric captures --half-width 1
expect_match 'not known: games of the pilot were cut' "$out"
expect_exit 1 hoyito plan cut.db --metric plies --half-width 1
expect_match 'not known: games of the pilot were cut' "$out"
expect_match "'cut\.db' does not say" "$err"
expect_exit 1 hoyito plan cut.db --metric plies --half-width 1 --json
expect_json '.games == null and ([.conditions[] | .games == null and (.reason | test("cut"))] | all)' "$out"

expect_exit 2 hoyito plan pilot.db
expect_match 'either --half-width or --difference' "$err"
expect_exit 2 hoyito plan pilot.db --half-width 0.1 --difference 0.1
expect_exit 2 hoyito plan pilot.db --half-width 0.1 --power 0.5
expect_exit 2 hoyito plan pilot.db --half-width 0
expect_match "'0'" "$err"
expect_exit 2 hoyito plan pilot.db --half-width 0.5
expect_match 'below 0.5' "$err"
expect_exit 2 hoyito plan pilot.db --metric draw_shore --half-width 0.1
expect_match "did you mean 'draw_share'" "$err"
# The help and the errors name all metrics as they are, in any spelling of the option.
for metric in first_player_score draw_share endless_share chains_per_capture captures plies; do
  expect_exit 2 hoyito plan pilot.db --metric nonsense --half-width 0.1
  expect_match "--metric takes .*$metric" "$err"
  hoyito plan --help | tr -s ' \n' '  ' >help
  expect_match "METRIC .*$metric.*--power" help
  expect_exit 0 hoyito plan pilot.db --metric "$metric" --half-width 0.4
done
expect_exit 2 hoyito plan
expect_exit 5 hoyito plan nothing.db --half-width 0.1
