"""What a screen reader hears, what contrast the words have, and that no text of others becomes markup."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.kits.page.places import plan_all

PROBE = "<img src=x onerror=document.title='broken'><script>document.title='broken'</script>"

# The text nodes that are shown and whose contrast with what lies behind them is below 4.5, or 3 for large text.
FAINT_TEXTS = """() => {
  const channel = (value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const over = (layers) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const [color, alpha] of layers) {
      canvas.globalAlpha = alpha; canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own = node.parentElement;
    const unseen = !own.checkVisibility() || own.closest(":disabled, option, .hidden-text, .skip, dialog");
    if (!node.data.trim() || unseen) continue;
    const chain = [];
    for (let at = own; at; at = at.parentElement) chain.unshift(at);
    const alpha = chain.reduce((product, at) => product * Number(getComputedStyle(at).opacity), 1);
    const behind = chain.map((at) => [getComputedStyle(at).backgroundColor, 1]);
    const style = getComputedStyle(own);
    const [a, b] = [light(over([...behind, [style.color, alpha]])), light(over(behind))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < (large ? 3 : 4.5)) {
      faint.push(`${contrast.toFixed(2)} ${own.className || own.tagName}: ${node.data.trim().slice(0, 20)}`);
    }
  }
  return [...new Set(faint)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(open_planned: Any, scheme: str) -> None:
    planner = open_planned(color_scheme=scheme)
    page = planner.page
    planner.unfold()
    for card in page.locator("details.card.tool > summary").all():
        card.click()
    expect(page.locator(".entry.suggested").first).to_be_visible()
    assert page.evaluate(FAINT_TEXTS) == []
    page.locator(".entry.suggested").first.press("m")
    expect(page.locator(".ghost")).to_be_visible()
    assert page.evaluate(FAINT_TEXTS) == []
    page.keyboard.press("Escape")
    page.click("#new-conversation")
    expect(page.locator("#timeline > li")).to_have_count(0)
    expect(page.locator(".entry.suggested")).to_have_count(0)
    assert page.evaluate(FAINT_TEXTS) == []


def test_an_answer_is_read_aloud_once_and_whole(open_planner: Any) -> None:
    planner = open_planner("page-aloud")
    page = planner.page
    page.evaluate(
        """() => {
          window.heard = [];
          new MutationObserver((records) => records.forEach((record) => record.addedNodes.forEach((node) => {
            const live = record.target.closest?.("[aria-live], [role=log], [role=status], [role=alert]");
            if (live && live.closest("#chat, #spoken")) window.heard.push(node.textContent);
          }))).observe(document.body, { subtree: true, childList: true });
        }"""
    )
    planner.say("你好")
    answer = page.locator(".block.text .bubble").inner_text()
    expect(page.locator("#spoken p").last).to_have_text(answer)
    assert page.evaluate("window.heard").count(answer) == 1
    assert all(words == answer for words in page.evaluate("window.heard"))
    page.reload()
    planner.ready()
    expect(page.locator("#spoken")).to_be_empty()


def test_the_last_words_are_in_view_after_sending_and_after_a_reload(open_planned: Any) -> None:
    planner = open_planned("page-end", viewport={"width": 1360, "height": 560})
    page = planner.page
    planner.unfold()
    for card in page.locator("details.card.tool > summary").all():
        card.click()
    page.locator(".scroller").evaluate("node => { node.scrollTop = 0; }")
    planner.say("你好")
    expect(page.locator(".block.text").last).to_be_in_viewport()
    page.reload()
    planner.ready()
    expect(page.locator(".block.text").last).to_be_in_viewport()
    assert page.locator(".scroller").evaluate("node => node.scrollTop") > 0


def test_an_answered_card_keeps_the_focus(open_planner: Any) -> None:
    planner = open_planner("page-focus")
    page = planner.page
    planner.say("新建任务类「阅读」，下周一到下周日，共4节，内容：第一章、第二章")
    button = page.locator(".ask.open [data-action=cancel]")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ask.closed")).to_have_count(1)
    expect(page.locator(".block:focus .ask.closed")).to_have_count(1)


def test_names_of_others_are_never_markup(enter: Any, server: Any) -> None:
    planner = enter("page-probe")
    page = planner.page
    headers = {"X-CSRFToken": next(c["value"] for c in page.context.cookies() if c["name"] == "csrftoken")}
    semester = planner.api("/schedule/semester")
    arrangement = {
        "start_week": 1,
        "end_week": semester["weeks"],
        "day_of_week": 7,
        "start_section": 11,
        "end_section": 11,
    }
    courses = [
        {"course_name": PROBE[:60], "location": PROBE[:60], "arrangements": [{**arrangement, "week_type": "all"}]}
    ]
    answer = page.request.post(
        f"{server.base_url}/api/v1/schedule/imports?dry_run=false",
        data={"format": "json", "courses": courses},
        headers={**headers, "Idempotency-Key": "probe"},
    )
    assert answer.json()["status"] == "10000", answer.text()
    last = planner.api(f"/schedule/week?week={semester['weeks']}")["first_date"]
    one = {
        "name": PROBE[:60], "mode": "auto", "strategy": "steady", "start_date": planner.api("/schedule/today")["date"],
        "end_date": last, "items": [{"order": 1, "content": PROBE}],
    }  # fmt: skip
    made = page.request.post(f"{server.base_url}/api/v1/task-class", data=one, headers=headers)
    assert made.json()["status"] == "10000", made.text()
    planner.open("/")
    plan_all(planner)
    planner.unfold()
    for card in page.locator("details.card.tool > summary").all():
        card.click()
    expect(page.locator("#timeline")).to_contain_text("onerror")
    expect(page.locator("#class-list")).to_contain_text("onerror")
    expect(page.locator(".entry", has_text="onerror").first).to_be_visible()
    assert page.locator("main img, main script").count() == 0
    assert page.title() != "broken"


def test_nothing_moves_for_those_who_ask_for_calm(open_planned: Any) -> None:
    planner = open_planned(reduced_motion="reduce")
    page = planner.page
    page.evaluate("() => { Element.prototype.scrollIntoView = function (how) { window.scrolled = how.behavior; }; }")
    page.locator(".block.schedule button").click()
    page.wait_for_function("window.scrolled")
    assert page.evaluate("window.scrolled") == "auto"
    assert page.evaluate("document.getAnimations().length") == 0


def test_search_results_are_links_to_the_web_only(open_planner: Any) -> None:
    planner = open_planner("page-links")
    page = planner.page
    planner.say("看看这周有哪些空闲")
    addresses = ["https://example.org/a?b=1", "javascript:document.title='broken'", "data:text/html,x", "//example.org"]

    def with_search(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        row = next(item for item in body["data"]["items"] if item["kind"] == "tool_result")
        found = [{"title": f"{PROBE}{at}", "meta": {"url": url}} for at, url in enumerate(addresses)]
        view = {"view_type": "web.search_result", "collapsed": {"title": PROBE}, "expanded": {"items": found}}
        row["payload"] = {**row["payload"], "result_view": view}
        route.fulfill(response=answer, json=body)

    page.route("**/timeline?*", with_search)
    page.reload()
    planner.ready()
    planner.unfold()
    page.locator("details.card.tool > summary").first.click()
    links = page.locator("details.card.tool a")
    expect(links).to_have_count(1)
    expect(links).to_have_attribute("href", addresses[0])
    expect(links).to_have_attribute("rel", "noopener noreferrer")
    expect(page.locator("details.card.tool")).to_contain_text("onerror")
    assert page.locator("main img, main script").count() == 0


def test_a_card_says_its_state_in_words_and_shows_each_row_once(open_planned: Any) -> None:
    planner = open_planned("page-rows")
    page = planner.page
    planner.say("体检")
    planner.unfold()
    items = planner.api(f"/agent/conversations/{planner.conversation}/timeline?limit=500")["items"]
    views = [item["payload"]["result_view"] for item in items if item["kind"] == "tool_result"]
    expect(page.locator("details.card.tool")).to_have_count(len(views))
    cards = page.locator("details.card.tool").all()
    for card, view in zip(cards, views, strict=True):
        expect(card.locator(".tool-status")).to_have_text(view["collapsed"]["status_label"])
        in_sections = [row["title"] for part in view["expanded"]["sections"] for row in part.get("items", [])]
        shown = card.locator(".entry-title").all_text_contents()
        assert len(shown) == len(in_sections)
        dated = [title for title in shown if title not in in_sections]
        assert all("月" in title for title in dated)
    assert any(view["expanded"]["items"] for view in views)
