# Every command of the program on small inputs, for tests that make trouble for each of them.
# Sourced after ../cli/lib.sh.
# shellcheck disable=SC2034,SC2154 # variables that the sourcing script reads and sets

# Makes the inputs in the current folder.
make_inputs() {
  local name
  cat >study.yaml <<'END'
experiment: study
question: what breaks?
seed: 5
games: 40
max_plies: 300
record: moves
rules: {holes: [3, 4], seeds: 3}
policies:
  - {south: random, north: random}
  - {south: greedy, north: random, swap: true}
opening: {random_plies: 2}
END
  sed 's/^record: .*/record: summary/; s/^experiment: .*/experiment: sums/' study.yaml >sums.yaml
  {
    sed 's/^experiment: .*/experiment: looks/; s/^games: .*/games: 400/' sums.yaml
    echo 'stop: {metric: first_player_score, half_width: 0.1}'
  } >looks.yaml
  cat >toggles.yaml <<'END'
experiment: toggles
seed: 5
games: 40
max_plies: 300
rules: {holes: 3, relay: [true, false], extra_turn: [true, false]}
policies: [{south: random, north: random}]
END
  cat >robin.yaml <<'END'
experiment: robin
seed: 5
games: 20
max_plies: 300
rules: {holes: 3}
policies: {round_robin: [random, {epsilon: {rate: 0.5, policy: greedy}}, {alphabeta: {depth: 2}}]}
END
  printf 'name: small\nsource: own\nholes: 2\nseeds: 3\n' >small.yaml
  for name in study sums looks toggles robin; do
    hoyito run "$name.yaml" -o "$name.db" -j 1 >/dev/null 2>&1
  done
  hoyito run study.yaml --shard 1/2 -o 1.db >/dev/null 2>&1
  hoyito run study.yaml --shard 2/2 -o 2.db >/dev/null 2>&1
  hoyito run sums.yaml --shard 1/2 -o sums1.db >/dev/null 2>&1
  hoyito run sums.yaml --shard 2/2 -o sums2.db >/dev/null 2>&1
  hoyito solve small.yaml --max-counters 8 -o tables -j 1 >/dev/null 2>&1
  for name in first:1-first-games old:2-moves old-sums:3-summary; do
    gzip -dc "$source_folder/tests/store/versions/${name#*:}.db.gz" >"${name%:*}.db"
  done
  echo '{"rules":{},"board":[4,4,4,4,4,4,4,4,4,4,4,4],"mover":"south","hole":4}' >plies.jsonl
  echo '{"rules":{"holes":2},"holes":[1,3],"max_plies":2}' >games.jsonl
  echo '{"rules":{"holes":2,"seeds":3},"board":[1,0,2,1],"score":[4,4],"mover":"north"}' >positions.jsonl
  echo '{"board":[1,0,2,1],"mover":"north"}' >values.jsonl
  echo '{"successes":37,"n":100}' >stats.jsonl
  printf '0\nhint\n1\nundo\n2\nquit\n' >talk.txt
}

# name | standard input | file or folder that it makes | arguments
all_commands='
run-moves      |                 | made.db      | run study.yaml -o made.db -j 1
run-sums       |                 | made.db      | run sums.yaml -o made.db -j 2 --json
run-looks      |                 | made.db      | run looks.yaml -o made.db -j 1
run-nothing    |                 |              | run study.yaml -o study.db
dry-run        |                 |              | run study.yaml -o none.db --dry-run --json
dry-run-robin  |                 |              | run robin.yaml -o none.db --dry-run
report         |                 |              | report study.db
report-json    |                 |              | report looks.db --json
report-html    |                 | made.html    | report study.db --html made.html
compare        |                 |              | compare study.db --metric first_player_score --by holes
compare-json   |                 |              | compare study.db --metric restricted_plies --by holes --json
effects        |                 |              | effects toggles.db --metric first_player_score
effects-json   |                 |              | effects toggles.db --metric hazard --json
plan           |                 |              | plan study.db --half-width 0.01
plan-json      |                 |              | plan study.db --metric plies --half-width 1 --json
ladder         |                 |              | ladder robin.db
ladder-json    |                 |              | ladder robin.db --json
quality        |                 |              | quality study.db --games 5
quality-json   |                 |              | quality study.db --games 5 --json
merge          |                 | made.db      | merge made.db 1.db 2.db
merge-sums     |                 | made.db      | merge made.db sums1.db sums2.db --json
rerun          |                 | made.db      | rerun study.db -o made.db -j 1
rerun-looks    |                 | made.db      | rerun looks.db -o made.db -j 1 --json
rerun-old      |                 | made.db      | rerun first.db -o made.db -j 1
migrate        |                 | made.db      | migrate old.db -o made.db
migrate-sums   |                 | made.db      | migrate old-sums.db -o made.db --json
verify         |                 |              | verify study.db -j 1
verify-looks   |                 |              | verify looks.db -j 1 --json
digest         |                 |              | digest study.db
rules          |                 |              | rules
rules-json     |                 |              | rules small.yaml --json
rules-schema   |                 |              | rules --schema
ply            | plies.jsonl     |              | ply
replay         | games.jsonl     |              | replay
replay-stored  |                 |              | replay study.db --condition 1 --game 3
replay-json    |                 |              | replay study.db --condition 1 --game 3 --json
analyse        |                 |              | analyse small.yaml --policy alphabeta:depth=4
analyse-mcts   |                 |              | analyse small.yaml --policy mcts:iterations=50 --json
analyse-rows   | positions.jsonl |              | analyse
play           | talk.txt        |              | play small.yaml --seed 3
play-record    |                 | made.jsonl   | play small.yaml --seed 3 --south greedy --north random --record made.jsonl
stats          | stats.jsonl     |              | stats prop
stats-list     |                 |              | stats --list --json
exact          |                 |              | exact small.yaml
exact-json     |                 |              | exact small.yaml --json
solve          |                 | made         | solve small.yaml --max-counters 8 -o made -j 1
solve-check    |                 |              | solve --check tables -j 1 --json
value          | values.jsonl    |              | value small.yaml --tables tables
prove          |                 |              | prove small.yaml -j 1 --verify
prove-tables   |                 |              | prove small.yaml --tables tables -j 1 --json
help           |                 |              | --help
version        |                 |              | --version
'
# hoyito bench is left out: it answers with times.

# Fails unless every other command has a row.
check_all_commands() {
  local command
  hoyito --help >help
  while read -r command; do
    expect_match "^[^|]*\\|[^|]*\\|[^|]*\\| *$command( |\$)" <(echo "$all_commands") "the row of $command"
  done < <(sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p' help | grep -vxE 'bench|help')
}

# clear_refused: takes away what the command has made where it refuses to write over it.
clear_refused() {
  if [[ ${words[0]} == migrate ]]; then
    rm -f "$makes"
  fi
}

command_names() { sed -n 's/^\([a-z-]*\) .*/\1/p' <<<"$all_commands"; }

# set_command NAME: sets `words` (the arguments), `input` and `makes`.
set_command() {
  local name line
  line=$(grep -m 1 -E "^$1 +\|" <<<"$all_commands")
  IFS='|' read -r name input makes line <<<"$line"
  input=${input// /}
  input=${input:-/dev/null}
  makes=${makes// /}
  read -r -a words <<<"$line"
}

# What a command has made, in a form to compare.
made() {
  case $makes in
    *.db) digest "$makes" ;;
    *.html | *.jsonl) cat "$makes" ;;
    ?*) cat "$makes"/*.hyt ;;
  esac
}
