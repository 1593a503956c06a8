# A disk without room, and one that can only be read: exit status 5, a message that names the file, what
# is there stays valid, and the command goes on when there is room.
set -euo pipefail
if [[ ${1:-} != --inside ]]; then
  if ! unshare --map-root-user --mount true 2>/dev/null; then
    echo "no file system can be made here: left out"
    exit 77
  fi
  exec unshare --map-root-user --mount bash "$0" --inside "$@"
fi
shift
. "$(dirname -- "$0")/../cli/lib.sh"
. "$source_folder/tests/faults/study.sh"
. "$source_folder/tests/faults/commands.sh"

enter inputs
make_inputs
sed -i 's/^games: .*/games: 2000/' study.yaml
for shard in 1 2; do
  rm "$shard.db"
  hoyito run study.yaml --shard "$shard/2" -o "$shard.db" >/dev/null 2>&1
done
hoyito run study.yaml -o complete.db >/dev/null 2>&1
disk=$scratch/disk
mkdir "$disk"

# check_readable WHAT: what is there can be read, or there is not even room for reading.
check_readable() {
  local status=0
  "$program" verify "$makes" >"$out" 2>"$err" || status=$?
  check
  case $status in
    0) ;;
    5) expect_match "there is no room for '$makes-shm'" "$err" "$1: verify" ;;
    *) fail "$1: exit status $status of verify: $(excerpt "$err")" ;;
  esac
}

# with_room BYTES NAME: runs the command in a small file system, then again with room.
with_room() {
  local status=0
  set_command "$2"
  mount -t tmpfs -o "size=$1" none "$disk"
  cp study.yaml sums.yaml small.yaml "$disk"
  for word in "${words[@]}"; do
    if [[ $word == *.db && $word != "$makes" ]]; then
      ln -s "$PWD/$word" "$disk/"
    fi
  done
  cd "$disk"
  "$program" "${words[@]}" <"$scratch/folders/inputs/${input#/dev/null}" >"$out" 2>"$err" || status=$?
  cp "$err" "$scratch/full.err"
  check
  case $status in
    0) num_fits=$((num_fits + 1)) ;;
    5)
      num_full=$((num_full + 1))
      expect_match "^hoyito: .*'$makes" "$scratch/full.err" "$2 in $1 bytes"
      expect_match 'No space left|is full|no room|has room for' "$scratch/full.err" "$2 in $1 bytes"
      if [[ $makes == *.db && -e $makes ]]; then
        check_readable "$2 in $1 bytes"
      elif [[ $makes == *.html || $makes == *.jsonl ]]; then
        expect_true "$2 in $1 bytes: half a file" test ! -e "$makes"
      fi
      expect_equal '' "$(find . -name '.*hoyito*')" "$2 in $1 bytes: what is left behind"
      mount -o "remount,size=64m" "$disk"
      if [[ $makes == *.db && -e $makes ]]; then
        expect_exit 0 hoyito verify "$makes"
      fi
      expect_exit 0 "$program" "${words[@]}" <"$scratch/folders/inputs/${input#/dev/null}"
      ;;
    *) fail "$2 in $1 bytes: exit status $status: $(excerpt "$scratch/full.err")" ;;
  esac
  made >"$scratch/got"
  expect_same_file "$scratch/want" "$scratch/got" "$2 in $1 bytes, then with room"
  cd "$scratch/folders/inputs"
  umount "$disk"
}

shares=(0 1 30 60 90 500)
if is_long; then
  mapfile -t shares < <(seq 0 2 160)
  shares+=(500)
fi
for name in run-moves merge rerun migrate report-html play-record solve; do
  set_command "$name"
  rm -rf made*
  expect_exit 0 "$program" "${words[@]}" <"$input"
  made >"$scratch/want"
  need=$(du -sb "$makes" | cut -f 1)
  rm -rf made*
  num_full=0 num_fits=0
  for share in "${shares[@]}"; do
    with_room $((12288 + need * share / 100)) "$name"
  done
  expect_true "$name: $num_full times without room" test "$num_full" -ge 1
  expect_true "$name: $num_fits times with room" test "$num_fits" -ge 1
done

# A file system that can only be read.
mount -t tmpfs none "$disk"
cp study.yaml complete.db small.yaml "$disk"
cd "$disk"
mount -o remount,ro "$disk"
expect_exit 0 hoyito report complete.db
expect_exit 0 hoyito run study.yaml -o complete.db
expect_exit 5 hoyito run study.yaml -o complete.db --games 4000
expect_match "'complete\\.db'.*read-?only" "$err" "more games on a read-only disk"
for name in run-moves report-html play-record; do
  set_command "$name"
  expect_exit 5 hoyito "${words[@]//study.db/complete.db}"
  expect_match "cannot write '$makes': Read-only file system" "$err" "$name on a read-only disk"
done
expect_exit 5 hoyito solve small.yaml --max-counters 8 -o made
expect_match "cannot make the folder 'made': Read-only file system" "$err" "solve on a read-only disk"
cd "$scratch"
umount "$disk"
