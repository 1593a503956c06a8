#!/usr/bin/env bash
# Instructions of a fixed job, as valgrind counts them: noise of the machine does not move them. Only
# those of playing, and of writing a row, are counted: how often a run commits depends on time.
. "$(dirname -- "$0")/lib.sh"

if ! command -v valgrind >/dev/null; then
  echo "skipped: there is no valgrind"
  check
  exit 0
fi
cd "$scratch"

# instructions FUNCTION COMMAND…: how many are executed in the function and all that it calls.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" "${@:2}" \
    >"$out" 2>"$err" || { cat "$err" >&2; return 1; }
  sed -n 's/^==.*Collected : \([0-9]*\).*/\1/p' "$err"
}

# job FUNCTION RECORD GAMES
job() {
  cat >"$2.yaml" <<END
experiment: instructions
seed: 1
games: $3
record: $2
rules: {holes: 6}
policies:
  - {south: random, north: random}
END
  instructions "$1" "$program" run "$2.yaml" -o "$2.db" -j 1
}

# expect_about MEASURED INSTRUCTIONS AMOUNT UNIT: at most twice what was measured once, and not next to
# nothing. What is measured is said in any case.
expect_about() {
  check
  local each=$((($2 + $3 / 2) / $3))
  echo "$each instructions a $4, once $1 ($2 for $3)"
  if [[ $each -gt $((2 * $1)) || $each -lt $(($1 / 4)) ]]; then
    fail "$each instructions a $4, where $(($1 / 4)) to $((2 * $1)) are allowed ($2 for $3)"
  fi
}

# Which path valgrind's processor has; what the 128-bit one takes is an estimate.
instructions main "$program" bench --json --only "2x6 random" --rounds 1 --milliseconds 1 >/dev/null
path=$(jq -r '.[] | select(.name == "2x6 random") | .path' "$out")
echo "$path"
case $path in
  *AVX*) once=133 ;;
  *) once=300 ;;
esac

counted=$(job hy_lanes_play summary 6000)
plies=$(sqlite3 summary.db "SELECT sum(json_extract(sums, '$.plies')) FROM block")
expect_about $once "$counted" "$plies" ply

counted=$(job hy_store_put_game games 3000)
rows=$(sqlite3 games.db "SELECT (SELECT count(*) FROM game) + (SELECT count(*) FROM chain)")
expect_about 12456 "$counted" "$rows" row
