# cmake --install and the package, from a build that is there; the program far from its sources.
set -euo pipefail
. "$(dirname -- "$0")/../cli/lib.sh"

build=$(dirname -- "$program")
version=$(sed -n 's/^project(hoyito VERSION \([0-9.]*\) .*/\1/p' "$source_folder/CMakeLists.txt")
version_date=$(sed -n 's/^set(HOYITO_DATE \([0-9-]*\)).*/\1/p' "$source_folder/CMakeLists.txt")
expect_true "no version and date in CMakeLists.txt" test -n "$version" -a -n "$version_date"

# The files below a folder: names and what they hold, without the time.
listing() { (cd -- "$1" && find . -type f -exec sha256sum -- {} + | sort -k 2); }

# A prefix, and the same below DESTDIR.
expect_exit 0 cmake --install "$build" --prefix "$PWD/prefix"
expect_exit 0 env DESTDIR="$PWD/stage" cmake --install "$build" --prefix /opt/hoyito
expect_equal "$(listing prefix)" "$(listing stage/opt/hoyito)" "--prefix and DESTDIR"
expect_equal opt "$(ls stage)" "what is below DESTDIR"
share=prefix/share
for file in man/man1/hoyito.1 man/man1/hoyito-run.1 bash-completion/completions/hoyito zsh/site-functions/_hoyito \
  fish/vendor_completions.d/hoyito.fish doc/hoyito/README.md hoyito/hoyito-experiment.schema.json \
  doc/hoyito/examples/experiments/quickstart/quickstart.yaml doc/hoyito/examples/configs/rules/ba-awa.yaml; do
  expect_true "$file is not installed" test -s "$share/$file"
done
expect_equal '' "$(find prefix -name '*.db' -o -name 'CMakeLists.txt' -o -name '*.[cha]')" "what is not to be installed"
for file in $(cd "$source_folder" && find experiments configs -name '*.yaml' -o -name '*.sh' -o -path '*/slurm/*'); do
  expect_true "$file is not installed" test -s "$share/doc/hoyito/examples/$file"
done

# use_program FOLDER: the installed program, with nothing of the build or the sources in reach.
use_program() {
  local program=$1/bin/hoyito examples=$1/share/doc/hoyito/examples
  expect_equal "hoyito $version" "$(env -i "$program" --version)" "--version of $1"
  expect_equal 0 "$(strings -a "$program" | grep -c -F -e "$source_folder" -e "$build" || true)" "paths of the build in $program"
  expect_true "a path to libraries in $program" bash -c '! readelf -d "$1" | grep -E "RPATH|RUNPATH"' - "$program"
  expect_exit 0 env -i "$program" run "$examples/experiments/quickstart/quickstart.yaml" --games 50 -o used.db
  expect_exit 0 env -i "$program" verify used.db
  expect_equal "$version" "$(query used.db "SELECT json_extract(record, '$.software.version') FROM provenance")" provenance
  expect_exit 0 env -i "$program" rules "$examples/configs/rules/ba-awa.yaml"
  expect_exit 0 env -i "$program" rules --schema
  expect_same_file "$1/share/hoyito/hoyito-experiment.schema.json" "$out" "the schema"
  expect_exit 0 env -i PATH="$PWD/$1/bin:/usr/bin:/bin" "$examples/experiments/slurm/submit.sh" --dry-run --pilot 0 \
    --shards 2 --time 10 --memory 100 "$examples/experiments/quickstart/quickstart.yaml" study
  expect_match "^sbatch .*/$examples/experiments/slurm/array.sbatch " "$err" "the Slurm example"
  rm used.db
}
use_program prefix

# The package.
make_package() {
  mkdir -p "$1"
  expect_exit 0 cpack -G DEB --config "$build/CPackConfig.cmake" -B "$PWD/$1"
  rm -rf "$1/_CPack_Packages"
}
if ! command -v dpkg-deb dpkg-shlibdeps file >/dev/null; then
  echo "no package: dpkg-dev and file are not installed"
  exit
fi
export SOURCE_DATE_EPOCH=1790000000
make_package one
deb=$(ls one/*.deb)
expect_match "^hoyito_${version}_[a-z0-9]+\.deb$" <(basename "$deb") "its name"
dpkg-deb -x "$deb" root
expect_equal "bin share" "$(find root/usr -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | paste -s -d ' ')" "what it holds"
use_program root/usr
expect_true "it is not executable" test -x root/usr/bin/hoyito
for page in prefix/share/man/man1/*.1; do
  expect_equal "$(sha256sum <"$page")" "$(zcat "root/usr/share/man/man1/${page##*/}.gz" | sha256sum)" "${page##*/}"
done
for file in bash-completion/completions/hoyito zsh/vendor-completions/_hoyito fish/vendor_completions.d/hoyito.fish \
  doc/hoyito/copyright doc/hoyito/changelog.gz; do
  expect_true "$file is not in the package" test -s "root/usr/share/$file"
done
expect_equal '' "$(find root -perm /022)" "what others may write"
expect_equal 'root/root' "$(dpkg-deb -c "$deb" | awk '{ print $2 }' | sort -u)" "owners"
expect_equal '2026-09-21' "$(dpkg-deb -c "$deb" | awk '{ print $4 }' | sort -u)" "times"

# Every library that the program is linked with comes from a package that is named.
depends=$(dpkg-deb -f "$deb" Depends | sed 's/([^)]*)//g; s/ //g' | tr ',' '\n' | sort)
wanted=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r library; do
  path=$(ldd "$program" | awk -v name="$library" '$1 == name { print $3 }')
  dpkg-query -S "$path" "$(realpath "$path")" "/usr$path" 2>/dev/null || true
done | sed 's/:.*//' | sort -u)
expect_equal "$wanted" "$depends" "dependencies"
for field in Package Version Architecture Maintainer Section Description Suggests; do
  expect_true "no field $field" test -n "$(dpkg-deb -f "$deb" "$field")"
done

# One version everywhere.
expect_equal "$version" "$(dpkg-deb -f "$deb" Version)" "version of the package"
expect_match "^\.TH HOYITO 1 $version_date \"hoyito $version\" \"Hoyito\"$" prefix/share/man/man1/hoyito.1
expect_match "^hoyito \($version\) " <(zcat root/usr/share/doc/hoyito/changelog.gz) changelog
expect_match " $(LC_ALL=C date -u -d "$version_date" '+%d %b %Y') " <(zcat root/usr/share/doc/hoyito/changelog.gz) changelog

# The same once more, when files have other times.
touch "$build"/manual/*
sleep 1
make_package two
expect_same_file "$deb" two/*.deb "a second package"

if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error,warning "$deb" >"$out" 2>&1 || true
  expect_no_match '^[EW]:' "$out" lintian
else
  echo "lintian is not installed"
fi
