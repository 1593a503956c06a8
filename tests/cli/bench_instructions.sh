#!/usr/bin/env bash
# Instructions of a fixed job, as valgrind counts them: noise of the machine does not move them. A run
# of few games is subtracted from one of many, so that starting and reporting do not count.
. "$(dirname -- "$0")/lib.sh"

if ! command -v valgrind >/dev/null; then
  echo "skipped: there is no valgrind"
  check
  exit 0
fi
cd "$scratch"

# instructions COMMAND…: how many it executes.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" >"$out" 2>"$err" ||
    { cat "$err" >&2; return 1; }
  sed -n 's/^==.*Collected : \([0-9]*\).*/\1/p' "$err"
}

# job RECORD GAMES
job() {
  cat >"$1-$2.yaml" <<END
experiment: instructions
seed: 1
games: $2
record: $1
rules: {holes: 6}
policies:
  - {south: random, north: random}
END
  instructions "$program" run "$1-$2.yaml" -o "$1-$2.db" -j 1
}

# expect_at_most BOUND INSTRUCTIONS AMOUNT UNIT: what was measured is said in any case.
expect_at_most() {
  check
  local each=$((($2 + $3 / 2) / $3))
  echo "$each instructions a $4 ($2 for $3), at most $1"
  if [[ $each -gt $1 ]]; then
    fail "$each instructions a $4, where $1 are allowed ($2 for $3)"
  fi
}

# Which path valgrind's processor has. Measured with AVX2: 184 a ply, 32,197 a row (playing included);
# bounds are twice that, and for 128 bits an estimate.
instructions "$program" bench --json --only "2x6 random" --rounds 1 --milliseconds 1 >/dev/null
path=$(jq -r '.[] | select(.name == "2x6 random") | .path' "$out")
case $path in
  *AVX-512*) bound=370 ;;
  *AVX2*) bound=370 ;;
  *) bound=900 ;;
esac

few=$(job summary 1000)
many=$(job summary 11000)
plies() { sqlite3 "$1" "SELECT sum(json_extract(sums, '$.plies')) FROM block"; }
echo "$path"
expect_at_most "$bound" $((many - few)) $(($(plies summary-11000.db) - $(plies summary-1000.db))) ply

few=$(job games 500)
many=$(job games 4500)
rows() { sqlite3 "$1" "SELECT (SELECT count(*) FROM game) + (SELECT count(*) FROM chain)"; }
expect_at_most 65000 $((many - few)) $(($(rows games-4500.db) - $(rows games-500.db))) row
