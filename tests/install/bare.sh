# The package of scripts/package: the same bytes from two copies of the tree; on a bare Debian 12 it installs
# with its dependencies alone, works, and goes without a trace. Needs root, debootstrap and a mirror.
set -euo pipefail

skip() {
  echo "skipped: $1"
  exit 77
}
mirror=${HOYITO_MIRROR:-http://deb.debian.org/debian}
[[ $(id -u) -eq 0 ]] || skip "a bare Debian is made and entered by root only"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
[[ $(dpkg --print-architecture) == amd64 || $(dpkg --print-architecture) == arm64 ]] || skip "another architecture"

. "$(dirname -- "$0")/../cli/lib.sh"

version=$(hoyito --version)
version=${version#hoyito }

# Two copies of the tree in folders of different names and times.
export SOURCE_DATE_EPOCH=1790000000
mkdir -p first second/copy
for entry in "$source_folder"/*; do
  [[ ${entry##*/} == build* ]] || cp -r -- "$entry" first/
done
cp -r first/. second/copy
for copy in first second/copy; do
  expect_exit 0 "$copy/scripts/package"
  expect_match "^build/hoyito_${version}_[a-z0-9]*\.deb$" "$out" "what scripts/package says"
  cp "$copy/$(tail -n 1 "$out")" "${copy%%/*}.deb"
done
expect_same_file first.deb second.deb "the package from two folders"

bare=$scratch/bare
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$bare" "$@"; }
# What debootstrap mounts goes with its namespace, so that nothing of this machine is below the folder.
expect_exit 0 unshare --mount debootstrap --variant=minbase bookworm "$bare" "$mirror"
expect_no_match " $bare/" /proc/mounts
files() { (cd "$bare" && find usr etc opt srv home var/lib/dpkg/info \( -type f -o -type l -o -type d \) | grep -v 'dpkg/info/lib\|ldconfig' | sort); }

# What is needed beside the package itself comes first, so that only the package is left to compare.
depends=$(dpkg-deb -f first.deb Depends | sed 's/([^)]*)//g; s/,//g')
cp first.deb "$bare/root/hoyito.deb"
expect_exit 1 inside dpkg -i /root/hoyito.deb
expect_match 'dependency problems' "$err" "dpkg without the dependencies"
expect_exit 0 inside dpkg --purge hoyito
# shellcheck disable=SC2086
expect_exit 0 inside apt-get install -y -q --no-install-recommends $depends
files >before
expect_exit 0 inside apt-get install -y -q --no-install-recommends /root/hoyito.deb
expect_match '0 upgraded, 1 newly installed' "$out" "nothing else is needed"

# The smoke test, as a user without rights, in a folder of its own.
expect_exit 0 inside useradd -m player
as_player() { inside su player -c "cd && $1"; }
examples=/usr/share/doc/hoyito/examples
expect_equal "hoyito $version" "$(as_player 'hoyito --version')" "its version"
expect_exit 0 as_player "hoyito run $examples/experiments/quickstart/quickstart.yaml --games 500"
expect_exit 0 hoyito run "$source_folder/experiments/quickstart/quickstart.yaml" --games 500 -o here.db
expect_equal "$(digest here.db)" "$(as_player 'hoyito digest quickstart.db')" "the digest"
expect_exit 0 as_player 'hoyito verify quickstart.db'
expect_exit 0 as_player 'hoyito report quickstart.db --json'
cp "$out" there.json
expect_exit 0 hoyito report here.db --json
expect_equal "$(jq -S .conditions "$out")" "$(jq -S .conditions there.json)" "the report"
for preset in $(hoyito rules | sed 's/ .*//'); do
  expect_exit 0 as_player "hoyito rules $preset"
done
expect_exit 0 as_player 'hoyito solve hoyito-ii --max-counters 8 -o tables && hoyito solve --check tables'
expect_exit 0 as_player "printf 'name: s\nsource: t\npreset: hoyito-ii\nholes: 2\n' >s.yaml && hoyito exact s.yaml"
expect_exit 1 as_player 'hoyito report quickstart.db --html page.html'
expect_match 'gnuplot-nox' "$err" "--html without gnuplot"
expect_exit 0 as_player 'bash -c ". /usr/share/bash-completion/completions/hoyito && complete -p hoyito"'
expect_exit 0 inside dpkg --verify hoyito
expect_empty "$out" "dpkg --verify"

expect_exit 0 inside userdel -r player
expect_exit 0 inside apt-get purge -y -q hoyito
files >after
expect_equal '' "$(comm -13 before after | grep -v -e '^etc/' -e '^var/lib/dpkg/info/' || true)" "what is left"
