# hoyito report --html: one self-contained page, read by headless Chromium.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

# dom FILE: the page as a browser understands it.
dom() {
  HOME=$scratch chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$scratch/profile" --dump-dom "file://$(realpath "$1")" 2>/dev/null
}

# cells DOM TABLE: the cells of a table, a row a line, tabs between.
cells() {
  python3 - "$1" "$2" <<'EOF'
import html.parser, sys

class Cells(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.inside, self.rows, self.cell = False, [], None

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.inside = dict(attributes).get("id") == sys.argv[2]
        elif self.inside and tag == "tr":
            self.rows.append([])
        elif self.inside and tag in ("td", "th"):
            self.rows[-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th", "tr"):
            self.cell = None

    def handle_data(self, data):
        if self.inside and self.cell:
            self.rows[-1][-1] += data

cells = Cells()
cells.feed(open(sys.argv[1], encoding="utf-8").read())
for row in cells.rows:
    print("\t".join(cell.strip() for cell in row))
EOF
}

enter page
cat >'study one.yaml' <<'EOF'
experiment: study
question: "Is <script>document.title = 'wrong'</script> & \"that\" shown as it is?"
seed: 18446744073709551615
games: 200
max_plies: 60
record: games
rules:
  holes: [4, 6]
policies:
  - {south: random, north: random}
  - {south: greedy, north: random, swap: true}
EOF
hoyito run 'study one.yaml' -o study.db >/dev/null 2>&1
query study.db "UPDATE experiment SET name = 'study <b>one<i>'"
expect_exit 0 hoyito report study.db --html page.html
expect_empty "$out"
hoyito report study.db --json >report.json
dom page.html >dom.html

check
grep -q '<title>study &lt;b&gt;one&lt;i&gt;</title>' dom.html || fail "the title: $(grep -o '<title>.*</title>' dom.html)"
expect_no_match '<script|<b>' dom.html 'markup from the experiment'
expect_match 'document.title = ' dom.html 'the question as text'
expect_match 'hoyito run .* --seed 18446744073709551615 --games 200 ' dom.html
expect_match 'random, north: random' dom.html 'the experiment file'

# Nothing is loaded from anywhere.
expect_no_match '(src|href)="?(https?:|//|file:)|@import|url\(' page.html

# The numbers are those of the report.
cells dom.html terminations | tail -n +2 | cut -f 2- >terminations.tsv
jq -r '.conditions[] | [.terminations[], .games] | @tsv' report.json >expected.tsv
expect_same_file expected.tsv terminations.tsv 'how games ended'
cells dom.html answers | tail -n +2 | cut -f 2 | cut -d ' ' -f 1 >scores
jq -r '.conditions[].first_player_score.estimate' report.json >expected
expect_equal "$(wc -l <expected)" "$(paste scores expected | awk '{ d = $1 - $2; n += d < 1e-4 && d > -1e-4 } END { print n }')" \
  'first-player scores that agree'
expect_match 'not given: [0-9]+ games were cut' dom.html 'a mean over games that were cut'
for table in conditions answers terminations; do
  expect_equal 7 "$(cells dom.html "$table" | wc -l)" "rows of $table"
done

# Every figure is an image of its own that is well-formed and has something drawn.
python3 - dom.html >figures <<'EOF'
import re, sys, urllib.parse, xml.etree.ElementTree as xml

page = open(sys.argv[1], encoding="utf-8").read()
for alt, data in re.findall(r'<img alt="([^"]*)" src="data:image/svg\+xml,([^"]*)"', page):
    svg = xml.fromstring(urllib.parse.unquote(data))
    texts = [t for t in ("".join(e.itertext()).strip() for e in svg.iter("{http://www.w3.org/2000/svg}text")) if t]
    paths = list(svg.iter("{http://www.w3.org/2000/svg}path"))
    print(bool(alt), len(paths) > 10, any("plies" in t or "score" in t or "chains" in t for t in texts))
EOF
expect_equal 3 "$(grep -c '^True True True$' figures)" 'figures'

# A browser draws it: the picture is not one colour.
expect_exit 0 env HOME="$scratch" chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
  --user-data-dir="$scratch/profile" --window-size=900,2400 --screenshot="$PWD/page.png" "file://$PWD/page.html"
expect_true 'a picture of some size' test "$(stat -c %s page.png)" -gt 20000

# One game, no game with a result, no chains: ranges are found, or a figure is left out and said so.
write_small() {
  cat >small.yaml <<EOF
experiment: small
seed: 5
games: $1
max_plies: $2
record: games
rules: {holes: 3${3:-}}
policies: [{south: greedy, north: random}]
${4:-}
EOF
  rm -f small.db
  expect_exit 0 hoyito run small.yaml -o small.db
  expect_exit 0 hoyito report small.db --html small.html
}
write_small 1 1000
expect_equal 2 "$(grep -c '<figure>' small.html)" 'figures of one game'
expect_equal 1 "$(grep -c 'No figure: no condition has a value' small.html)" 'figures left out of one game'
write_small 20 1
expect_match 'No figure' small.html
expect_match '<td>not reached</td>' small.html
expect_match 'not given: 20 games were cut' small.html
write_small 20 1000 ', chain_capture: false'
expect_equal 3 "$(grep -c '<figure>' small.html)" 'figures without chains'
expect_no_match 'No figure' small.html
expect_no_match 'id="stops"' small.html

# What stopped the conditions, and games that repeat one another.
write_small 400 1000 '' 'stop: {metric: first_player_score, half_width: 0.2, every: 50}'
hoyito report small.db >small.txt
sentence=$(sed -n 's/^  stopped by  *//p' small.txt)
dom small.html >small.dom
expect_equal "1	$sentence" "$(cells small.dom stops | tail -n 1)" 'what stopped the condition'
expect_match 'holds at all looks together' small.dom
expect_no_match 'most games repeat' small.html
sed 's/greedy, north: random/"greedy:ties=first", north: "greedy:ties=first", swap: true/; /^stop/d' small.yaml >same.yaml
expect_exit 0 hoyito run same.yaml -o same.db
expect_exit 0 hoyito report same.db --html same.html
expect_equal 2 "$(grep -c 'most games repeat' same.html)" 'warnings of games that repeat'
expect_equal 1 "$(grep -c 'games of the other seating once more' same.html)" 'warnings of a seating that repeats'

# The same answers make the same page.
hoyito report study.db --html again.html
expect_same_file page.html again.html 'the page made twice'

# A page that cannot be written leaves nothing behind, and an older one stays.
echo '<!DOCTYPE html>old' >old.html
PATH=/nowhere expect_exit 1 "$program" report study.db --html old.html
expect_match 'gnuplot' "$err"
expect_equal '<!DOCTYPE html>old' "$(cat old.html)" 'the page before'
# Nor does it take the place of what is no page: the database itself, another one, a text.
cp study.db other.db
ln study.db hard.db
echo 'Notes.' >notes.txt
for file in study.db ./study.db hard.db other.db notes.txt; do
  sha256sum "$file" >before
  expect_exit 2 hoyito report study.db --html "$file"
  expect_match 'is both the database and the page|is there and holds no page' "$err" "$file"
  expect_true "$file is as it was" sha256sum --quiet -c before
done
rm hard.db other.db
: >empty.html
expect_exit 0 hoyito report study.db --html empty.html
expect_same_file page.html empty.html 'a page in the place of an empty file'
expect_exit 5 hoyito report study.db --html missing/page.html
expect_match 'missing/page.html' "$err"
expect_exit 2 hoyito report study.db --html page.html --json
expect_equal '' "$(find . -name '.*.hoyito')" 'what is left behind'
