"""Reading the databases of hoyito into pandas with the right types, and a few estimates for figures.

Nothing here plays or knows the rules: it reads what `hoyito run` stored. Words become categories, 0 and 1 of
rules become booleans, points that do not exist (a game without a result) become NaN. What every column means is
in the database itself: `meaning(db)`.
"""

import os
import sqlite3

import numpy as np
import pandas as pd

CENSORED = ("truncated", "unresolved")  # cut by the simulation: the length is a lower bound
BOOLEANS = ("relay", "skip_origin", "final_capture", "chain_capture", "extra_turn", "swap", "swapped",
            "finished", "reproducible")

# Okabe and Ito's colours, told apart in print by dashes and markers as well.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (2, 2)), (0, (1, 3)))
MARKERS = "osD^vP*X"


def open_database(path):
    """A connection that cannot write. `path` is a file that exists."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: make it with `hoyito run` (see the notebook's first cell)")
    return sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro", uri=True)


def _typed(frame):
    for column in frame.columns:
        if column in BOOLEANS:
            frame[column] = frame[column].astype(bool)
        elif frame[column].dtype == object and column not in ("canonical", "hash", "move_hash"):
            frame[column] = frame[column].astype("category")
    return frame


def read(db, query, **parameters):
    """Any query as a frame with types."""
    return _typed(pd.read_sql_query(query, db, params=parameters))


def meaning(db, table="v_game"):
    """What the columns of a table or view mean, with their units."""
    return pd.read_sql_query("SELECT column_name, unit, meaning FROM column_doc WHERE table_name = ?", db,
                             params=(table,))


def conditions(db):
    """A row a condition and seating: its rules, policies, and how its games ended."""
    frame = read(db, "SELECT * FROM v_condition")
    first, second = frame["first_policy"].astype(str), frame["second_policy"].astype(str)
    frame["south_policy"] = np.where(frame["swapped"], second, first)
    frame["north_policy"] = np.where(frame["swapped"], first, second)
    frame["censored"] = frame["ended_truncated"] + frame["ended_unresolved"]
    return frame.loc[:, ~frame.columns.duplicated()]


def games(db, columns="*"):
    """A row a game (record: games or moves), with the fields of its condition in `conditions`."""
    return read(db, f"SELECT {columns} FROM v_game")


def lengths(db):
    """How many games had which length and end, by condition and seating; from rows or blocks."""
    return read(db, "SELECT condition_id, swapped, time, finished, termination, sum(games) AS games "
                    "FROM v_survival GROUP BY 1, 2, 3, 4, 5")


def wilson(successes, n, z=1.959963984540054):
    """Wilson's interval of a share, as the report has it: (share, low, high)."""
    share, half = successes / n, z * np.sqrt(successes * (n - successes) / n + z * z / 4)
    return share, (successes + z * z / 2 - half) / (n + z * z), (successes + z * z / 2 + half) / (n + z * z)


def score(south, draw, north, z=1.959963984540054):
    """South's points a game with a result: (score, low, high), with Wilson's interval for as many games without
    draws as have the trinomial variance. Where all games ended alike what Wilson's interval leaves to other
    results is taken to be all won or all lost. Both as in the report."""
    n = south + draw + north
    value = (south + draw / 2) / n
    error = np.sqrt(np.maximum((south + draw / 4) / n - value * value, 0) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = value * (1 - value) / error**2
        half = z * np.sqrt(value * (1 - value) / trials + (z / trials / 2) ** 2)
        low = np.where(value > 0, np.maximum((value + z * z / trials / 2 - half) / (1 + z * z / trials), 0), 0)
        high = np.where(value < 1, np.minimum((value + z * z / trials / 2 + half) / (1 + z * z / trials), 1), 1)
    alike = (south == n) | (draw == n) | (north == n)
    least = n / (n + z * z)
    return value, np.where(alike, value * least, low), np.where(alike, value * least + 1 - least, high)


def survival(frame, z=1.959963984540054):
    """Kaplan and Meier's curve of the rows of `lengths` of one condition, with the log-log band: a frame with
    time, survival, low, high. The same numbers as `hoyito stats km`."""
    ended = frame[frame["finished"]].groupby("time")["games"].sum()
    cut = frame[~frame["finished"]].groupby("time")["games"].sum()
    times = np.sort(frame["time"].unique())
    events = ended.reindex(times, fill_value=0).to_numpy(float)
    leave = events + cut.reindex(times, fill_value=0).to_numpy(float)
    risk = leave.sum() - np.concatenate([[0], np.cumsum(leave)[:-1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        curve = np.cumprod(1 - events / risk)
        error = np.sqrt(np.cumsum(events / (risk * (risk - events)))) / np.abs(np.log(curve))
        low = np.exp(np.log(curve) * np.exp(z * error))
        high = np.exp(np.log(curve) * np.exp(-z * error))
    return pd.DataFrame({"time": times, "survival": curve, "low": low, "high": high})


def thin(curve, points=300):
    """Every so many rows of a curve, and the last, for a figure; more cannot be seen."""
    step = max(1, len(curve) // points)
    return pd.concat([curve.iloc[::step], curve.iloc[-1:]]).drop_duplicates()


def quantile(curve, p=0.5):
    """The time by which a share p has ended, with its interval: (value, low, high), NaN where not reached."""
    def first(column):
        reached = curve.loc[curve[column] < 1 - p + 1e-12, "time"]
        return reached.iloc[0] if len(reached) else np.nan
    return first("survival"), first("low"), first("high")


def restricted_mean(curve, horizon):
    """The mean length up to the horizon: the area under the curve."""
    inside = curve[curve["time"] < horizon]
    times = np.concatenate([[0], inside["time"], [horizon]])
    heights = np.concatenate([[1], inside["survival"]])
    return float(np.sum(np.diff(times) * heights))


def student(degrees):
    """The quantile of Student's distribution for intervals of 95 %: by its expansion (Abramowitz, Stegun 26.7.5),
    or, of few degrees, from its distribution, which is that of √degrees·tan(θ) where θ has the density
    cos(θ)^(degrees − 1)."""
    if degrees > 100:
        z, m = 1.959963984540054, degrees
        return (z + (z**3 + z) / (4 * m) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * m**2)
                + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * m**3))
    angle = np.linspace(0, np.pi / 2, 200001)
    density = np.cos(angle) ** (degrees - 1)
    below = np.concatenate([[0], np.cumsum(density[1:] + density[:-1])])
    return float(np.sqrt(degrees) * np.tan(np.interp(0.95 * below[-1], below, angle)))


def clustered_ratio(numerator, denominator):
    """Σ numerator / Σ denominator over games, where the first is part of the second, with the error clustered by
    game: (ratio, low, high), Wilson's interval for as many independent things as have it. As in the report."""
    y, x = np.asarray(numerator, float), np.asarray(denominator, float)
    n, ratio = len(y), y.sum() / x.sum()
    error = np.sqrt(np.sum((y - ratio * x) ** 2) * n / (n - 1)) / x.sum()
    t = student(n - 1)
    if 0 < ratio < 1 and error > 1e-9 * ratio:
        things = ratio * (1 - ratio) / error**2
    else:  # they do not show how they are clustered: a design effect of 2, or less where a game has few
        things = x.sum() / max(1, min(2, np.sum(x * x) / x.sum()))
    half = t * np.sqrt(ratio * (1 - ratio) / things + (t / things / 2) ** 2)
    low, high = ((ratio + t * t / things / 2 + side * half) / (1 + t * t / things) for side in (-1, 1))
    return ratio, low if ratio > 0 else 0.0, high if ratio < 1 else 1.0


def style():
    """Figures that can be read in print: set once at the top of a notebook."""
    import matplotlib
    import matplotlib.pyplot as plt

    plt.rcParams.update({
        "figure.figsize": (8, 4.5), "figure.dpi": 100, "savefig.bbox": "tight", "font.size": 11,
        "axes.grid": True, "grid.color": "#dddddd", "axes.spines.top": False, "axes.spines.right": False,
        "axes.prop_cycle": matplotlib.cycler(color=COLOURS[:6], linestyle=DASHES[:6], marker=list(MARKERS[:6])),
        "lines.markersize": 5, "svg.hashsalt": "hoyito",
    })
    return plt
