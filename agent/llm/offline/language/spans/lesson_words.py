"""Words by which lessons are told from what is studied: those for a lesson, for its subject, and for items."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text

_LESSON_SAID = re.compile(
    r"(?<![门这])课(?!时|题|后|本|件|文|间|表|程(?!表)|堂?作业|任务|设计)|讲座|上学|放学|到校"
    r"|\b(?:lessons?|lectures?|seminars?|tutorials?|timetabled)\b(?! ?\d)"
    r"|\b(?:be|get|go|turn up|show up|out|leave)(?: (?:at|to|in|on|of))? (?:the )?(?:uni|university|school|college"
    r"|campus)\b"
    r"|\b(?:have|has|got|any|no|to|in|next|first|last|from|after|before|attend|skip(?:ped)?|missed|english"
    r"|calc\w*) class\b(?! (?:called|named|for|ends?))"
    r"|落下(?:什么|啥)|错过(?:什么|啥)|\b(?:anything|what (?:do|will|would)|will) i(?:'ll| will)? miss\b"
    r"(?! chapter| lab)"
    r"|\b(?:have|got|any|no|more|other|next|first|last|just) classes\b(?=\W*$| (?:on|today|tomorrow|tonight|this"
    r"|next|left|after)\b)"
)
"""What is held, and what is gone to for it; a task class is none."""
_SUBJECTS = re.compile(
    r"(?:大学|高等|公共)?(?:英语|体育|语文|数学(?!分析))|高数|微积分|大英|马原|思政|毛概|近代史|史纲|军理|物理课|化学|电路|程序设计|离散|日语"
    r"|\b(?:calc|calculus|english|math(?:s|ematics)?|pe|gym|chem(?:istry)?|biology|history|french|german|spanish"
    r"|econ(?:omics)?|philosophy|law)\b"
)
"""Names and short names of what is taught."""
_STUDIED = re.compile(
    r"任务|内容|单词|词汇|复习|背|章|单元|实验|安排|计划|有空|空[吗么着]|空闲|忙|截止|ddl|每?门课"
    r"|\b(?:items?|tasks?|units?|chapters?|labs?|words?|revis\w+|vocab\w*|stud(?:y|ies|ying)|plan(?:ned)?|free|busy"
    r"|deadlines?|due|filler)\b"
)
"""What is asked of items and of free time."""


def says_lesson(text: str) -> bool:
    """Whether a word for a lesson is said."""
    return _LESSON_SAID.search(fold_text(text)) is not None


def says_subject(text: str) -> bool:
    """Whether something that is taught is named."""
    return _SUBJECTS.search(fold_text(text)) is not None


def without_subjects(text: str) -> str:
    """A folded text without the names of what is taught."""
    return _SUBJECTS.sub(" ", text)


def says_studied(text: str) -> bool:
    """Whether items or free time are spoken of."""
    return _STUDIED.search(fold_text(text)) is not None
