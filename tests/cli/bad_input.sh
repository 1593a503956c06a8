# Input that is wrong: experiment files, databases, commands. Refused with its place, and nothing touched.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

cat >good.yaml <<'EOF'
# line 1
experiment: study
question: "Is it?"
seed: 20261129
games: 10
max_plies: 100
max_laps: 1000
record: games
rules:
  preset: hoyito-ii
  holes: [4, 6]
  seeds: 4
  relay: true
  skip_origin: false
  casa: 4
  final_capture: true
  chain_capture: true
  en_passant: none
  capture_side: any
  extra_turn: true
  claim: 4
  claim_by: capturer
  no_move: pass
  endless: annul
  repetition: 0
  unfinished: score
policies:
  - {south: random, north: random}
  - south: greedy
    north: {epsilon: {rate: 0.25, policy: greedy}}
    swap: true
opening:
  random_plies: 2
EOF
line_of() { grep -n -E "^[ -]*$1:" good.yaml | sed -n '1s/:.*//p'; }
expect_exit 0 hoyito run good.yaml --dry-run --json
expect_json '.games == 60' "$out" "the file that the faults are put into"
mkdir there # a folder that must stay empty
snapshot >"$scratch/before"

# refused PLACE WORDS WHAT: bad.yaml is refused there, by a run and by a plan.
refused() {
  expect_exit 2 hoyito run bad.yaml -o there/new.db
  expect_empty "$out" "$3"
  expect_match "^hoyito: bad\.yaml:$1: .*$2" "$err" "$3"
  expect_true "$3: one line" test "$(wc -l <"$err")" -eq 1
}

# Each key misspelt in three ways, and twice.
keys=$(sed -n 's/^[ -]*\([a-z_]*\):.*/\1/p' good.yaml)
expect_equal 31 "$(wc -w <<<"$keys")" "keys of the file"
for key in $keys; do
  line=$(line_of "$key")
  column=$(sed -n "${line}p" good.yaml | sed "s/$key:.*//" | wc -c)
  for wrong in "${key%?}" "${key}x" "${key^}"; do
    sed "${line}s/$key:/$wrong:/" good.yaml >bad.yaml
    expect_true "misspells $key" eval '! cmp -s good.yaml bad.yaml'
    refused "$line:$column" "'$wrong'.*did you mean '$key'" "$key misspelt"
  done
  sed "${line}{p;s/- /  /}" good.yaml >bad.yaml
  if [[ $(sed -n "$((line + 1))p" good.yaml) == *"- {"* || -z $(sed -n "${line}s/^[ -]*$key: *//p" good.yaml) ]]; then
    sed "${line}i$key: {}" good.yaml >bad.yaml
  fi
  refused "$((line + 1)):$column" "'$key' is given twice.*line $line.*line $((line + 1))" "$key twice"
done
sed 's/{south: random, north: random}/{south: random, north: random, south: random}/' good.yaml >bad.yaml
refused "$(($(line_of policies) + 1)):36" "'south' is given twice" "a key twice on one line"
sed 's/rate: 0.25, /rate: 0.25, rate: 0.5, /' good.yaml >bad.yaml
refused "$(line_of north):35" "'rate' is given twice" "a parameter twice"
sed 's/rate: 0.25/rat: 0.25/' good.yaml >bad.yaml
refused "$(line_of north):23" "'rat'.*did you mean 'rate'" "a parameter misspelt"
sed 's/epsilon/epsilom/' good.yaml >bad.yaml
refused "$(line_of north):13" "'epsilom'.*did you mean 'epsilon'" "a policy misspelt"
sed 's/{south: random, north: random}/{south: randon, north: random}/' good.yaml >bad.yaml
refused "$(($(line_of policies) + 1)):13" "'randon'.*did you mean 'random'" "a policy misspelt"
sed 's/preset: hoyito-ii/preset: hoyito-iii2/' good.yaml >bad.yaml
refused "$(line_of preset):11" "'hoyito-iii2'.*did you mean 'hoyito-iii'" "a preset misspelt"

# Keys that must be there.
for key in experiment seed games; do
  sed "/^$key:/d" good.yaml >bad.yaml
  refused '2:1' "'$key' is missing" "$key missing"
done
sed '/^opening:/,$d' good.yaml | sed '/^policies:/,$d' >bad.yaml
refused '2:1' "'policies' is missing" "policies missing"
sed '/^rules:/,/unfinished/d' good.yaml >bad.yaml
refused '2:1' "'rules' is missing" "rules missing"
sed 's/{south: random, north: random}/{south: random}/' good.yaml >bad.yaml
refused "$(($(line_of policies) + 1)):5" "'north' is missing" "north missing"
sed 's/rate: 0.25, //' good.yaml >bad.yaml
refused "$(line_of north):13" "rate" "rate missing"

# wrong KEY VALUE…: each value is refused in its place.
wrong() {
  local key=$1 value line column
  shift
  line=$(line_of "$key")
  column=$(($(sed -n "${line}p" good.yaml | sed "s/\($key: *\).*/\1/" | wc -c)))
  for value; do
    printf '%s' "$value" >"$scratch/value"
    awk -v line="$line" -v key="$key" -v file="$scratch/value" '
      NR == line { getline value < file; sub(key ": .*", ""); print $0 key ": " value; next } { print }' \
      good.yaml >bad.yaml
    refused "$line:[0-9]+" "'$key'" "$key: $value"
    if [[ -n $value && $value != [\[\{]* ]]; then
      expect_match "^hoyito: bad\.yaml:$line:$column: " "$err" "$key: $value"
    fi
  done
}
not_integers=(010 00 +5 -1 1e3 1.0 0x10 0o7 1_000 '"6"' "'6'" yes on true null '~' '' '{}' '{a: 1}' .inf .nan
  18446744073709551616 99999999999999999999999999 '6 7' six)
not_booleans=(yes no on off True TRUE y 1 0 '"true"' "'false'" null '~' '' '{}' tru)
wrong games "${not_integers[@]}" 0 1000000000001 '[]' '[10]' auto
wrong max_plies "${not_integers[@]}" 0 10000001 '[]' '[100, 200]'
wrong max_laps "${not_integers[@]}" 0 1000000000001 '[]'
wrong seed "${not_integers[@]}" '[]' '[1]' Auto AUTO random
wrong random_plies "${not_integers[@]}" '[]' 4294967296
wrong holes "${not_integers[@]}" 0 33 '[]' '[6, 6]' '[6, 33]' '[6, "4"]' '[6, [4]]' '[6, 010]' '[6, {}]'
wrong seeds "${not_integers[@]}" 0 33 '[]'
wrong casa "${not_integers[@]}" 0 1 17
wrong claim "${not_integers[@]}" 33
wrong repetition "${not_integers[@]}" 1 256
for key in relay skip_origin final_capture chain_capture extra_turn; do
  wrong "$key" "${not_booleans[@]}" '[true, true]' '[true, yes]' '[]'
done
wrong swap "${not_booleans[@]}" '[]' '[true]'
wrong en_passant None owners 1 true '' '{}' '[]' '[none, none]' '[none, all]'
wrong capture_side Any both '' '[]' '[any, {}]'
wrong claim_by north '' '[]'
wrong no_move skip '' '[]'
wrong endless never '' '[]'
wrong unfinished draw '' '[]'
wrong record game Games all 1 '' '{}' '[]' '[games]'
wrong experiment '' 7 1.5 true null '~' '[]' '{}' '"a b"' '"a/b"' '"../x"' '""' 'ü' \
  "$(head -c 65 /dev/zero | tr '\0' a)"
wrong question 7 '[]' '{}' true '~'

# Policies that are none, in their place.
policy() {
  sed "s/^  - south: greedy/  - south: $1/" good.yaml >bad.yaml
  expect_true "changes something: $1" eval '! cmp -s good.yaml bad.yaml'
  refused "$(line_of 'south'):[0-9]+" "$2" "south: $1"
}
policy '' 'a policy cannot be'
policy '[]' 'a policy cannot be'
policy '[random]' 'a policy cannot be'
policy '{}' 'a policy cannot be'
policy 1 "unknown policy '1'"
policy Random "unknown policy 'Random'.*did you mean 'random'"
policy '{random: 1}' "'random'"
policy '{greedy: {}, random: {}}' 'a policy cannot be'
policy '{random: {depth: 6}}' "'random' has no parameters"
policy 'epsilon' "'epsilon' needs its parameter 'rate'"
policy '{epsilon: {rate: 1.5, policy: greedy}}' "'rate'.*1\.5.*0 … 1"
policy '{epsilon: {rate: -0.1, policy: greedy}}' "'rate'"
policy '{epsilon: {rate: nan, policy: greedy}}' "'rate'"
policy '{epsilon: {rate: "0.1", policy: greedy}}' "'rate'"
policy '{epsilon: {rate: [], policy: greedy}}' "'rate'"
policy '{epsilon: {rate: 0.1, policy: greedyy}}' "did you mean 'greedy'"

# Mappings and lists that are none.
whole() {
  sed -n "1,$(($(line_of "$1") - 1))p" good.yaml >bad.yaml
  echo "$1: $2" >>bad.yaml
  if [[ $1 == rules ]]; then
    sed -n "$(line_of policies),\$p" good.yaml >>bad.yaml
  elif [[ $1 == policies ]]; then
    sed -n "$(line_of opening),\$p" good.yaml >>bad.yaml
  fi
  refused "$(line_of "$1"):$3" "'?$1'?" "$1: $2"
}
for value in '' 1 text '[]' '[{}]'; do
  whole rules "$value" '[0-9]+'
  whole opening "$value" '[0-9]+'
done
for value in '' 1 text '[]' '{}' '[1]' '[random]' '[[]]'; do
  whole policies "$value" '[0-9]+'
done
sed 's/  - {south: random, north: random}/&\n&/' good.yaml >bad.yaml
refused "$(($(line_of policies) + 2)):5" 'twice' "the same policies twice"
sed 's/preset: hoyito-ii/preset: [hoyito-ii, hoyito-ii-2x12]/' good.yaml >bad.yaml
refused "$(line_of rules):[0-9]+|$(line_of preset):[0-9]+" 'same condition' "two presets that become one"

# Fields that cannot go together.
sed 's/final_capture: true/final_capture: false/' good.yaml >bad.yaml
refused "($(line_of final_capture)|$(line_of chain_capture)):3" 'chain_capture.*final_capture' "a conflict"
sed 's/final_capture: true/final_capture: false/; s/chain_capture: true/chain_capture: false/' good.yaml >bad.yaml
refused '[0-9]+:[0-9]+' 'capturing' "no way of capturing"
sed 's/holes: \[4, 6\]/holes: [1, 6]/; s/seeds: 4/seeds: 2/' good.yaml >bad.yaml
refused "($(line_of claim)|$(line_of holes)|$(line_of seeds)):3" 'holes=1.*claim' "a cell of the grid that is no game"

# What YAML has and no experiment needs.
yaml() {
  refused "$1" "$2" "$3"
}
sed 's/^games: 10/games: \&n 10/' good.yaml >bad.yaml
yaml "$(line_of games):8" anchors "an anchor"
sed 's/^games: 10/games: *n/' good.yaml >bad.yaml
yaml "$(line_of games):8" aliases "an alias"
sed 's/^games: 10/games: !!int 10/' good.yaml >bad.yaml
yaml "$(line_of games):8" tags "a tag"
sed 's/^games: 10/<<: {games: 10}/' good.yaml >bad.yaml
yaml "$(line_of games):1" "'<<'" "a merge key"
{ cat good.yaml; echo ---; cat good.yaml; } >bad.yaml
yaml '[0-9]+:[0-9]+' 'more than one document' "two documents"
sed 's/^games: 10/games: [10/' good.yaml >bad.yaml
yaml '[0-9]+:[0-9]+' 'YAML' "a list without an end"
sed 's/^games: 10/\tgames: 10/' good.yaml >bad.yaml
yaml '[45]:[0-9]+' 'YAML' "a tab"
sed 's/^games: 10/? [a]\n: 10/' good.yaml >bad.yaml
yaml "$(line_of games):[0-9]+" 'key' "a list as a key"
sed 's/^question: .*/question: "a\\0b"/' good.yaml >bad.yaml
yaml "$(line_of question):11" NUL "a NUL character"
{ sed -n 1,2p good.yaml; printf 'question: "\xff\xfe"\n'; sed -n '4,$p' good.yaml; } >bad.yaml
yaml "$(line_of question):[0-9]+" 'YAML' "bytes that are no UTF-8"
{ sed -n 1,2p good.yaml; printf 'question: "a\0b"\n'; sed -n '4,$p' good.yaml; } >bad.yaml
yaml "$(line_of question):[0-9]+" '' "a NUL byte"
printf -- '- a\n- b\n' >bad.yaml
yaml 1:1 'mapping' "a list"
printf 'text\n' >bad.yaml
yaml 1:1 'mapping' "a word"
head -c 100000 /dev/zero | tr '\0' '[' >bad.yaml
yaml '1:[0-9]+' 'nesting|levels' "deep nesting"
{ printf 'experiment: '; head -c 200000 /dev/zero | tr '\0' x; echo; sed -n '3,$p' good.yaml; } >bad.yaml
yaml '1:13' "'experiment'" "a name of 200 kB"
expect_true "a short message about a long name" test "$(wc -c <"$err")" -lt 600
for empty in '' '# only a comment\n' '---\n' '\n\n' '~\n' 'null\n'; do
  # shellcheck disable=SC2059 # the escapes are wanted
  printf -- "$empty" >bad.yaml
  yaml '1:1' '' "an empty file"
done

# A file of another kind.
for kind in noise text database folder; do
  rm -rf bad.yaml
  case $kind in
    noise) head -c 10000000 /dev/urandom >bad.yaml ;;
    text) head -c 2000000 /dev/zero | tr '\0' '#' >bad.yaml ;;
    database) sqlite3 bad.yaml 'CREATE TABLE t (a)' ;;
    folder) mkdir bad.yaml ;;
  esac
  expect_exit 2 hoyito run bad.yaml -o there/new.db
  expect_empty "$out" "$kind"
  expect_match '^hoyito: .*bad\.yaml' "$err" "$kind"
  expect_true "a short message about $kind" test "$(wc -c <"$err")" -lt 400
done
rmdir bad.yaml
for ((i = 0; i < 5; i++)); do
  head -c 3000 /dev/urandom >bad.yaml
  expect_exit 2 hoyito run bad.yaml -o there/new.db
done
rm bad.yaml
expect_exit 2 hoyito run missing.yaml -o there/new.db
expect_match "missing\.yaml.*No such file" "$err"
expect_exit 2 hoyito run missing/missing.yaml
expect_exit 2 hoyito run ''
expect_exit 2 hoyito run good.yaml/x.yaml
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files after refused experiments"

# Odd but right.
printf '\xef\xbb\xbf' | cat - good.yaml >ok.yaml
expect_exit 0 hoyito run ok.yaml --dry-run
sed 's/$/\r/' good.yaml >ok.yaml
expect_exit 0 hoyito run ok.yaml --dry-run --json
expect_json '.experiment == "study" and .games == 60' "$out" "CRLF lines"
printf '%s' "$(cat good.yaml)" >ok.yaml
expect_exit 0 hoyito run ok.yaml --dry-run
sed 's/^experiment: study/experiment: "study"/; s/^record: games/record: "games"/' good.yaml >ok.yaml
expect_exit 0 hoyito run ok.yaml --dry-run
expect_exit 0 hoyito run /dev/stdin --dry-run <good.yaml

# Databases that are none of ours: refused, and neither they nor their folder are touched.
enter databases
cat >study.yaml <<'EOF'
experiment: study
seed: 1
games: 50
rules: {holes: 4}
policies: [{south: random, north: random}]
EOF
hoyito run study.yaml -o good.db >/dev/null 2>&1
echo 'some text' >text.db
{ echo 'SQLite format 3'; head -c 5000 /dev/zero; } >nearly.db
head -c 10000 /dev/urandom >noise.db
head -c 40 /dev/urandom >short.db
: >empty.db
sqlite3 other.db 'CREATE TABLE game (a); INSERT INTO game VALUES (1)'
sqlite3 journal.db 'PRAGMA journal_mode = WAL; CREATE TABLE game (a); INSERT INTO game VALUES (1)' >/dev/null
cp good.db newer.db
query newer.db 'PRAGMA user_version = 1000000'
cp good.db foreign.db
query foreign.db 'PRAGMA application_id = 1'
sqlite3 claims.db "CREATE TABLE t (a); PRAGMA application_id = $(query good.db 'PRAGMA application_id');
  PRAGMA user_version = $(query good.db 'PRAGMA user_version')"
cp good.db damaged.db
query damaged.db "UPDATE experiment SET seed = 'x'"
head -c 6000 good.db >cut.db
mkdir folder.db
mkfifo pipe.db
snapshot >"$scratch/before"

# refuse_database CODES FILE: by every command that reads or writes one.
refuse_database() {
  local codes=$1 file=$2 command code
  while read -ra command; do
    check
    code=0
    timeout 20 "$program" "${command[@]}" >"$out" 2>"$err" || code=$?
    if ! [[ $code =~ ^($codes)$ ]]; then
      fail "exit status $code instead of $codes: hoyito ${command[*]}
$(excerpt "$err")"
    fi
    expect_match "'${file//./\\.}'" "$err" "hoyito ${command[*]}"
    expect_empty "$out" "hoyito ${command[*]}"
    snapshot >"$scratch/after"
    expect_same_file "$scratch/before" "$scratch/after" "files after hoyito ${command[*]}"
    find . -name '*-wal' -delete -o -name '*-shm' -delete -o -name 'out.db*' -delete
  done <<EOF
report $file
report $file --json
digest $file
verify $file -j 1
replay $file --condition 1 --game 0
run study.yaml -o $file
run study.yaml -o $file --dry-run
merge out.db $file
merge out.db good.db $file
EOF
}
for file in text nearly noise short empty other journal newer foreign; do
  refuse_database 3 "$file.db"
done
refuse_database '3|5' claims.db
refuse_database 3 damaged.db
refuse_database 5 cut.db
refuse_database 5 folder.db
refuse_database 5 pipe.db
for command in report digest verify; do
  expect_exit 5 hoyito "$command" missing.db
  expect_match "'missing\.db'.*No such file" "$err"
  expect_exit 5 hoyito "$command" missing/missing.db
  expect_exit 5 hoyito "$command" ''
done
expect_exit 5 hoyito merge out.db good.db missing.db
expect_exit 5 hoyito merge missing/out.db good.db
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files after missing databases"

# A merge into what is none of ours, or into one of its inputs.
for file in text noise empty other newer; do
  expect_exit 3 hoyito merge "$file.db" good.db
done
expect_exit 5 hoyito merge folder.db good.db
expect_exit 2 hoyito merge good.db good.db
expect_exit 2 hoyito merge good.db ./good.db
snapshot >"$scratch/after"
expect_same_file "$scratch/before" "$scratch/after" "files after refused merges"

# A merge of what does not belong together: no OUT, and an OUT that is there stays as it is.
enter merges
cp ../databases/study.yaml .
hoyito run study.yaml --shard 1/2 -o 1.db >/dev/null 2>&1
hoyito run study.yaml --shard 2/2 -o 2.db >/dev/null 2>&1
for change in 's/^seed: 1/seed: 2/' 's/holes: 4/holes: 5/' 's/games: 50/games: 50\nrecord: summary/' \
  's/games: 50/games: 50\nmax_plies: 99/' 's/south: random/south: greedy/' 's/holes: 4/holes: [4, 5]/'; do
  sed "$change" study.yaml >other.yaml
  rm -f other.db
  hoyito run other.yaml -o other.db >/dev/null 2>&1
  snapshot >"$scratch/before"
  for inputs in '1.db other.db' 'other.db 1.db 2.db' '1.db 2.db other.db'; do
    read -ra list <<<"$inputs"
    expect_exit 3 hoyito merge out.db "${list[@]}"
    expect_empty "$out" "$inputs"
    expect_match "'(other|1|2)\.db'" "$err" "merge of $inputs after $change"
  done
  expect_exit 3 hoyito merge 1.db other.db
  snapshot >"$scratch/after"
  expect_same_file "$scratch/before" "$scratch/after" "files after merges of other experiments"
done

# Commands and options that there are not.
enter commands
unknown() {
  local code=$1 words=$2
  shift 2
  expect_exit "$code" hoyito "$@"
  expect_empty "$out" "hoyito $*"
  expect_match "$words" "$err" "hoyito $*"
}
unknown 2 "unknown command 'rum'; did you mean 'run'" rum
unknown 2 "unknown command 'rulse'; did you mean 'rules'" rulse
unknown 2 "unknown command 'xyzzyxyzzy'" xyzzyxyzzy
expect_no_match 'did you mean' "$err"
unknown 2 "unknown command ''" ''
unknown 2 "unknown command '--json'" --json
unknown 2 "unknown command 'Run'" Run x.yaml
unknown 2 'Usage: hoyito'
commands=(run report merge verify digest rules ply replay)
for command in "${commands[@]}"; do
  expect_exit 2 hoyito "$command" --no-such-option </dev/null
  expect_empty "$out"
  expect_match "^hoyito $command: .*--no-such-option" "$err"
  expect_match "hoyito $command --help" "$err"
done
unknown 2 'experiment file' run
unknown 2 'database' report
unknown 2 'database' report --json
unknown 2 'database' verify
unknown 2 'database' digest
unknown 2 'database' merge
unknown 2 'database' merge only.db
unknown 2 'too many' report a.db b.db
unknown 2 'too many' digest a.db b.db
unknown 2 'too many' verify a.db b.db
unknown 2 'too many' rules ba-awa hoyito-i
unknown 2 'standard input' ply rows.jsonl
unknown 2 '-j' verify -j 0 a.db
unknown 2 '-j' verify -j x a.db
unknown 2 '' digest -j 2 a.db
expect_equal '' "$(ls)" "files after commands that are none"

# Help.
for words in --help help; do
  expect_exit 0 hoyito "$words"
  expect_empty "$err"
  expect_match '^  hoyito run ' "$out"
  for command in "${commands[@]}"; do
    expect_match "^  $command  " "$out"
  done
done
for command in "${commands[@]}"; do
  expect_exit 0 hoyito "$command" --help </dev/null
  expect_empty "$err" "$command --help"
  expect_match "^Usage: hoyito $command" "$out"
  # Examples can be pasted: each stands whole in an indented line.
  expect_match "^  (.*[| ])?hoyito $command( |\$)" "$out" "$command --help"
  expect_exit 0 hoyito "$command" --usage </dev/null
  expect_match "^Usage: hoyito $command" "$out"
done
expect_exit 0 hoyito --version
expect_match '^hoyito [0-9]+\.[0-9]+\.[0-9]+$' "$out"
expect_empty "$err"
