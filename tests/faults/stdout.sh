# Standard output that is closed, full, or a pipe without a reader, in every command. What belongs in a
# file is there all the same; what could not be said is not passed over in silence.
#
# A command that stores, or that takes long (those that catch signals), reports a pipe without a reader as a
# failure to write, exit status 5. The others are ended by SIGPIPE without a word, as filters are.
set -euo pipefail
. "$(dirname -- "$0")/../cli/lib.sh"
. "$source_folder/tests/faults/commands.sh"

# judge WHAT: `status` and stderr of a command whose answer could not be written.
judge() {
  check
  if [[ $status -eq 141 && $1 == *pipe* ]]; then
    expect_no_match '^hoyito:' "$err" "$1: stderr"
  elif [[ $status -ne 5 && $status -ne 1 ]]; then
    fail "$1: exit status $status: $(excerpt "$err")"
  else
    expect_match '^hoyito: cannot write to standard output$' "$err" "$1"
  fi
}

make_inputs
check_all_commands
mkfifo pipe
for name in $(command_names); do
  set_command "$name"
  rm -rf made*
  expect_exit 0 "$program" "${words[@]}" <"$input"
  made >want
  says_nothing=$([[ -s $out ]] && echo 0 || echo 1)
  for way in closed full pipe; do
    rm -rf made*
    status=0
    case $way in
      closed) "$program" "${words[@]}" <"$input" >&- 2>"$err" || status=$? ;;
      full) "$program" "${words[@]}" <"$input" >/dev/full 2>"$err" || status=$? ;;
      pipe)
        exec 7<>pipe 8>pipe 7>&-
        "$program" "${words[@]}" <"$input" >&8 2>"$err" 7>&- 8>&- || status=$?
        exec 8>&-
        ;;
    esac
    if [[ $says_nothing -eq 1 ]]; then
      expect_equal 0 "$status" "$name, stdout $way: exit status"
    else
      judge "$name, stdout $way"
    fi
    if [[ -n $makes ]]; then
      made >got
      expect_same_file want got "$name, stdout $way: what it makes"
      expect_equal "$makes" "$(find . -maxdepth 1 -name '*made*' -printf '%f\n')" "$name, stdout $way: files"
    fi
  done
  # and without any standard file: nothing else gets their numbers
  rm -rf made*
  "$program" "${words[@]}" <&- >&- 2>&- || true
  if [[ -n $makes && $input == /dev/null ]]; then
    made >got
    expect_same_file want got "$name, all closed: what it makes"
  fi
done

# Whoever reads the talk may go: the run goes on.
rm -f made*
exec 7<>pipe 8>pipe 7>&-
expect_exit 0 bash -c '"$@" 2>&8 8>&-' - "$program" run study.yaml -o made.db
exec 8>&-
