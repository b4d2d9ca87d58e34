# SPDX-License-Identifier: Apache-2.0
"""Draws `architecture.svg`: the rooms of pyrmq, who may import whom, and the way of a request through them.

Run it after changing the plan: `python docs/pictures/architecture.py`.
"""

from pathlib import Path

ROOMS = {
    # name: (x, y, width, line 1, line 2, fill)
    "cli": (300, 30, 300, "cli", "the pyrmq command", "#e8eef7"),
    "namesrv": (110, 140, 300, "namesrv", "route tables, KV store, handlers", "#e3f2e6"),
    "broker": (490, 140, 300, "broker", "topics, registration; messages come next", "#e3f2e6"),
    "remoting": (300, 250, 300, "remoting", "connections, dispatch, TLS: owns the sockets", "#fdf1dc"),
    "settings": (630, 250, 120, "settings", "properties", "#f2f2f2"),
    "storage": (770, 250, 120, "storage", "store files", "#fdf1dc"),
    "clock": (60, 250, 180, "clock, atomicfile", "time and files, handed in", "#f2f2f2"),
    "wire": (180, 360, 540, "wire", "frames · commands · headers · bodies · records: no I/O", "#f9e4e4"),
}
ARROWS = [
    ("cli", "namesrv"), ("cli", "broker"), ("namesrv", "remoting"), ("broker", "remoting"),
    ("broker", "settings"), ("broker", "storage"), ("namesrv", "clock"), ("remoting", "wire"),
    ("storage", "wire"),
]  # fmt: skip
HEIGHT = 62
STEPS = [
    "bytes of one read", "all whole frames", "a command each", "its handler", "a reply", "one write for all",
]  # fmt: skip


def box(name: str) -> str:
    x, y, width, title, text, fill = ROOMS[name]
    middle = x + width / 2
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{HEIGHT}" rx="8" fill="{fill}" stroke="#555"/>'
        f'<text x="{middle}" y="{y + 26}" class="title">{title}</text>'
        f'<text x="{middle}" y="{y + 46}">{text}</text>'
    )


def arrow(start: str, end: str) -> str:
    x1, y1, w1, *_ = ROOMS[start]
    x2, y2, w2, *_ = ROOMS[end]
    a, b = x1 + w1 / 2, x2 + w2 / 2
    shift = max(min(0.35 * (b - a), w1 - 20), 20 - w1)  # from well within the box
    return (
        f'<line x1="{a + shift / 2}" y1="{y1 + HEIGHT}" x2="{b - shift / 2}" y2="{y2 - 3}" '
        'stroke="#555" stroke-width="1.6" marker-end="url(#tip)"/>'
    )


def step(number: int, text: str) -> str:
    width, gap = 130, 12
    x = 24 + number * (width + gap)
    label = (
        f'<rect x="{x}" y="480" width="{width}" height="34" rx="17" fill="white" stroke="#3566a8"/>'
        f'<text x="{x + width / 2}" y="502">{text}</text>'
    )
    if number:
        label += (
            f'<line x1="{x - gap}" y1="497" x2="{x - 3}" y2="497" stroke="#3566a8" marker-end="url(#tip)"/>'
        )
    return label


def main() -> None:
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 540" font-family="sans-serif" '
        'font-size="12.5">',
        "<style>text{text-anchor:middle;fill:#222}.title{font-weight:bold;font-size:15px}</style>",
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L10 5L0 10z" fill="#555"/></marker></defs>',
        '<rect width="900" height="540" fill="white"/>',
        *(arrow(*pair) for pair in ARROWS),
        *(box(name) for name in ROOMS),
        '<text x="24" y="462" style="text-anchor:start;font-weight:bold">the way of a request</text>',
        *(step(number, text) for number, text in enumerate(STEPS)),
        "</svg>",
    ]
    Path(__file__).with_suffix(".svg").write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
