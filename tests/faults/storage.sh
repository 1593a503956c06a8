# Files that cannot be written, are taken away, or are used by others meanwhile.
#
#   bash storage.sh PROGRAM SOURCE_FOLDER GOLDEN_FOLDER CLOCK_BACK.so
set -euo pipefail
clock=$(realpath -- "$4")
set -- "$1" "$2" "$3"
. "$(dirname -- "$0")/../cli/lib.sh"
. "$source_folder/tests/faults/study.sh"
RANDOM=9

# Two writers at once: one of them may give way (exit 5), and no game is lost or doubled. A reader is in
# nobody's way.
enter games
calibrate games 1500
hoyito run study.yaml -j 2 >/dev/null 2>&1
cp study.db complete.db
digest study.db >want
rm -f study.db*
"$program" run study.yaml -j 1 >one.out 2>one.err &
# shellcheck disable=SC2034 # read by its name
one=$!
sleep 0.4
expect_exit 0 hoyito report study.db --json
expect_json ".games_asked_for == $((3 * num_games))" "$out" "a report of a running run"
expect_exit 0 hoyito run study.yaml --dry-run
"$program" run study.yaml -j 1 >two.out 2>two.err &
# shellcheck disable=SC2034 # likewise
two=$!
for name in one two; do
  status=0
  wait "${!name}" || status=$?
  check
  if [[ $status -ne 0 && $status -ne 5 ]]; then
    fail "writer $name: exit status $status: $(excerpt "$name.err")"
  elif [[ $status -eq 5 ]]; then
    expect_match 'another process' "$name.err" "the writer that gives way"
  fi
done
expect_equal ok "$(query study.db 'PRAGMA integrity_check')" "integrity after two writers"
expect_exit 0 hoyito run study.yaml
check_complete "games, two writers"

# Several that make the file at once; a link to nowhere; a name that leaves no room for the journal's.
rm -f study.db*
for name in one two three; do
  "$program" run study.yaml -j 1 --games 10 >$name.out 2>$name.err &
done
wait
for name in one two three; do
  expect_no_match 'File exists' $name.err "$name of three at once"
done
expect_exit 0 hoyito run study.yaml
check_complete "games, three at once"
ln -s nowhere link.db
expect_exit 5 hoyito run study.yaml -o link.db
expect_match "'link\.db': it is a link to a file that is not there" "$err"
rm link.db
long=$(printf '%0248d' 0)
expect_exit 2 hoyito run study.yaml -o "$long"
expect_match 'has 248 bytes; at most 247 leave room' "$err"
expect_equal '' "$(list "$long")" "files of a long name"
expect_exit 0 hoyito run study.yaml --games 10 -o "${long:1}"
rm "${long:1}"

# No room: exit 5, what is there stays valid, and the run goes on when there is room.
rm -f study.db*
status=0
(
  ulimit -f $(($(stat -c %s complete.db) / 2048))
  exec "$program" run study.yaml -j 2
) >"$out" 2>"$err" || status=$?
expect_equal 5 "$status" "exit status without room"
expect_match '^hoyito: .*study\.db' "$err" "no room"
expect_empty "$out" "no room"
expect_exit 0 hoyito report study.db
expect_exit 0 hoyito run study.yaml
check_complete "games, after no room"
rm -f study.db*
status=0
(
  ulimit -f 10
  exec "$program" run study.yaml -j 2
) >"$out" 2>"$err" || status=$?
expect_equal 5 "$status" "exit status without any room"
expect_match '^hoyito: .*study\.db' "$err" "no room at all"
expect_equal '' "$(list study.db)" "files made without any room"

# start: a long run in the background that has committed games; sets pid.
start() {
  rm -f study.db*
  "$program" run study.yaml -j 2 --games $((50 * num_games)) >"$out" 2>"$err" &
  pid=$!
  wait_for_commit "$pid"
}

# ends CODE WHAT: how that run ends.
ends() {
  status=0
  wait "$pid" || status=$?
  expect_equal "$1" "$status" "exit status: $2"
}

# begun: a database of a run that was killed, with its journal.
begun() {
  rm -f study.db*
  "$program" run study.yaml -j 2 >"$out" 2>"$err" &
  pid=$!
  until [[ -s study.db-wal ]]; do
    sleep 0.005
  done
  kill -s KILL "$pid"
  wait "$pid" 2>/dev/null || true
}

# Another program that keeps the file to itself is waited for, in vain where it takes too long.
if is_long; then
  begun
  sqlite3 study.db 'BEGIN EXCLUSIVE' '.system sleep 15' &
  pid=$!
  sleep 1
  expect_exit 5 hoyito run study.yaml --games $((2 * num_games))
  expect_match "in 'study\.db': another process is using it" "$err"
  wait "$pid"
  rm -f study.db*
fi

# The database is removed, or another file takes its place, while it is written to.
start
rm -f study.db*
ends 5 "removed during a run"
expect_match "'study\.db' has been removed or replaced" "$err"
expect_empty "$out" "removed during a run"
expect_equal '' "$(list study.db)" "files of a removed database"
start
cp complete.db other.db
mv other.db study.db
ends 5 "replaced during a run"
expect_match "'study\.db' has been removed or replaced" "$err"
expect_same_file complete.db study.db "the file in its place"
rm -f study.db*

# Its journal alone is removed: the run does not need the name.
rm -f study.db*
"$program" run study.yaml -j 2 >"$out" 2>"$err" &
pid=$!
until [[ -e study.db-wal ]]; do
  sleep 0.01
done
rm -f study.db-wal
ends 0 "journal removed during a run"
check_complete "games, journal removed"

# A journal without its database is no part of a new one, and may be all that is left of games.
begun
mv study.db moved.db
expect_exit 5 hoyito run study.yaml
expect_match "'study\.db' is not there, but its journal 'study\.db-wal' is" "$err"
mv moved.db study.db
expect_exit 0 hoyito run study.yaml
check_complete "games, moved and put back"

# What has been stored is stored again nowhere, whatever the clock says.
rm -f study.db*
expect_exit 0 env LD_PRELOAD="$clock" "$program" run study.yaml -j 2 --games $((num_games / 2))
expect_exit 0 env LD_PRELOAD="$clock" "$program" run study.yaml -j 2
check_complete "games, clock set back"
expect_exit 0 env LD_PRELOAD="$clock" "$program" report study.db --html page.html
expect_equal 0 "$(query study.db "SELECT count(*) FROM provenance
  WHERE julianday(timestamp) > julianday('now') - 0.5")" "runs at the right time"
expect_equal 0 "$(query study.db "SELECT count(*) FROM provenance
  WHERE json_extract(record, '$.resources.elapsed_time') NOT BETWEEN 0 AND 1000")" "times taken"

# A reader that holds on to one state: the run ends well, the journal is no larger than what was written,
# and it is gone when the next command that writes has been there.
begun
held_games=$(count)
mkfifo queries
sqlite3 -readonly study.db <queries >held &
reader=$!
exec 8>queries
echo 'BEGIN; SELECT count(*) FROM game;' >&8
while [[ ! -s held ]]; do
  sleep 0.02
done
expect_exit 0 hoyito run study.yaml -j 2
expect_match "^note: another process reads 'study\.db', so a part of it is still in 'study\.db-wal'" "$err"
expect_json ".games == $((3 * num_games))" <(hoyito report study.db --json) "a report beside the reader"
expect_true "the journal is bounded" \
  test "$(stat -c %s study.db-wal)" -le $((2 * $(stat -c %s complete.db) + 4194304))
echo 'SELECT count(*) FROM game;' >&8
exec 8>&-
wait "$reader"
expect_equal "$held_games|$held_games" "$(paste -s -d '|' held)" "what the reader sees"
expect_exit 0 hoyito run study.yaml
check_complete "games, beside a reader"
expect_no_match '^note' "$err" "a database in one file"

# Readers that come and go: the journal is emptied again and again.
rm -f study.db*
"$program" run study.yaml -j 2 >"$out" 2>"$err" &
pid=$!
most=0
while kill -s 0 "$pid" 2>/dev/null; do
  sqlite3 -readonly study.db 'SELECT count(*) FROM game' >/dev/null 2>&1 || true
  size=$(stat -c %s study.db-wal 2>/dev/null || echo 0)
  most=$((size > most ? size : most))
done
ends 0 "beside readers"
expect_true "the journal is at most $most bytes" test "$most" -le $((64 << 20))
expect_exit 0 hoyito run study.yaml # a reader may have been there when the first one ended
check_complete "games, beside readers"

# Folders and files without leave to write, as somebody who has to obey that.
mkdir locked
cp complete.db locked/study.db
cp study.yaml locked/
chmod 444 locked/study.db
chmod 555 locked
as_somebody=()
if [[ $(id -u) -eq 0 ]]; then
  as_somebody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 711 "$scratch" "$scratch/folders" .
fi
somebody() { "${as_somebody[@]}" "$program" "$@"; }
if "${as_somebody[@]}" test -x "$program" && ! "${as_somebody[@]}" touch locked/file 2>/dev/null; then
  cd locked
  expect_exit 0 somebody report study.db
  expect_exit 0 somebody run study.yaml
  expect_match 'nothing to play' "$err"
  expect_exit 5 somebody run study.yaml --games $((2 * num_games))
  expect_match "'study\.db'.*(readonly|read-only|Permission denied)" "$err" "a file without leave"
  cd ..
  mkdir unfinished
  cp study.yaml unfinished/
  cp complete.db unfinished/study.db
  query unfinished/study.db 'PRAGMA journal_mode = WAL' >/dev/null
  chmod 444 unfinished/study.db
  chmod 555 unfinished
  cd unfinished
  expect_exit 5 somebody report study.db
  expect_match "'study\.db': a run of it has not ended in good order, and to read it then takes leave" "$err"
  cd ../locked
  expect_exit 5 somebody run study.yaml -o new.db
  expect_match "cannot write 'new\.db': Permission denied" "$err" "a folder without leave"
  expect_exit 5 somebody merge new.db study.db
  expect_match "cannot write 'new\.db': Permission denied" "$err" "a folder without leave"
  expect_exit 5 somebody report study.db --html new.html
  expect_match "cannot write 'new\.html': Permission denied" "$err" "a folder without leave"
  expect_exit 5 somebody solve hoyito-ii --max-counters 4 -o tables
  expect_match "cannot make the folder 'tables': Permission denied" "$err" "a folder without leave"
  expect_exit 5 somebody play --south random --north random --record new.jsonl
  expect_match "cannot write 'new\.jsonl': Permission denied" "$err" "a folder without leave"
  expect_equal study.db "$(list study.db)" "files of a locked folder"
  cd ..
else
  echo "no user here whom a folder can be closed to: left out"
fi
