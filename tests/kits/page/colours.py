"""Colours of the tokens as people see them: contrast, and the three kinds of colour blindness."""

from __future__ import annotations

import re
from pathlib import Path

Rgb = tuple[float, float, float]
# Viénot, Brettel, Mollon 1999 (red, green); Brettel 1997 simplified to one plane (blue); linear RGB.
BLIND: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "protanopia": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deuteranopia": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "tritanopia": ((1.01354, 0.14268, -0.15622), (-0.01181, 0.87561, 0.13619), (0.07707, 0.81208, 0.11085)),
}


def themes(path: Path) -> dict[str, dict[str, str]]:
    """The colours by name, light and dark; what the dark theme does not name it has from the light one."""
    blocks = re.findall(r"([^{}]+)\{([^{}]*)\}", path.read_text(encoding="utf-8"))
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for selector, body in blocks:
        found = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{6});", body))
        if "dark" in selector or 'not([data-theme="light"])' in selector:
            dark |= found
        elif ":root" in selector:
            light |= found
    return {"light": light, "dark": {**light, **dark}}


def linear(colour: str) -> Rgb:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return red, green, blue


def luminance(rgb: Rgb) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG, 1 to 21."""
    light, dark = sorted((luminance(linear(one)), luminance(linear(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen_by(colour: str, kind: str) -> Rgb:
    """Linear RGB as somebody with this blindness tells it apart."""
    rgb = linear(colour)
    red, green, blue = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in BLIND[kind])
    return red, green, blue


def difference(one: Rgb, other: Rgb) -> float:
    """Distance in CIELAB (delta E 1976); from about 5 on two areas beside each other are told apart at a glance."""
    return sum((a - b) ** 2 for a, b in zip(_lab(one), _lab(other), strict=True)) ** 0.5


def _lab(rgb: Rgb) -> Rgb:
    red, green, blue = (min(1.0, max(0.0, one)) for one in rgb)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116 for one in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
