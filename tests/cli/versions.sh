# Databases of every schema version: refused with the way out, and that way taken.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

versions=$source_folder/tests/store/versions
current=$(sed -n 's/^#define HY_SCHEMA_VERSION //p' "$source_folder/src/store/schema.h")

# unpack VERSION EXPERIMENT: makes old.db.
unpack() {
  gzip -dc "$versions/$1-$2.db.gz" >old.db
  cp old.db kept.db
}

# The digests that the programs of versions 2, 3 and 4 printed of these experiments.
declare -A digests=(
  [first-games]=65dad87167e7cf1be698b54c212d00f01a44d168ada0733230f06667175482fc
  [games]=65dad87167e7cf1be698b54c212d00f01a44d168ada0733230f06667175482fc
  [moves]=28c699a19295fedda2ccc0459e3296f9000db189373b3c471e9464c231f6471e
  [summary]=9b0d0aebef12a629990a8e5d4a7954da5910a019a8067ef3fb3a996a68ce04f8
  [stop]=544dfa6f59269f60c606191aa75fe619ee3358e8801d004a1d3e0b6053fa02e9
  [stop_summary]=774b73de47d6d589ec025de26c564327f3c0c38c9411d1e4954118a3b1b4a715
)

# expect_new EXPERIMENT WHAT: new.db is a whole database of today.
expect_new() {
  expect_equal "$current" "$(query new.db 'PRAGMA user_version')" "$2: version"
  expect_equal ok "$(query new.db 'PRAGMA integrity_check')" "$2: integrity"
  expect_equal "${digests[$1]}" "$(digest new.db)" "$2: digest"
  expect_exit 0 hoyito verify new.db
  expect_exit 0 hoyito report new.db
  expect_same_file kept.db old.db "$2: the old file"
  expect_equal 'kept.db new.db old.db' "$(printf "%s\n" * | paste -s -d ' ')" "$2: files"
}

# way_of VERSION EXPERIMENT
way_of() {
  case $1-$2 in
  1-*) echo rerun ;;
  3-stop*) echo rerun ;;
  *) echo migrate ;;
  esac
}

shopt -s nullglob
newest=0
for packed in "$versions"/*.db.gz; do
  name=$(basename "$packed" .db.gz)
  version=${name%%-*}
  experiment=${name#*-}
  enter "$name"
  unpack "$version" "$experiment"
  expect_equal "$version" "$(query old.db 'PRAGMA user_version')" "$name"
  newest=$((version > newest ? version : newest))

  # Played again: every version, with all columns that it has.
  expect_exit 0 hoyito rerun old.db -o new.db
  expect_match "$([[ $version == 1 ]] && echo '^equal in all that was compared$' || echo '^equal$')" "$out" "$name"
  expect_new "$experiment" "$name rerun"
  expect_exit 0 hoyito rerun old.db --check --json
  expect_json ".equal and .finished and .schema_version == $version and .digest == \"${digests[$experiment]}\"" \
    "$out" "$name"
  if [[ $version == 1 ]]; then
    expect_json '.digest_before == null and (.lacking | contains("legal_holes") or contains("block.sums"))' "$out"
  else
    expect_json '.digest_before == .digest' "$out" "$name"
  fi
  if [[ $version == "$current" ]]; then
    expect_exit 0 hoyito verify old.db
    expect_equal "${digests[$experiment]}" "$(digest old.db)" "$name"
    rm new.db
    expect_exit 3 hoyito migrate old.db -o new.db
    expect_match 'nothing to do' "$err" "$name"
    continue
  fi

  # Every command refuses an older file, and names both versions and the command that helps.
  way=$(way_of "$version" "$experiment")
  for command in report verify digest "compare --metric plies --by holes" ladder quality "plan --half-width 0.1"; do
    # shellcheck disable=SC2086
    expect_exit 3 hoyito $command old.db
    expect_match "'old\.db' has the schema version $version; .* version $current: 'hoyito $way old\.db -o NEW\.db'" \
      "$err" "$name: $command"
  done
  expect_exit 3 hoyito merge merged.db old.db
  expect_exit 3 hoyito run "$versions/${experiment#first-}.yaml" -o old.db
  expect_match "hoyito $way old\.db" "$err" "$name: run"
  rm new.db
  if [[ $way == rerun ]]; then
    expect_exit 3 hoyito migrate old.db -o new.db
    expect_match "hoyito rerun old\.db -o NEW\.db" "$err" "$name"
    expect_equal 'kept.db old.db' "$(printf "%s\n" * | paste -s -d ' ')" "$name: files after a refused migration"
    continue
  fi
  expect_exit 0 hoyito migrate old.db -o new.db --json
  expect_json ".schema_version == $version and .digest == \"${digests[$experiment]}\"" "$out" "$name"
  expect_new "$experiment" "$name migrated"
  expect_equal 2 "$(query new.db 'SELECT count(*) FROM provenance')" "$name: rows of provenance"
  expect_exit 0 hoyito run "$versions/$experiment.yaml" -o new.db
  expect_match 'nothing to play' "$err" "$name: a migrated run goes on"
  cp new.db twice.db
  expect_exit 2 hoyito migrate old.db -o new.db
  expect_match "'new\.db' is there already" "$err"
  expect_same_file twice.db new.db "$name: a file that was there"
done
expect_equal "$current" "$newest" "the newest version has files in tests/store/versions"

# A migration takes away nothing but what another one has left.
enter drafts
unpack 2 games
mv old.db new.db.draft
echo precious >new.db.draft-wal
expect_exit 0 hoyito migrate kept.db -o new.db
expect_same_file kept.db new.db.draft "a file of such a name"
expect_equal precious "$(cat new.db.draft-wal)" "a file of such a name"
rm new.db new.db.draft*
for file in kept.db /dev/null; do
  cp "$file" .new.db.hoyito
  sha256sum .new.db.hoyito >before
  expect_exit 5 hoyito migrate kept.db -o new.db
  expect_match "'\.new\.db\.hoyito' is in the way" "$err" "$file"
  expect_true "$file is as it was" sha256sum --quiet -c before
done
rm .new.db.hoyito
expect_exit 0 hoyito migrate kept.db -o new.db
cp new.db .again.db.hoyito # as a killed one leaves it
expect_exit 0 hoyito migrate kept.db -o again.db
expect_equal 'again.db before kept.db new.db' "$(find . -type f -printf '%f\n' | sort | paste -s -d ' ')" files

# A file of a newer version, and of one that never was.
enter newer
unpack "$current" games
query old.db "PRAGMA user_version = $((current + 1))"
for command in "report old.db" "rerun old.db -o new.db" "migrate old.db -o new.db" "rerun old.db --check"; do
  # shellcheck disable=SC2086
  expect_exit 3 hoyito $command
  expect_match "'old\.db' has the schema version $((current + 1)).* newer hoyito; this one reads version $current" "$err"
done
query old.db "PRAGMA user_version = 0"
expect_exit 3 hoyito rerun old.db -o new.db
expect_match "schema version 0, which no hoyito ever had" "$err"
expect_equal 'kept.db old.db' "$(printf "%s\n" * | paste -s -d ' ')" "files after refusals"

# One changed value in an old file is found, whatever the version.
# changed VERSION EXPERIMENT SQL WORD
changed() {
  enter "changed-$1-$2"
  rm -f -- *.db
  unpack "$1" "$2"
  query old.db "$3"
  expect_true "changes something: $3" eval '! cmp -s old.db kept.db'
  expect_exit 3 hoyito rerun old.db --check
  expect_match "$4" "$out" "$1-$2: $3"
}
for version in 1 2 3 4; do
  changed "$version" games "UPDATE game SET turns = turns + 1 WHERE condition_id = 2 AND swapped = 1 AND number = 7" \
    "table 'game' at condition_id 2, swapped 1, number 7: 'turns' is"
  changed "$version" games "UPDATE game SET move_hash = '0123456789abcdef' WHERE condition_id = 1 AND number = 3" \
    "'move_hash'"
  changed "$version" games "UPDATE chain SET count = count + 1" "table 'chain'"
  changed "$version" games "INSERT INTO chain VALUES (2, 1, 11, 9, 1)" "only the first has this row"
  changed "$version" games "DELETE FROM chain WHERE (condition_id, swapped, number, length) IN (SELECT condition_id,
    swapped, number, length FROM chain LIMIT 1)" "only the second has this row"
  changed "$version" moves "UPDATE move SET holes = zeroblob(length(holes)) WHERE condition_id = 1 AND number = 2" \
    "table 'move' .*'holes'"
  changed "$version" summary \
    "UPDATE block SET sums = json_set(sums, '\$.laps', 1) WHERE condition_id = 2" "table 'block' .*'sums'"
  changed "$version" summary \
    "UPDATE block SET products = json_set(products, (SELECT fullkey FROM json_each(products) LIMIT 1), 1)" "'products'"
done
changed 3 stop "UPDATE stop SET looks = looks + 1" "table 'stop'"
changed 4 stop "UPDATE stop SET low = low + 0.001" "table 'stop' .*'low'"
changed 4 stop_summary "UPDATE look SET y = y + 1 WHERE games = 20" "table 'look' .*'y'"

# What an old file says of itself is checked as in a new one.
enter damaged
unpack 1 games
query old.db "UPDATE experiment SET seed = '5'"
expect_exit 3 hoyito rerun old.db --check
expect_match 'hash' "$err"
unpack 1 first-games
query old.db "UPDATE experiment SET seed = '5'"
expect_exit 3 hoyito rerun old.db --check
expect_match 'hash' "$err"
unpack 1 games
query old.db "UPDATE experiment SET policies_version = 'hoyito-policies/0'"
expect_exit 3 hoyito rerun old.db --check
expect_match "made with 'hoyito-policies/0'; this program has" "$err"
unpack 2 games
query old.db "ALTER TABLE condition DROP COLUMN max_laps"
expect_exit 3 hoyito rerun old.db --check
expect_match "'condition' has no column 'max_laps'" "$err"
unpack 2 games
query old.db "ALTER TABLE game RENAME TO other; CREATE VIEW game AS SELECT * FROM other"
expect_exit 3 hoyito rerun old.db --check
expect_match 'views or triggers that no hoyito makes' "$err"
unpack 3 games
query old.db "CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END"
expect_exit 3 hoyito migrate old.db -o new.db
expect_match 'views or triggers that no hoyito makes' "$err"
