# --help, hoyito help and the manual pages, which come from the same tables.
set -euo pipefail
. "$(dirname -- "$0")/../cli/lib.sh"

pages=$scratch/pages
mkdir "$pages"
"$(dirname -- "$program")/src/manual/hoyito_manual" "$pages"
expect_exit 2 "$(dirname -- "$program")/src/manual/hoyito_manual"

# The names of commands in the help of the program.
hoyito --help >overview
mapfile -t commands < <(awk '/^Experiments:/ { on = 1 } /^Options:/ { on = 0 } on && /^  [a-z]/ { print $1 }' overview)
expect_true "only ${#commands[@]} commands" test "${#commands[@]}" -ge 22
expect_equal "$(printf 'hoyito-%s.1\n' "${commands[@]}" | sort)" "$(cd "$pages" && ls hoyito-*.1)" "pages"

# Options of --help, as the page lists them: "-o, --output=DB".
help_options() {
  sed -n 's/^   *\(\(-[a-zA-Z], \)\{0,1\}--[a-z-]*\(=[^ ]*\)\{0,1\}\)\( .*\|$\)/\1/p' "$1" | sort
}
page_options() {
  awk '/^\.SH/ { on = /OPTIONS/ } on && wanted { print; wanted = 0 } on && /^\.TP/ { wanted = 1 }' "$1" |
    sed 's/\\f[BIR]//g; s/\\-/-/g' | sort
}
# The words of a list behind the options: "Exit status:", and ".SH EXIT STATUS" in the page.
help_rows() { sed -n "/^$1:\$/,/^\$/s/^  \(.*[^ ]\)   *[^ ].*/\1/p" "$2" | sed 's/   *.*//'; }
page_rows() {
  awk -v title="$1" '/^\.SH/ { on = index($0, title) } on && wanted { print; wanted = 0 } on && /^\.TP/ { wanted = 1 }' \
    "$2" | sed 's/\\f[BIR]//g; s/\\-/-/g'
}
# Examples: indented lines before the first option, joined where they go on.
help_examples() { sed -n '/^  or:/d; /^ *\(-[a-z], \)\{0,1\}--/q; /^Experiments:/q; s/^  \([^ ]\)/\1/p; s/^  \(  [^ ]\)/\1/p' "$1"; }
page_examples() {
  sed -n '/^\.SH EXAMPLES/,/^\.SH "SEE/p' "$1" | sed '/^\./d; s/\\&//; s/\\-/-/g; s/\\(aq/'\''/g; s/\\(ga/`/g; s/\\(ti/~/g; s/\\(ha/^/g; s/\\e/\\/g'
}

version=$(hoyito --version)
for command in '' "${commands[@]}"; do
  name=hoyito${command:+-$command}
  page=$pages/$name.1
  if [[ $command ]]; then
    expect_exit 0 hoyito "$command" --help
    cp "$out" help
    expect_exit 0 hoyito help "$command"
    expect_same_file help "$out" "hoyito help $command"
    expect_exit 0 hoyito "$command" -h
    expect_same_file help "$out" "hoyito $command -h"
    expect_match "^Usage: hoyito $command " help
    expect_equal "$(sed -n "s/^  $command  *//p" overview)" "$(sed -n "s/^hoyito..$command .. //p" "$page")" "$name: summary"
  else
    cp overview help
  fi
  expect_equal '' "$(LC_ALL=C.UTF-8 grep -E '^.{80}' help || true)" "$name: lines of more than 79 columns"
  expect_no_match 'Give this|Mandatory' help "$name"
  expect_equal "$(help_options help)" "$(page_options "$page")" "$name: options"
  expect_equal "$(help_rows 'Exit status' help)" "$(page_rows 'EXIT STATUS' "$page")" "$name: exit statuses"
  expect_true "$name: no exit statuses" grep -q '^  0 ' help
  if [[ $command ]]; then
    expect_equal "$(help_rows Environment help)" "$(page_rows ENVIRONMENT "$page")" "$name: environment"
    expect_equal "$(help_rows Files help)" "$(page_rows FILES "$page")" "$name: files"
  fi
  expect_equal "$(help_examples help)" "$(page_examples "$page")" "$name: examples"
  expect_true "$name: only one example" test "$(help_examples help | wc -l)" -ge 2
  expect_match "^\.TH [A-Z\\-]+ 1 [0-9]{4}-[0-9]{2}-[0-9]{2} \"$version\" \"Hoyito\"$" "$page"
done
expect_exit 2 hoyito help rum
expect_match "did you mean 'run'" "$err"
expect_exit 2 hoyito help run plan
hoyito help >"$out"
expect_same_file overview "$out" 'hoyito help'

# The lists of words: those that the program itself lists.
words_of() { page_rows "$1" "$2" | sort; }
expect_equal "$(hoyito compare --list | sed 's/ .*//' | sort)" "$(words_of METRICS "$pages/hoyito-compare.1")" metrics
expect_equal "$(hoyito stats --list | sed -n 's/^\([^ ][^ ]*\).*/\1/p' | sort)" \
  "$(words_of STATISTICS "$pages/hoyito-stats.1")" statistics
for preset in $(hoyito rules | sed 's/ .*//'); do
  expect_match "^.fB${preset//-/..}.fR[,.]$" "$pages/hoyito.1" "the preset"
done

# Roff without a fault.
if command -v mandoc >/dev/null; then
  for page in "$pages"/*.1; do
    expect_exit 0 mandoc -T lint -W style "$page"
    expect_empty "$out" "mandoc on ${page##*/}"
  done
  printf '.TH X 1 2026-11-30 "x" "x"\n.SH NAME\nx \\- y\n.XX z\n' >broken.1
  expect_true "mandoc takes anything" bash -c '! mandoc -T lint -W style broken.1 >/dev/null'
else
  echo "mandoc is not installed"
fi
if command -v man >/dev/null && command -v groff >/dev/null; then
  for page in "$pages"/*.1; do
    man --warnings -l -E UTF-8 -Z "$page" >/dev/null 2>"$err"
    expect_empty "$err" "man on ${page##*/}"
  done
else
  echo "man and groff are not installed"
fi
