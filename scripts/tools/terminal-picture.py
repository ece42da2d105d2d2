# SPDX-License-Identifier: Apache-2.0
"""Converts the terminal output of a program into an SVG picture.

    script -qec 'launchprof report TRACE --width 88' /dev/null | python3 terminal-picture.py > docs/report.svg

Knows the text attributes that launchprof uses: bold, dim, red, green, cyan.
"""

import html
import re
import sys
import unicodedata

CHARACTER, LINE, MARGIN = 8.4, 18, 16
STYLES = {"1": "font-weight:bold", "2": "opacity:.6", "31": "fill:#ff7b72", "32": "fill:#7ee787", "36": "fill:#79c0ff"}


def runs(line):
    """The line's stretches of one style: (column, text, style)."""
    column, style = 0, ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            style = ";".join(STYLES[c] for c in code[1].split(";") if c in STYLES)
        elif part:
            yield column, part, style
            column += sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in part)


def main():
    lines = sys.stdin.read().replace("\r", "").rstrip("\n").split("\n")
    width = max(sum(len(text) for _, text, _ in runs(line)) for line in lines)
    size = (MARGIN * 2 + width * CHARACTER, MARGIN * 2 + len(lines) * LINE)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" width="{size[0]:.0f}">')
    print('<rect width="100%" height="100%" rx="8" fill="#0d1117"/>')
    print(f'<g font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="{LINE - 4}" fill="#e6edf3">')
    for number, line in enumerate(lines):
        for column, text, style in runs(line):
            if text.strip():
                x, y = MARGIN + column * CHARACTER, MARGIN + (number + 0.8) * LINE
                print(
                    f'<text x="{x:.1f}" y="{y:.1f}" textLength="{len(text) * CHARACTER:.1f}" xml:space="preserve"'
                    f' style="{style}">{html.escape(text)}</text>'
                )
    print("</g></svg>")


main()
