"""Every coded answer of the API: number, HTTP status, name and the sentence for people.

One code always has one HTTP status. `CodedError` is the only exception that use cases raise on purpose; the handler in
`smartmate.middleware.errors` turns it into the envelope. This module imports no framework, so every app may raise from
it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from taskclasses.kernel.i18n import text

SUCCESS = "10000"


@dataclass(frozen=True, slots=True)
class Code:
    number: int
    http: int
    name: str
    message: str
    """Chinese sentence; English comes from the catalogue."""

    def info(self, locale: str) -> str:
        """Returns the sentence for people, in the language of `locale`."""
        return text(self.message, locale)


_TABLE = (
    Code(40004, 400, "missing_conversation_id", "缺少 conversation_id"),
    Code(40005, 400, "bad_request", "请求格式错误"),
    Code(40006, 413, "too_large", "内容超出长度限制"),
    Code(40014, 401, "unauthorized", "未登录或登录已失效"),
    Code(40019, 422, "bad_course_rows", "课程数据有误"),
    Code(40025, 409, "host_taken", "课程已被其他任务块嵌入"),
    Code(40026, 409, "schedule_conflict", "日程冲突"),
    Code(40031, 404, "event_not_found", "日程不存在"),
    Code(40033, 429, "rate_limited", "请求过于频繁，请稍后再试"),
    Code(40034, 409, "item_already_applied", "任务项已安排"),
    Code(40036, 404, "item_not_found", "任务项不存在"),
    Code(40037, 400, "idempotency_key_missing", "缺少 Idempotency-Key"),
    Code(40038, 409, "request_in_progress", "请求正在处理中"),
    Code(40040, 404, "class_not_found", "任务类不存在"),
    Code(40041, 404, "semester_not_found", "学期不存在"),
    Code(40042, 404, "course_not_found", "课程不存在"),
    Code(40043, 404, "import_not_found", "导入不存在"),
    Code(40044, 422, "auto_without_dates", "自动模式需要开始和结束日期"),
    Code(40045, 422, "bad_date_range", "日期范围无效"),
    Code(40046, 422, "class_not_auto", "任务类不是自动模式"),
    Code(40047, 404, "exam_not_found", "考试不存在"),
    Code(40048, 422, "item_not_in_class", "任务项不属于该任务类"),
    Code(40049, 422, "outside_semester", "任务项时间超出学期范围"),
    Code(40050, 404, "exception_not_found", "校历例外不存在"),
    Code(40051, 409, "exceptions_overlap", "同一天已有校历例外"),
    Code(40052, 404, "lesson_change_not_found", "调课不存在"),
    Code(40053, 404, "preview_not_found", "没有可预览的排程"),
    Code(40058, 404, "draft_not_found", "排程快照不存在或已过期，请重新对话"),
    Code(40059, 422, "outside_window", "超出本次排程的时间范围"),
    Code(40060, 422, "item_not_in_draft", "任务项不在本次排程中"),
    Code(40061, 422, "host_not_found", "找不到要嵌入的课程"),
    Code(40062, 400, "duplicate_item", "请求中包含重复的任务项"),
    Code(40070, 422, "idempotency_key_reused", "幂等键已用于另一个请求"),
    Code(40071, 409, "draft_stale", "排程已有更新，请刷新后再试"),
    Code(40072, 422, "breaks_item_order", "违反任务项的先后顺序"),
    Code(40073, 422, "breaks_constraint", "违反任务类或课程的约束"),
    Code(40074, 409, "interaction_closed", "该确认已处理"),
    Code(40075, 409, "run_active", "对话正在处理中"),
    Code(40076, 404, "run_not_found", "任务不存在"),
    Code(40077, 409, "cannot_undo", "无法撤销"),
    Code(40078, 409, "semester_in_use", "学期里还有日程"),
    Code(40079, 412, "changed_since_read", "读取之后已被改动，请重新读取"),
    Code(40092, 429, "quota_used", "今天给助手的消息已经用完，明天再来"),
    Code(40091, 404, "preference_not_found", "没有这条偏好"),
    Code(40090, 409, "cannot_mark", "现在不能这样标记"),
    Code(40087, 409, "account_not_empty", "账号里已经有内容，归档只能导入空账号"),
    Code(40088, 403, "wrong_password", "密码不对"),
    Code(40085, 422, "picture_not_readable", "现在的模型看不了图片，请换一种课表文件"),
    Code(40086, 404, "feed_not_found", "还没有日历订阅地址"),
    Code(40301, 403, "forbidden_origin", "请求来源校验失败"),
    Code(40302, 403, "signup_closed", "目前不开放注册"),
    Code(40400, 404, "not_found", "路径不存在"),
    Code(40401, 404, "conversation_not_found", "对话不存在"),
    Code(40500, 405, "method_not_allowed", "不支持该请求方法"),
    Code(50000, 500, "internal_error", "服务器内部错误"),
    Code(50001, 503, "llm_unavailable", "暂时联系不上模型，请稍后再试"),
    Code(50002, 503, "llm_timeout", "模型响应超时，请稍后再试"),
    Code(50003, 503, "llm_rate_limited", "模型请求过于频繁，请稍后再试"),
    Code(50004, 503, "storage_unavailable", "存储服务不可用，请稍后再试"),
    Code(50005, 503, "llm_bad_request", "模型没有接受这次请求"),
    Code(50006, 503, "llm_filtered", "模型拒绝回答这部分内容"),
    Code(50007, 503, "llm_truncated", "模型的回答不完整，请再试一次"),
    Code(50008, 503, "state_save_failed", "进度没有保存成功，请稍后再试"),
    Code(50009, 503, "no_worker", "没有可用的执行进程，请稍后再试"),
)
CODES: Mapping[int, Code] = {code.number: code for code in _TABLE}
NAMED: Mapping[str, Code] = {code.name: code for code in _TABLE}


NOT_PLACED, UNDONE = "这一项现在没有排在哪里，显示的可能旧了", "这次改动已经撤销过了"
"""What 40077 says where its own sentence, that nothing can be undone, would not tell what was wanted."""


GARBAGE = (AttributeError, IndexError, KeyError, TypeError, ValueError, zlib.error)
"""What reading a stored document raises that is not of the form in which we write it."""


class CodedError(Exception):
    """Tells of a refusal with a number of `CODES`; `data` is the `data` of the envelope (shape per code: wire.md
    1.5)."""

    def __init__(self, code: int, data: Any = None, *, message: str = "") -> None:
        super().__init__(f"{code} {CODES[code].name}")
        self.code = code
        self.data = data
        self.message = message

    @property
    def http_status(self) -> int:
        return CODES[self.code].http

    @property
    def name(self) -> str:
        return CODES[self.code].name

    def info(self, locale: str) -> str:
        """Returns the sentence for people, in the language of `locale`."""
        return text(self.message or CODES[self.code].message, locale)


def bad_request(field: str, message: str) -> CodedError:
    """Returns 40005 naming one field; `message` is a Chinese message id, translated by the handler."""
    return CodedError(40005, {"errors": [{"field": field, "message": message}]})


def too_large(field: str, limit: int) -> CodedError:
    return CodedError(40006, {"field": field, "limit": limit})
