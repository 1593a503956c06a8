# The tables of the README from solved.json:  jq -rf tables.jq solved.json
#
# A value is that to south, in counters; behind it the best first holes of those that are known; "?" where of some hole it is not known.
# Bounds of a value that is not proved stand as [lower, upper].

def holes: if (.best | length) == .holes then "all" elif .best == [] then "?" else (.best | join(" ")) + (if .open == [] then "" else " ?" end) end;
def cell:
  if . == null then "" elif has("refused") then "–"
  elif .proved then "\(.value) (\(holes))" else "[\(.lower), \(.upper)]" end;
def row: "| " + join(" | ") + " |";
def at($rows; $holes; $seeds): [$rows[] | select(.holes == $holes and .seeds == $seeds)][0];
def grid($rows; $widths):
  ([range(1; 9)] as $all | $all | map(. as $s | select(any($rows[]; .seeds == $s)))) as $seeds
  | (["holes \\ counters"] + ($seeds | map(tostring)) | row), ([range(0; ($seeds | length) + 1) | "---"] | row),
    ($widths[] as $h | ["2×\($h)"] + [$seeds[] as $s | at($rows; $h; $s) | cell] | row);

. as $all
| (("hoyito-ii", "hoyito-i", "hoyito-iii", "hoyito-ii-opponent-side") as $p
   | "`\($p)`:", "", grid([$all[] | select(.variant == $p and .fields == [])];
       if $p == "hoyito-ii" then [2, 3, 4, 5, 6, 7, 8, 12] else [2, 3, 4, 5, 6] end), ""),
  "`extra_turn: false`:", "", grid([$all[] | select(.fields == ["extra_turn:false"])]; [6]), "",
  (["rule", "value", "best first holes"] | row), (["---", "---", "---"] | row),
  ($all[] | select(.holes == 6 and .seeds == 4) | . as $r
   | [([("`\(.variant)`" | select($r.fields == [] or $r.variant != "hoyito-ii")),
       (.fields[] | "`\(sub(":"; ": "))`")] | join(", ")),
      (if .proved then "\(.value)" else "[\(.lower), \(.upper)]" end), (if .proved then holes else "" end)] | row)
