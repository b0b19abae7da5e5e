"""What a machine can find wrong with a page: rules of accessibility, small targets, sideways scrolling."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  const where = nodes => nodes.map(node => node.html.slice(0, 160)).join(" | ");
  return found.violations.map(one => `${one.impact} ${one.id}: ${where(one.nodes)}`);
}"""
# The page and the part of it that scrolls; a table or a strip may scroll inside.
WIDER = """() => Math.max(...[document.documentElement, ...document.querySelectorAll("main, .page, .scroller")]
  .map(node => node.scrollWidth - node.clientWidth))"""
# Links in the midst of a sentence are as high as its lines; a box and its label are one target. Seven days side by side
# leave less than 44 px each on a small phone: the same blocks are wide enough in the views of three days and one.
SMALL = """limit => [...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]")].filter(node => {
  const style = getComputedStyle(node);
  if (!node.checkVisibility({ visibilityProperty: true }) || node.closest(".hidden-text, .skip, [inert]")) return false;
  if (node.matches("a") && style.display === "inline") return false;
  const box = (node.matches("[type=checkbox], [type=radio]") && node.closest("label") || node).getBoundingClientRect();
  return box.width && (box.height < limit || box.width < limit && !node.closest(".dense"));
}).map(node => {
  const box = node.getBoundingClientRect();
  return `${Math.round(box.width)}x${Math.round(box.height)} ${node.outerHTML.slice(0, 110)}`;
})"""
TARGET_PX = 43.5


def find_faults(page: Page) -> list[str]:
    """Everything axe-core finds, of any level."""
    page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN)
    return found


def find_small_targets(page: Page) -> list[str]:
    """What a finger would miss, with its size."""
    found: list[str] = page.evaluate(SMALL, TARGET_PX)
    return found


def pixels_too_wide(page: Page) -> int:
    found: int = page.evaluate(WIDER)
    return found
