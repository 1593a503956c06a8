# A merge takes no more memory for more shards with more games, and neither do digest and the counting.
#
# HOYITO_TEST_SCALE=full: a thousand shards.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

full=0
[[ ${HOYITO_TEST_SCALE:-} != full ]] || full=1

# shards RECORD GAMES NUMBER: makes 1.db … NUMBER.db of them.
shards() {
  local shard
  cat >study.yaml <<YAML
experiment: study
question: For trial.
seed: 7
games: $2
max_plies: 10000
record: $1
rules: {preset: hoyito-ii, holes: 3}
policies:
  - {south: random, north: random}
YAML
  for ((shard = 1; shard <= $3; shard++)); do
    hoyito run study.yaml --shard "$shard/$3" -j 1 -o "$shard.db" >/dev/null 2>&1 || return 1
  done
}

# merged RECORD GAMES NUMBER: the digest is that of one process; the memory in KiB is in $memory.
merged() {
  enter "$1-$3"
  expect_true "$1: $3 shards" shards "$1" "$2" "$3"
  expect_exit 0 hoyito merge all.db $(seq -f '%.0f.db' "$3")
  expect_match "holds $2 of $2 games" "$out"
  memory=$(query all.db "SELECT max(record ->> '\$.resources.max_memory') / 1024 FROM provenance
    WHERE record ->> '\$.parameters.command[0]' LIKE '%merge'")
  expect_exit 0 hoyito run study.yaml -o one.db
  digest one.db | cut -d ' ' -f 1 >want
  digest all.db | cut -d ' ' -f 1 >got
  expect_same_file want got "$1: digest of $3 shards"
  (ulimit -v 300000 && digest all.db | cut -d ' ' -f 1) >got || true
  expect_same_file want got "$1: digest in 300 MB of addresses"
}

# KiB: the pages that a writer keeps (`cache_size` in src/store/store.c) fill with what is written.
cache=65536

# The inputs that are open at a time (64) take their share, so both have more of them than that. A row of a
# game is about 90 bytes, the bitmap of a block 8 KiB: what is merged is many times the memory.
for record in games summary; do
  case $record$full in
    games0) few=700 many=60000 number=100 ;;
    summary0) few=700 many=1500000 number=100 ;;
    games1) few=700 many=1000000 number=1000 ;;
    summary1) few=700 many=20000000 number=1000 ;;
  esac
  merged "$record" "$few" 66
  small=$memory
  merged "$record" "$many" "$number"
  echo "$record: $small KiB for 66 shards of $few games, $memory KiB for $number shards of $many games"
  expect_true "$record: the memory is not known" test "${small:-0}" -gt 1000 -a "${memory:-0}" -gt 1000
  expect_true "$record: $small KiB for $few games, $memory KiB for $many" \
    test $((10 * memory)) -le $((13 * small + 10 * cache + 20000))
done
