#!/usr/bin/env bash
# experiments/solved/solve.sh [OPTION…] [PART…]: values of start positions, with proof.
#
# For every entry of the parts (see `list`) it makes endgame tables, proves the value of the start or bounds
# of it, and collects all into one file. What a work folder holds already is not done again: an entry is tried again
# only with larger tables or more time, and then its bounds are joined with those there were. So the script
# can be stopped at any time, and hard entries can be given more later:
#
#   experiments/solved/solve.sh                                          the table, 60 s an entry
#   experiments/solved/solve.sh --positions 1e8 --time 600 frontier      hard ones over larger tables
#
# Parts: presets, rules, frontier, layers (all of them: when none is named), and check.
#   --quick          a small part of them, with checks, in some seconds; no work folder is needed
#   --time S         seconds an entry (60)
#   --positions N    tables of at most so many positions (15e6); about a byte each, in memory and on disk
#   --threads N      (1)
#   --memory SIZE    of the search's table (1G)
#   --laps N         longer sowings prove nothing (100000)
#   --only REGEX     entries whose name matches, such as '^hoyito-ii-6x'
#   --sign           only who wins
#   --work DIR       work folder (./solved-work)
#   --output FILE    where the rows go (solved.json in the work folder)
#
# `layers` counts the values in whole tables of Hoyito II (layers.json in the work folder).
# `check` computes proved values once more in other ways and notes it in the rows: see the README.
# Needs bash, jq, flock; HOYITO names the program (default: build/release/hoyito of the tree).
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "$0")/../.." && pwd)
hoyito=${HOYITO:-$root/build/release/hoyito}
seconds=60 positions=15e6 threads=1 memory=1G laps=100000 only='' work=solved-work output='' quick=0 sign=()
parts=()

die() {
  echo "solve.sh: $*" >&2
  exit 2
}

while [[ $# -gt 0 ]]; do
  case $1 in
    --quick) quick=1 ;;
    --sign) sign=(--sign) ;;
    --time | --positions | --threads | --memory | --laps | --only | --work | --output)
      [[ $# -ge 2 ]] || die "$1 takes a value"
      case $1 in
        --time) seconds=$2 ;;
        --positions) positions=$2 ;;
        --threads) threads=$2 ;;
        --memory) memory=$2 ;;
        --laps) laps=$2 ;;
        --only) only=$2 ;;
        --work) work=$2 ;;
        --output) output=$2 ;;
      esac
      shift
      ;;
    presets | rules | frontier | layers | check) parts+=("$1") ;;
    *) die "unknown: '$1'; the options are in the head of the script" ;;
  esac
  shift
done
if [[ $quick -eq 1 ]]; then
  seconds=20 positions=1e6 only='^hoyito-(i|ii)-[23]x[1-4]$|^hoyito-ii-4x[14]$'
  work=$(mktemp -d)
  trap 'rm -rf -- "$work"' EXIT
  output=${output:-/dev/stdout}
  parts=(presets check)
fi
[[ ${#parts[@]} -gt 0 ]] || parts=(presets rules frontier layers)
output=${output:-$work/solved.json}
mkdir -p "$work/rows" "$work/tables" "$work/variants"

# One line an entry: preset, holes, seeds, other fields (a:b,c:d).
list() {
  local preset holes seeds field
  case $1 in
    presets)
      for preset in hoyito-ii hoyito-i hoyito-iii hoyito-ii-opponent-side; do
        for holes in 2 3 4 5 6; do
          for seeds in 1 2 3 4 5 6 7 8; do
            echo "$preset $holes $seeds"
          done
        done
      done
      ;;
    rules)
      for seeds in 1 2 3 4 5 6 7 8; do
        echo "hoyito-ii 6 $seeds extra_turn:false"
      done
      for field in en_passant:sower en_passant:owner capture_side:own relay:false skip_origin:true claim:0 \
        no_move:sweep endless:forbid chain_capture:false,extra_turn:false \
        chain_capture:false,en_passant:sower; do
        echo "hoyito-ii 6 4 $field"
      done
      echo "hoyito-i 6 4 final_capture:false"
      ;;
    frontier)
      for holes in 7 8; do
        for seeds in 1 2 3 4; do
          echo "hoyito-ii $holes $seeds"
        done
      done
      for seeds in 1 2 3 4; do
        echo "hoyito-ii 12 $seeds"
      done
      ;;
  esac
}

name_of() { # PRESET HOLES SEEDS [FIELDS]
  local fields=${4:-}
  echo "$1${fields:+-${fields//[_:,]/-}}-$2x$3"
}

write_variant() { # NAME PRESET HOLES SEEDS [FIELDS]
  printf 'name: %s\nsource: own\npreset: %s\nholes: %s\nseeds: %s\n' "$1" "$2" "$3" "$4"
  tr , '\n' <<<"${5:-}" | sed -n 's/:/: /p'
}

# The largest layer with which all tables stay within the limit.
counters_for() { # FILE TOTAL
  "$hoyito" solve "$1" --max-counters "$2" --dry-run --json |
    jq --argjson most "$positions" '[foreach .layers[] as $l ({sum: 0}; {sum: (.sum + $l.positions), n: $l.counters};
      select(.sum <= $most) | .n)] | max // 0'
}

# A start that is over at once is refused, and gets a row too.
refuse() { # NAME PRESET HOLES SEEDS FIELDS MESSAGE
  jq -n --arg name "$1" --arg preset "$2" --argjson holes "$3" --argjson seeds "$4" --arg fields "$5" \
    --arg why "${6##*: }" '{name: $name, variant: $preset, fields: ($fields | if . == "" then [] else split(",") end), holes: $holes,
      seeds: $seeds, value: null, lower: null, upper: null, proved: false, winner: null, refused: $why, checked: []}'
}

# What two searches have found of one entry; the tables and the effort are those of the later one.
join_rows() {
  jq -s 'if length == 1 then .[0] else . as [$old, $new]
    | ([$old.lower, $new.lower] | max) as $low | ([$old.upper, $new.upper] | min) as $high
    | if $low > $high then error("\($new.name): bounds contradict each other") else . end
    | (if $old.proved or ($old.lower == $low and $old.upper == $high and ($new.lower < $low or $new.upper > $high)) then $old
       else $new end)
    | .lower = $low | .upper = $high | .proved = ($low == $high) | .value = (if $low == $high then $low else null end)
    | .winner = (if $low > 0 then "south" elif $high < 0 then "north" elif $low == $high then "draw" else null end)
    | .tried = [$old.tried[], $new.tried[]] | .checked = ([$old.checked[], $new.checked[]] | unique)
    | if .proved and (.best + .open == []) then .open = [range(0; .holes)] else . end end' "$@"
}

solve_entry() { # PRESET HOLES SEEDS [FIELDS]
  local name file row tables counters total=$((2 * $2 * $3)) message answer
  name=$(name_of "$@")
  [[ -z $only || $name =~ $only ]] || return 0
  file=$work/variants/$name.yaml row=$work/rows/$name.json
  write_variant "$name" "$@" >"$file"
  if ! message=$("$hoyito" solve "$file" --max-counters 0 --dry-run 2>&1); then
    [[ $message == *'counters that the game has'* ]] || die "$message"
    refuse "$name" "$1" "$2" "$3" "${4:-}" "$message" >"$row"
    return 0
  fi
  counters=$(counters_for "$file" "$total")
  if [[ -f $row ]] && jq -e --argjson c "$counters" --argjson s "$seconds" --arg sign "${sign[*]}" \
    '.proved or (.tried | any(.table_counters >= $c and .limit >= $s and .sign == ($sign != "")))' "$row" >/dev/null; then
    return 0
  fi
  tables=$work/tables/$(name_of "$1" "$2" "$((total % 4))" "${4:-}")
  mkdir -p "$tables"
  if ! flock "$tables.lock" "$hoyito" solve "$file" --max-counters "$counters" -o "$tables" -j "$threads" \
    >/dev/null 2>"$work/message.$$"; then
    tail -n 1 "$work/message.$$" >&2
    return 1
  fi
  echo "$name: over $counters of $total counters" >&2
  answer=$work/rows/.$name.$$
  if ! "$hoyito" prove "$file" --tables "$tables" --max-counters "$counters" --time "$seconds" --memory "$memory" --max-laps "$laps" \
    -j "$threads" "${sign[@]}" --json 2>"$work/message.$$" >"$answer.prove"; then
    tail -n 1 "$work/message.$$" >&2
    return 0
  fi
  jq --arg preset "$1" --argjson holes "$2" --argjson seeds "$3" --arg fields "${4:-}" --argjson limit "$seconds" \
    --arg sign "${sign[*]}" --argjson total "$total" \
    '{name: .variant, variant: $preset, fields: ($fields | if . == "" then [] else split(",") end), holes: $holes,
      seeds: $seeds, value, lower, upper, proved, winner, best, open, line, nodes: .all_nodes, seconds: (.seconds * 100 | ceil / 100),
      table_counters, by: (if .table_counters >= $total then "table of the start" else "search over tables" end),
      tried: [{table_counters, limit: $limit, sign: ($sign != ""), lower, upper}], checked: []}' \
    "$answer.prove" >"$answer.new"
  if [[ -f $row ]]; then
    join_rows "$row" "$answer.new" >"$answer"
  else
    cp -- "$answer.new" "$answer"
  fi
  mv -- "$answer" "$row"
  rm -- "$answer.prove" "$answer.new"
  jq -r '"  \(.lower) to \(.upper)\(if .proved then ", proved" else "" end)"' "$row" >&2
}

note_check() { # ROW WHAT [STATES]
  jq --arg what "$2" --argjson states "${3:-null}" '.checked = (.checked + [$what] | unique) | if $states then .reachable = $states else . end' \
    "$1" >"$1.new"
  mv -- "$1.new" "$1"
}

differs() {
  echo "solve.sh: $1: $2 says $3" >&2
  exit 1
}

# From all positions that can be reached, where they are few.
check_exactly() { # NAME FILE ROW
  local answer=$work/exact.$$
  timeout 120 "$hoyito" exact "$2" --json --mass 0.01 --max-plies 1 --memory 1G >"$answer" 2>/dev/null || return 0
  jq -e .perfect "$answer" >/dev/null || return 0
  [[ $(jq .perfect.value "$answer") == $(jq .value "$3") ]] || differs "$1" exact "$(jq .perfect.value "$answer")"
  note_check "$3" exact "$(jq .perfect.states "$answer")"
}

# By a search over tables of another size, with a walk through a whole strategy for both bounds.
check_by_search() { # NAME FILE ROW TABLES COUNTERS
  local answer=$work/again.$$ status=0
  timeout $((4 * seconds)) "$hoyito" prove "$2" --tables "$4" --max-counters "$5" --time "$seconds" \
    --memory "$memory" --max-laps "$laps" -j 1 --json --verify >"$answer" 2>"$work/message.$$" || status=$?
  case $status in
    0) ;;
    124) return 0 ;;
    *) differs "$1" verification "$(tail -n 1 "$work/message.$$")" ;;
  esac
  jq -e --slurpfile row "$3" '.lower <= $row[0].value and .upper >= $row[0].value' "$answer" >/dev/null ||
    differs "$1" "a search over other tables" "$(jq -c '[.lower, .upper]' "$answer")"
  jq -e .proved "$answer" >/dev/null || return 0
  note_check "$3" "other tables"
  if jq -e .verified "$answer" >/dev/null; then
    note_check "$3" strategy
  fi
}

# A proved value once more.
check_entry() { # PRESET HOLES SEEDS [FIELDS]
  local name row file tables counters largest other total=$((2 * $2 * $3))
  name=$(name_of "$@")
  row=$work/rows/$name.json file=$work/variants/$name.yaml
  [[ -z $only || $name =~ $only ]] || return 0
  [[ -f $row ]] && jq -e .proved "$row" >/dev/null || return 0
  if ! jq -e '.checked | index("exact")' "$row" >/dev/null && [[ $# -eq 3 ]] &&
    { [[ $2 -eq 2 ]] || [[ $2 -eq 3 && $3 -le 5 ]] || [[ $2 -eq 4 && $3 -le 2 ]] || [[ $2 -eq 5 && $3 -eq 1 ]]; }; then
    check_exactly "$name" "$file" "$row"
  fi
  tables=$work/tables/$(name_of "$1" "$2" $((total % 4)) "${4:-}")
  counters=$(jq .table_counters "$row")
  largest=$(find -L "$tables" -name '*.hyt' -printf '%f\n' | sort | tail -n 1)
  largest=$((10#${largest%.hyt}))
  largest=$((largest < total ? largest : total))
  for other in "$largest" $((counters - 4)) $((counters - 8)); do
    if [[ $other -ne $counters && $other -ge 0 ]] && ! jq -e '.checked | index("other tables")' "$row" >/dev/null; then
      check_by_search "$name" "$file" "$row" "$tables" "$other"
    fi
  done
  rm -f -- "$work/exact.$$" "$work/again.$$"
}

# How many positions of each layer are worth more than 0, 0, and less to their mover.
count_layers() {
  local holes file tables
  for holes in 4 5 6; do
    file=$work/variants/layers-$holes.yaml tables=$work/tables/hoyito-ii-${holes}x0
    mkdir -p "$tables"
    write_variant "layers-$holes" hoyito-ii "$holes" 4 >"$file"
    flock "$tables.lock" "$hoyito" solve "$file" --max-counters "$(counters_for "$file" $((8 * holes)))" -o "$tables" \
      -j "$threads" --json 2>"$work/message.$$" | jq -c --argjson holes "$holes" '.layers[] | {holes: $holes} + .'
  done | jq -rs '"[\n" + (map(tojson) | join(",\n")) + "\n]"' >"$work/layers.json"
}

collect() {
  find "$work/rows" -name '[!.]*.json' -print0 | sort -z | xargs -0 jq -s 'sort_by(.variant, .fields, .holes, .seeds)' |
    jq -r '"[\n" + (map(tojson) | join(",\n")) + "\n]"' >"$work/.solved.json"
  cat -- "$work/.solved.json" >"$output"
}

for part in "${parts[@]}"; do
  if [[ $part == layers ]]; then
    count_layers
  elif [[ $part == check ]]; then
    while read -r -a entry; do
      check_entry "${entry[@]}" </dev/null
    done < <(list presets; list rules; list frontier)
  else
    while read -r -a entry; do
      solve_entry "${entry[@]}" </dev/null
    done < <(list "$part")
  fi
  collect
done
