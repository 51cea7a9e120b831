# SPDX-License-Identifier: Apache-2.0
"""report.py - a run as pages: build/bench.md and build/bench.html with the table, the command that
measured each row, and plots (matplotlib): every row with a goal beside it, and cost against
size."""

import html
import os

import contest
import cost_by_size

FOLDER = "build/bench"
CURVES = [
    (cost_by_size.positions, "positions", "ns an element"),
    (cost_by_size.pairs, "width (two a pair)", "ns an element"),
    (cost_by_size.heads, "heads", "ns an element"),
    (cost_by_size.connections, "idle connections", "µs of server CPU a request"),
]


def plain_ticks(axis, at):
    """Ticks at these values, in digits and not as powers of ten."""
    axis.set_ticks(at, ["{:,g}".format(tick) for tick in at])
    axis.set_ticks([], minor=True)


def plot_curve(pyplot, function, result, goal, words):
    """Cost of a unit against size: a flat line is linear growth."""
    figures = [name for name in result.values if name.isdigit()]
    sizes = [int(name) for name in figures]
    turns = [[value / result.scale for value in result.values[name]] for name in figures]
    middles = [contest.median(values) for values in turns]
    figure, axes = pyplot.subplots(figsize=(7.5, 3.8))
    axes.plot(sizes, middles, marker="o", label="median of %d turns" % len(turns[0]))
    axes.fill_between(sizes, [min(values) for values in turns],
                      [max(values) for values in turns], alpha=0.2, label="least to greatest")
    axes.axhspan(min(middles), min(middles) * goal.margin(1), alpha=0.2, color="tab:green",
                 label="goal: %s the cheapest" % goal.text)
    axes.set(title=function.__doc__.strip(), xscale="log", xlabel=words[0], ylabel=words[1],
             ylim=(0, None))
    plain_ticks(axes.xaxis, sizes)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right", fontsize="small")
    return figure


def margins(rows, results):
    """(row's name, how many times as good as its goal: median, least, greatest, met)"""
    for row in rows:
        values = results[row.contest].values if row.contest in results else {}
        if row.goal.margin and all(name in values for name in (row.ours, row.theirs) if name):
            *said, met = row.goal.judge(values[row.ours], values.get(row.theirs))
            middle, *ends = map(row.goal.margin, said)
            yield "%s: %s" % (row.name, " / ".join(filter(None, (row.ours, row.theirs)))), \
                middle, min(ends), max(ends), met


def plot_rows(pyplot, rows, results):
    """One dot for each row with a goal, with its spread."""
    found = list(margins(rows, results))[::-1]
    if not found:
        return None
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.26 * len(found)))
    for at, (_, middle, least, most, met) in enumerate(found):
        axes.plot([least, most], [at, at], color="tab:gray")
        axes.plot(middle, at, "o" if met else "X", color="tab:green" if met else "tab:red")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(title="What is claimed: met (green dots) or missed (red crosses), least to greatest",
             xscale="log", xlabel="times as good as its goal asks", ylim=(-0.7, len(found) - 0.3),
             yticks=range(len(found)), yticklabels=[name for name, *_ in found])
    least, most = axes.get_xlim()
    plain_ticks(axes.xaxis, [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
                                     if least <= tick <= most])
    axes.grid(axis="x", alpha=0.3)
    return figure


def plots(rows, results):
    """[(caption, file)]; without matplotlib none, and the reason."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError as reason:
        print("no plots: %s (make deps-bench)" % reason)
        return []
    made = []
    for function, *words in CURVES:
        if function in results and "most expensive" in results[function].values:
            made.append((function.__doc__.strip(), function.__name__,
                         plot_curve(pyplot, function, results[function],
                                    next(row.goal for row in rows if row.contest is function),
                                    words)))
    made.append(("all goals", "goals", plot_rows(pyplot, rows, results)))
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
