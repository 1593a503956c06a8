# scripts/studies on a few games: experiments, summaries, notebooks, figures; and the notebooks' helper against
# the program's own numbers.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

enter studies
before=$(cd "$source_folder" && find experiments notebooks -type f ! -path '*__pycache__*' -exec sha256sum {} + | sort)
expect_exit 0 env HOYITO="$program" HOME="$scratch" JUPYTER_RUNTIME_DIR="$scratch/jupyter" \
  PYTHONDONTWRITEBYTECODE=1 "$source_folder/scripts/studies" --games 6 data
expect_equal "$before" \
  "$(cd "$source_folder" && find experiments notebooks -type f ! -path '*__pycache__*' -exec sha256sum {} + | sort)" \
  'a trial changes nothing of the project'

for study in game_length first_player chain_captures toggles; do
  expect_json 'type == "object" and length >= 4' "data/$study/summary.json" "$study"
  expect_true "the figure of $study" grep -q '</svg>' "data/$study/figure.svg"
  expect_equal "$(jq -r 'keys[]' "$source_folder/experiments/$study/summary.json")" \
    "$(jq -r 'keys[]' "data/$study/summary.json")" "answers of $study"
done
for notebook in "$source_folder"/notebooks/*.ipynb; do
  name=$(basename "$notebook")
  expect_json '[.cells[] | select(.cell_type == "code") | .execution_count] | all(. != null)' "data/$name"
  expect_json '[.cells[].outputs? // [] | .[] | select(.output_type == "error")] == []' "data/$name"
  # What is committed has been executed, with figures.
  expect_json '[.cells[] | select(.cell_type == "code") | .execution_count] | all(. != null)' "$notebook"
  expect_json '[.cells[].outputs? // [] | .[].data? // {} | has("image/png")] | any' "$notebook"
  expect_no_match '/(tmp|home|root|work)/' "$notebook" "paths of a machine in $name"
done

# The helper's curve and intervals are the program's.
cat >same.py <<'EOF'
import json, subprocess, sys
import numpy as np
import hoyito_data as hd

db = hd.open_database("data/game_length.db")
frame = hd.lengths(db).query("condition_id == 3")
rows = {"time": frame["time"].tolist(), "status": frame["finished"].astype(int).tolist(),
        "weight": frame["games"].tolist()}
answer = json.loads(subprocess.run([sys.argv[1], "stats", "km"], input=json.dumps(rows), text=True,
                                   capture_output=True, check=True).stdout)
curve = hd.survival(frame)
number = lambda key: np.array([np.nan if x is None else x for x in answer[key]], float)
assert np.allclose(curve["survival"], number("surv"))
known = np.isfinite(number("lower_log-log"))
assert known.sum() > 3
assert np.allclose(curve["low"][known], number("lower_log-log")[known])
assert np.allclose(curve["high"][known], number("upper_log-log")[known])

report = json.loads(subprocess.run([sys.argv[1], "report", "data/game_length.db", "--json"], text=True,
                                   capture_output=True, check=True).stdout)
conditions = hd.conditions(db)
score = hd.score(*(conditions[c].to_numpy(float) for c in ("south", "draw", "north")))
wilson = hd.wilson(conditions["draw"].to_numpy(float), conditions["games"].to_numpy(float))
for i, c in enumerate(report["conditions"]):
    for mine, theirs in ((score, c["first_player_score"]), (wilson, c["results"]["draw"])):
        assert np.allclose([part[i] for part in mine], [theirs[k] for k in ("estimate", "low", "high")]), (i, theirs)
games = hd.games(db, "condition_id, captures, chains").query("condition_id == 1")
ratio = hd.clustered_ratio(games["chains"], games["captures"])
theirs = report["conditions"][0]["captures"]["chain_share"]
assert np.allclose(ratio, [theirs[k] for k in ("estimate", "low", "high")], atol=1e-12), (ratio, theirs)
print("same")
EOF
expect_exit 0 env PYTHONPATH="$source_folder/notebooks" PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 same.py "$program"
expect_equal same "$(cat "$out")" 'the helper'

# What the commands in a trial's help refuse.
expect_exit 2 "$source_folder/scripts/studies" --games none data
expect_exit 2 "$source_folder/scripts/studies" --nonsense
