"""Says to operators why calls of the model failed: the stored facts of a run in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agent.loop.outside.model import CauseKind

SENTENCES: Mapping[CauseKind, str | Promise] = {
    "refused": _("连接被拒绝：模型地址上没有服务在监听"),
    "unresolved": _("域名无法解析：请检查 OPENAI_BASE_URL 和域名服务"),
    "tls": _("TLS 握手失败：请检查证书和系统时间"),
    "disconnected": _("连接中断：服务商还没有回答就断开了"),
    "unauthorized": _("认证失败：密钥缺失、错误或已撤销。请在环境变量 OPENAI_API_KEY 中填入有效的密钥并重启"),
    "forbidden": _("没有权限：这个密钥不能使用该模型。请在服务商处开通，或改 OPENAI_MODEL、OPENAI_BASE_URL"),
    "not_found": _("地址或模型不存在：请检查 OPENAI_BASE_URL 和 OPENAI_MODEL"),
    "context_overflow": _("提示超出了模型的上下文长度，缩短后仍放不下：请换用窗口更大的模型"),
    "bad_request": _("服务商不接受请求：请检查模型的参数和上下文长度"),
    "rate_limited": _("超出服务商的频率或额度限制"),
    "unpaid": _("额度已用完或账户欠费：请在服务商处充值或换用别的密钥"),
    "filtered": _("服务商的内容审核拒绝了请求或回答"),
    "server_error": _("服务商内部错误"),
    "other_status": _("服务商返回了意外的状态码"),
    "error_in_stream": _("服务商在回答途中报告了错误"),
    "no_answer": _("超时：规定时间内没有开始回答"),
    "silence": _("超时：回答到一半停住了"),
    "deadline": _("超时：整个调用超过了时限"),
    "truncated": _("回答不完整：没有说完就断开了"),
    "malformed": _("回答的格式无法识别"),
    "wrong_address": _("地址上没有模型服务：得到的是网页，或一再转向别处。请检查 OPENAI_BASE_URL，多半要以 /v1 结尾"),
    "no_model": _("没有可用的模型：请检查 AGENT_BACKEND 等设置"),
    "unknown": _("原因不明：请按运行编号查找日志"),
}


def sentence_of(call: Mapping[str, Any]) -> str:
    """Tells why one call failed, in an operator's words."""
    return str(SENTENCES.get(call["cause"]["kind"], SENTENCES["unknown"]))


def account_of(call: Mapping[str, Any]) -> str:
    """Returns the whole account of one failed call: why, where in the run, and what the provider's support asks for."""
    cause = call["cause"]
    facts = [
        gettext("第 %(index)s 次模型调用") % {"index": call["call_index"]},
        gettext("阶段 %(stage)s") % {"stage": call["stage"]},
        gettext("模型 %(model)s") % {"model": call["model"]},
        gettext("尝试 %(attempts)s 次") % {"attempts": cause["attempts"]},
    ]
    if cause["status"]:
        facts.append(f"HTTP {cause['status']}")
    if cause["provider_code"]:
        facts.append(gettext("服务商错误码 %(code)s") % {"code": cause["provider_code"]})
    if cause["request_id"]:
        facts.append(gettext("服务商请求编号 %(id)s") % {"id": cause["request_id"]})
    return f"{sentence_of(call)} ({', '.join(facts)})"


def accounts_of(calls: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """Returns the accounts of a run's failed calls, in their order."""
    return [account_of(call) for call in calls or ()]
