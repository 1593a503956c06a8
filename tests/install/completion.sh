# Completion: what bash offers is what the program says of itself.
set -euo pipefail
. "$(dirname -- "$0")/../cli/lib.sh"

made=$scratch/made
mkdir "$made"
"$(dirname -- "$program")/src/manual/hoyito_manual" "$made"

touch one.db two.db rules.yaml notes.txt 'with blank.db'
mkdir folder

# complete_line WORD… : the offers for the last word, sorted, one a line; in a bash of its own.
cat >complete.sh <<'EOS'
. "$1"
shift
[[ $(complete -p hoyito) == 'complete -F _hoyito hoyito' ]] || exit 3
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_hoyito hoyito "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
EOS
complete_line() { bash --norc --noprofile complete.sh "$made/hoyito.bash" "$@" 2>"$err" | sort; }
lines() { printf '%s\n' "$@" | sort; }

expect_equal "$(lines replay report)" "$(complete_line hoyito rep)" "hoyito rep"
expect_equal "$(lines rules run)" "$(complete_line hoyito ru)" "hoyito ru"
expect_equal "$(lines --help --version)" "$(complete_line hoyito -)" "hoyito -"
mapfile -t commands < <(complete_line hoyito '' | grep -v '^-')
expect_true "only ${#commands[@]} commands" test "${#commands[@]}" -ge 22
for command in "${commands[@]}"; do
  expect_match "^  $command " <(hoyito --help) "the help"
  expect_equal "$(hoyito "$command" --help | sed -n 's/^   *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort)" \
    "$(complete_line hoyito "$command" --)" "options of $command"
  expect_empty "$err" "completion of $command"
done
expect_equal "$(hoyito --help | grep -cE '^  [a-gi-z][a-z]* |^  help ')" "${#commands[@]}" "commands"

expect_equal "$(lines --shard)" "$(complete_line hoyito run study.yaml --sh)" "hoyito run --sh"
expect_equal "$(lines folder one.db two.db 'with blank.db')" "$(complete_line hoyito report '')" "databases"
expect_equal 'with blank.db' "$(complete_line hoyito digest w)" "a name with a blank"
expect_equal "$(lines folder rules.yaml)" "$(complete_line hoyito run '')" "experiments"
expect_equal "$(lines folder one.db two.db 'with blank.db')" "$(complete_line hoyito run rules.yaml -o '')" "-o"
expect_equal "$(lines one.db)" "$(complete_line hoyito run rules.yaml --output = on)" "--output=on"
expect_equal "$(lines folder one.db two.db 'with blank.db')" "$(complete_line hoyito run --output =)" "--output="
expect_equal folder "$(complete_line hoyito solve -o '')" "folders"
expect_equal "$(lines complete.sh folder notes.txt one.db rules.yaml two.db 'with blank.db')" \
  "$(complete_line hoyito report one.db --html '')" "any file"
expect_equal '' "$(complete_line hoyito run --games '')" "a number"
expect_equal '' "$(complete_line hoyito analyse --policy alphabeta : '')" "behind a colon"

# Words, as the program lists them.
presets=$(hoyito rules | sed 's/ .*//')
expect_equal "$(printf '%s\nfolder\nrules.yaml\n' "$presets" | sort)" "$(complete_line hoyito rules '')" "variants"
expect_equal "$(hoyito compare --list | sed 's/ .*//' | sort)" "$(complete_line hoyito compare --metric '')" metrics
expect_equal "$(hoyito stats --list | sed -n 's/^\([^ ][^ ]*\).*/\1/p' | sort)" "$(complete_line hoyito stats '')" statistics
hoyito analyse hoyito-ii --policy nobody >"$out" 2>"$err" || true
policies=$(sed -n "s/.*known: \([a-z, ]*\).*/\1/p" "$err" | tr -d ' ' | tr ',' '\n')
expect_true "no policies known" test -n "$policies"
expect_equal "$(sort <<<"$policies")" "$(complete_line hoyito analyse --policy '')" policies
expect_equal "$(printf '%s\nhuman\n' "$policies" | sort)" "$(complete_line hoyito play --south '')" players
expect_equal "$(printf '%s\n' "${commands[@]}" | sort)" "$(complete_line hoyito help '')" "hoyito help"
expect_true "axes" grep -qx chain_capture <(complete_line hoyito compare one.db --by '')


# The other shells.
if command -v fish >/dev/null; then
  expect_exit 0 fish --no-config -n "$made/hoyito.fish"
  fished() { fish --no-config -c "source $made/hoyito.fish; complete -C '$1'" 2>"$err" | cut -f 1 | sort; }
  for command in "${commands[@]}"; do
    expect_equal "$(complete_line hoyito "$command" --)" "$(fished "hoyito $command --")" "fish: options of $command"
  done
  expect_equal "$(sort <<<"$policies")" "$(fished 'hoyito analyse --policy ')" "fish: policies"
else
  echo "fish is not installed"
fi
if command -v zsh >/dev/null; then
  expect_exit 0 zsh -n "$made/_hoyito"
  expect_match '^#compdef hoyito$' "$made/_hoyito"
else
  echo "zsh is not installed"
fi
