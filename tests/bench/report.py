# SPDX-License-Identifier: Apache-2.0
"""report.py - a run as pages: build/bench.md and build/bench.html with the table, what each row
was measured by, and plots (matplotlib): every judged ratio beside its goal, and cost against
size."""

import html
import os

import contest
import growing

FOLDER = "build/bench"
CURVES = [
    (growing.positions, "positions", "ns an element"),
    (growing.pairs, "width (two a pair)", "ns an element"),
    (growing.heads, "heads", "ns an element"),
    (growing.connections, "idle connections", "us of server CPU a request"),
]


def plot_curve(pyplot, result, words):
    """Cost a piece against size: flat is linear growth."""
    figures = [name for name in result.values if name.isdigit()]
    sizes = [int(name) for name in figures]
    middles = [contest.median(result.values[name]) / result.scale for name in figures]
    figure, axes = pyplot.subplots(figsize=(7, 3.5))
    axes.plot(sizes, middles, marker="o")
    axes.fill_between(sizes, [min(result.values[name]) / result.scale for name in figures],
                      [max(result.values[name]) / result.scale for name in figures], alpha=0.2)
    axes.set(xscale="log", xlabel=words[0], ylabel=words[1], ylim=(0, None))
    axes.grid(alpha=0.3)
    return figure


def plot_rows(pyplot, rows, results):
    """One dot a row with a goal in times: its ratio over its goal, with its spread."""
    found = []
    for row in rows:
        values = results[row.contest].values if row.contest in results else {}
        if row.ours not in values or row.theirs not in values or ">=" not in row.goal.text:
            continue
        middle, least, most, met = row.goal.judge(values[row.ours], values[row.theirs])
        goal = float(row.goal.text.split()[1])
        found.append(("%s: %s / %s" % (row.name, row.ours, row.theirs), middle / goal,
                      least / goal, most / goal, met))
    if not found:
        return None
    figure, axes = pyplot.subplots(figsize=(9, 1 + 0.28 * len(found)))
    for at, (_, middle, least, most, met) in enumerate(reversed(found)):
        axes.plot([least, most], [at, at], color="tab:gray")
        axes.plot(middle, at, "o", color="tab:green" if met else "tab:red")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(xscale="log", xlabel="ratio over its goal (right of the line: met)",
             yticks=range(len(found)), yticklabels=[name for name, *_ in reversed(found)])
    return figure


def plots(rows, results):
    """[(caption, file)]; none, and why, without matplotlib."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError as reason:
        print("no plots: %s (make deps-bench)" % reason)
        return []
    made = []
    for function, *words in CURVES:
        if function in results and "dearest" in results[function].values:
            made.append((function.__doc__.strip(), function.__name__,
                         plot_curve(pyplot, results[function], words)))
    made.append(("ratios over their goals", "ratios", plot_rows(pyplot, rows, results)))
    saved = []
    for caption, name, figure in made:
        if figure:
            figure.savefig("%s/%s.png" % (FOLDER, name), dpi=110, bbox_inches="tight")
            pyplot.close(figure)
            saved.append((caption, "bench/%s.png" % name))
    return saved


def markdown(machine, heads, table, missed, pictures, contests):
    lines = ["# What posenc claims, measured", "", machine, "",
             "| %s |" % " | ".join(heads), "|%s" % ("---|" * len(heads))]
    lines += ["| %s |" % " | ".join(row) for row in table]
    lines += ["", "## What limits those that miss their goals", ""]
    lines += ["- %s: %s" % pair for pair in missed] or ["None does."]
    for caption, path in pictures:
        lines += ["", "## %s" % caption, "", "![%s](%s)" % (caption, path)]
    lines += ["", "## Commands", ""]
    for caption, commands in contests:
        lines += ["- %s" % caption] + ["  - %s: `%s`" % pair for pair in commands]
    return "\n".join(lines) + "\n"


def page(machine, heads, table, missed, pictures, contests):
    def row(cells, tag):
        return "<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, html.escape(cell), tag)
                                       for cell in cells)
    parts = ["<!doctype html><meta charset=utf-8><title>posenc, measured</title>",
             "<style>body{font:14px sans-serif;margin:2em}td,th{padding:2px 8px;"
             "text-align:left}tr:nth-child(odd){background:#f2f2f2}</style>",
             "<h1>What posenc claims, measured</h1><p>%s</p>" % html.escape(machine),
             "<table>", row(heads, "th"), *[row(cells, "td") for cells in table], "</table>",
             "<h2>What limits those that miss their goals</h2><ul>",
             *["<li>%s: %s</li>" % tuple(map(html.escape, pair)) for pair in missed],
             "</ul>" if missed else "</ul><p>None does.</p>"]
    for caption, path in pictures:
        parts.append("<h2>%s</h2><img src='%s' alt=''>" % (html.escape(caption), path))
    parts.append("<h2>Commands</h2>")
    for caption, commands in contests:
        parts.append("<p>%s</p><ul>%s</ul>" % (html.escape(caption), "".join(
            "<li>%s: <code>%s</code></li>" % tuple(map(html.escape, pair))
            for pair in commands)))
    return "\n".join(parts) + "\n"


def write(machine, heads, table, missed, rows, results):
    os.makedirs(FOLDER, exist_ok=True)
    pictures = plots(rows, results)
    contests = [(function.__doc__.strip(), sorted(result.commands.items()))
                for function, result in results.items()]
    for path, form in (("build/bench.md", markdown), ("build/bench.html", page)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(form(machine, heads, table, missed, pictures, contests))
        print("written: " + path)
