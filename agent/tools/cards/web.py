"""Cards of the web tools (web.search_result, web.fetch_result)."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.phrase import clip_text
from agent.calls.values import ToolOutcome
from agent.tools.cards.parts.kit import Content, Lang, callout, item, items_section, kv_section, metric

SHOWN = 120


def search_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    found = [hit_item(lang, row) for row in data["items"]]
    result = (
        items_section(lang.t("搜索结果"), found)
        if found
        else callout(lang.t("没有结果"), lang.t("换一个说法再试"), tone="warning")
    )
    return Content(
        title=lang.t("找到 {n} 条结果", n=data["count"]),
        subtitle=lang.name(data["query"]),
        metrics=(metric(lang.t("结果数"), str(data["count"])),),
        items=tuple(found),
        sections=(result, kv_section(lang.t("搜索参数"), [(lang.t("查询内容"), lang.name(data["query"]))])),
    )


def hit_item(lang: Lang, row: Json) -> Json:
    tags = [lang.t("外部内容"), row["published_at"]]
    lines = [clip_text(row["snippet"], SHOWN), row["url"]]
    return item(row["title"] or row["host"], row["host"], tags=tags, lines=lines, meta={"url": row["url"]})


def fetch_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    title = lang.name(data["title"]) or data["url"]
    shown = item(title, data["final_url"], tags=[lang.t("外部内容")], meta={"url": data["final_url"]})
    preview = (
        callout(lang.t("正文预览"), lang.t("外部内容"), lines=data["preview"])
        if data["preview"]
        else callout(lang.t("正文预览"), lang.t("页面没有可读正文"), tone="warning")
    )
    return Content(
        title=lang.t("已读取：{title}", title=title),
        subtitle=data["final_url"],
        metrics=(
            metric(lang.t("正文长度"), lang.t("{n} 字", n=data["length"])),
            metric(lang.t("是否截断"), lang.yes_no(data["truncated"])),
        ),
        items=(shown,),
        sections=(
            preview,
            kv_section(lang.t("页面信息"), [(lang.t("链接"), data["final_url"]), (lang.t("标题"), data["title"])]),
        ),
    )


def search_failure(lang: Lang, outcome: ToolOutcome) -> Content:
    return not_set_up(lang, outcome, "网页搜索未启用", "请管理员设置搜索服务的名称、地址和密钥")


def fetch_failure(lang: Lang, outcome: ToolOutcome) -> Content:
    return not_set_up(lang, outcome, "网页抓取未启用", "管理员关闭了读取网页的功能")


def not_set_up(lang: Lang, outcome: ToolOutcome, title: str, words: str) -> Content:
    """Says whom to ask about a web tool that nobody set up."""
    if outcome.error is None or outcome.error.code != "web_not_enabled":
        return Content("")
    return Content(lang.t(title), sections=(callout(lang.t("如何启用"), lang.t(words)),))
