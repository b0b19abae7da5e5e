"""Dialogue state tracking: the last request and what was talked about, read from the conversation's beginning."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import zip_longest

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import INTENTS
from agent.llm.offline.language.dialogue.entities import (
    join_names,
    leaves_rest,
    name_listed_items,
    name_of,
    points_nowhere,
)
from agent.llm.offline.language.dialogue.filling import CLAUSE, put_in, put_only
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.dialogue.references import (
    IF_ANY,
    NEIGHBOUR,
    points_back,
    resolve_references,
    spell_day_beside,
    spell_month,
)
from agent.llm.offline.language.dialogue.revision.corrections import LEAD, change_other, correct_request, mark_instead
from agent.llm.offline.language.dialogue.revision.hours_anew import EACH_WEEK
from agent.llm.offline.language.dialogue.revision.open_after_all import is_written, open_after_all
from agent.llm.offline.language.dialogue.rewriting import (
    CHANGING,
    LIKELY,
    LONGEST,
    LOOKING,
    add_one_more,
    adds_more,
    count_changes,
    find_items,
    is_fragment,
    makes_write_of_question,
    select_items,
)
from agent.llm.offline.language.dialogue.slots import Span, find_spans
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.aims import SURER, aims_of
from agent.llm.offline.language.meaning.ellipsis import (
    affirms,
    form_of,
    leaves_it_open,
    names_something,
    only_tells_time,
    says_it,
    strip_fillers,
    unknown_name,
)
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of, line_of
from agent.llm.offline.language.meaning.requests import APART, split_first_step
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.happenings import days_in, is_dated, progress_in
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.items.spoken import explained_of, named_items, spell_out_ordinals, spoken_of
from agent.llm.offline.language.spans.items.wished_back import read_wished_back
from agent.llm.offline.language.spans.mentions import (
    all_items,
    classes_in,
    find_quoted_texts,
    items_by_name,
    items_in,
    said_names,
    without_items,
    without_mistakes,
    without_refusals,
)
from agent.llm.offline.language.spans.targets import (
    THAT_WEEK,
    day_at,
    list_standing,
    shift_in,
    target_in,
    way_in,
)
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.texts import comes_back, date_text
from agent.loop.view_document import AskedView, TaskView

_NO_BASE: tuple[Intent, ...] = ("other", "undo", "keep", "recovery", "changes", "plan_first")
NOT_SAVED_TOPIC, NOT_DONE_TOPIC = REFUSED_TOPICS = ("class_not_saved", "not_done")
"""What is asked when a card was refused with its button."""
_EVERY = re.compile(
    r"以后|每|所有|都|全|一律|计划|\b(?:every|(?<!after )all|always|anything|everything|in general|from now|plans?)\b"
)
_PUTS_BACK = re.compile(r"[放排挪移]?回(?:去|来|原[位处来])|恢复|留着|不用?动|\b(?:put|goes|move|back|stays?|keep)\b")
"""What an item that was meant by mistake is to do."""
_DENIES = re.compile(r"(?:不是|不要|别|没说|not|no|don't)\s*\S")
_INSISTS = re.compile(
    r"^(?:(?:no|nope|hey|but)\b[,\s]*)*i (?:already |just )?(?:said|mean|meant|told you)\b[:,\s]*(?!to\b|that\b|no)"
    r"|^(?:不对?[,，\s]*)?我(?:刚才?|明明)?(?:说|要)的(?:就?是|可是)[:：,，\s]*",
    re.IGNORECASE,
)
"""That what follows was said before."""
_SELECTS = re.compile(
    r"第[一二三四五六1-6](?![周天])|[最末头尾]|[前后][一两二三四五六1-6几](?!天)|其[中他它余]|剩|别的"
    r"|[一两二三四五六1-6几][个项章门]"
    r"|\b(?:first|second|third|last|others?|rest|one|two|three|some|few|but|except)\b"
    r"(?! (?:days?|weeks?|sections?|more)\b)"
)
"""What picks some of several in a way that was not understood."""
_MISTAKEN = re.compile(r"^(?:不对|不是|错了|[记说打]错了|其实|no|sorry|actually|wait)[,，\s]+")
_PREFERS = re.compile(
    r"更?喜欢|更[想愿要]意?|比较想|宁[愿可]|(?<=[午上天])[学做]|\b(?:prefer(?:ably)?|rather|suits? me|instead)\b"
)
_DECIDES = re.compile(
    rf"^(?:那就|就|改|换)|吧\W*$|{_PREFERS.pattern}|\b(?:let's|lets|make (?:it|that)|go (?:with|for)|better)\b"
)
ASKS_DAY = re.compile(r"哪一?[天日]|\b(?:which|what)\b[^,.;?]*?\bday\b")
"""A question for one day."""
_ASKS_ON = re.compile(r"[?？呢吗]|\b(?:what|how) about\b")
_DENYING = ("refuse", "unmark", "undo", "amend")
"""Labels of what takes back what was said before."""
_NOT_DONE = re.compile(r"[没未]|\b(?:(?:have|has|had|did|is|was|do)(?:n't| not)|not yet|still|never)\b")
TAKES_MARK_BACK = re.compile(
    r"其实|(?:\b(?:did|have|was|is)(?:n't| not)|'s not)\b.*\b(?:it|that|actually|done|after all)\b"
)
"""What takes a mark back that was just written."""
_HITS = re.compile(r"影响|碰[到上]|撞[到上]|\b(?:affect|hit)(?:s|ed)?\b")
_COMMANDS = re.compile(
    r"(?:(?:ok(?:ay)?|then|so|right|good|alright|let'?s|just|please|pls)\b[, ]*)*(?:do|keep|make|go)\b"
)
_MOST_FILLED = 6
"""Items of the longest list of which a bare request is understood."""
_REPLAYED = 10
"""Turns that are read again."""
_DAY = timedelta(days=1)


class DialogueState:
    """What a conversation is about when a turn begins: the last full request, the days that were talked about, and the
    list that was offered last."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.request = ""
        self.days: list[date] = []
        """The days that were said, the last one first."""
        self.asked = ""
        """The last message as a whole request, whatever it was."""
        self.told: list[date] = []
        """The days that the last answer told, where a day was asked for."""
        self.offered: AskedView | None = None
        """The last question with a list to choose from, until something else was wanted."""
        self.listed: list[TaskView] = []
        """The items of the last answer that named several, in its order."""
        self.named: list[TaskView] = []
        """The items that were named last."""
        self.owners: list[int] = []
        """The classes that were planned or changed last."""
        self.looked = False
        """Whether the last answer told what was looked up."""
        self.pointed = False
        """Whether the last turn pointed into the list: what became of some of it lists nothing new."""
        self.done = False
        """Whether anything was written since the last request was made."""
        self.refused = False
        """Whether its card was refused with the button: nothing is added to it."""
        turns = brief.earlier[-_REPLAYED:]
        for turn, told in zip_longest(turns, turns[1:]):
            if turn["role"] == "user":
                open_one = self.request
                self.hear(turn["text"])
                self.request = open_one if told and comes_back(told["text"]) else self.request
            else:
                self.look(turn["item_ids"], str(turn["text"]))
                self.done = bool(turn["wrote"])
                self.offered = turn["asks"] or self.offered
                self.refused = turn["asks"] is not None and turn["asks"]["topic"] in REFUSED_TOPICS

    def read(self, message: str) -> str:
        """A message with what it points to said in full, as the whole request that it makes; a new class points to
        nothing."""
        if Features(message, self.brief).opens_class:
            return message
        whole = self._complete(message)
        return self.resolve(message) if makes_write_of_question(message, whole, self.brief) else whole

    def _complete(self, message: str) -> str:
        """The whole request that a message makes with what was said before it."""
        looked = self.request and intent_of(self.request, self.brief) in LOOKING
        back = read_wished_back(message, self.brief) is not None or says("as_before", fold_text(message))
        back = back or (not looked and says("back", fold_text(message)))
        if back and intent_of(message, self.brief) == "undo":
            return message
        typed = self.brief.view["request"]
        beside = len(self.named) == 1 and NEIGHBOUR.search(fold_text(typed))
        if self.request and (other := change_other(message, self.request, self.brief)):
            return other
        message = (self.request and _INSISTS.sub("", message)) or message
        instead = self.request and mark_instead(message, self.request, self.brief, done=self.done)
        decided = instead or self._decide_day(message) or self._deny_mark(message) or self._ask_hit(message)
        if decided:
            return decided
        if message == self.brief.request and (beside or leaves_rest(typed, self.listed, self.brief)):
            message = typed
        each = EACH_WEEK.search(fold_text(message))
        wished = self.done and intent_of(self.request, self.brief) == "wish"  # no wish is of some weekdays alone
        stands = self.request and (not self.done or each or wished or is_written(self.request, self.brief))
        opened = open_after_all(message, self.request, self.brief) if stands else None
        if opened and opened.whole:  # "those" are the times
            dropped = self.brief.say("那条规则不要了", "forget that rule") if wished else ""
            return f"{dropped}{APART if dropped else ''}{opened.whole}"
        said = self._pick(message) or self._name_it(self.resolve(message))
        if corrected := correct_request(said, self.request, self.brief, refused=self.refused, done=self.done):
            return corrected
        if owned := self._own(said) or add_one_more(message, self.request, self.brief):
            return owned
        if replaced := self._replace_item(said):
            return replaced
        if told := select_items(said, self.request, self.brief):
            return told
        if placed := self._place_named(said):
            return placed
        fragment = (
            self.request and not self._acts_otherwise(said) and is_fragment(said, self.request, self.brief, message)
        )
        more = adds_more(said) and not Features(said, self.brief).has("asking")
        if more and not fragment and self._is_open() and intent_of(said, self.brief) in CHANGING:
            step = points_back(message) and intent_of(self.request, self.brief) in OPERATIONS
            joint = APART if step else self.brief.say("，", ", ")
            return f"{self.request}{joint}{message if points_back(message) else said}"
        adds = bool(fragment) and more and self._is_open()
        if told := self._limit_more(said) if fragment or only_tells_time(said, self.brief) else "":
            return told
        whole = put_in(without_mistakes(fold_text(said)), self.request, self.brief, adds=adds) if fragment else ""
        whole += self._open_again(whole) if whole and not more else ""
        for name in (*find_quoted_texts(self.request), *find_quoted_texts(message)):
            whole = whole.replace(fold_text(name), name)
        return (self._undo_first(message, whole) + whole) if whole else self._fill_items(said)

    def _place_named(self, said: str) -> str:
        """A time for the one item that was spoken of last, told as if something was to be planned, or right after that
        item was added to its class: schedule it for april 10; no, april 9."""
        text, brief, named = fold_text(said), self.brief, self.named
        if len(named) != 1 or len(said) > LONGEST or says("asking", text) or says("all", text):
            return ""
        added = form_of(said, brief) == "time" and read_content_changes(self.request, brief).told
        planned = intent_of(said, brief) == "build" and not (classes_in(said, brief.classes) or said_names(text, brief))
        times = read_times(text, brief.term)
        if not (added or planned) or not target_in(said, brief).dated or any(one.role for one in times):
            return ""
        name, when = name_of(named[0], brief), text[times[0].start : times[-1].end]
        return brief.say(f"把{name}移到{when}", f"move {name} to {when}")

    def _decide_day(self, message: str) -> str:
        """A time alone that decides, right after something was told of one item: let's do the 22nd, 那就22号吧; the
        reason for its place was asked for, and another one is preferred."""
        text, named = fold_text(message), items_in(self.request, self.brief) or self.listed
        if not self.looked or len(self.named) != 1 or named != self.named or _ASKS_ON.search(text):
            return ""
        asked_why = intent_of(self.request, self.brief) == "explain"
        if not (asked_why or _DECIDES.search(text)) or items_in(text, self.brief):
            return ""
        if form_of(_PREFERS.sub(" ", text), self.brief) not in ("time", "both"):
            return ""
        name, times = name_of(self.named[0], self.brief), read_times(text, self.brief.term)
        when = text[times[0].start : times[-1].end] if times and shift_in(text) is None else text
        return self.brief.say(f"把{name}移到{when}", f"move {name} to {when}")

    def _deny_mark(self, message: str) -> str:
        """What was just marked as done, where a message says that it is not: wait no, I haven't; 记错了，还没学."""
        text, brief = fold_text(message), self.brief
        marked = self.done and intent_of(self.request, brief) == "mark" and progress_in(self.request) == "done"
        mine, others = (items_by_name(spell_out_ordinals(one), all_items(brief), brief) for one in (self.request, text))
        if not marked or not mine or any(row not in mine for row in others) or len(message) > LONGEST:
            return ""
        if target_in(text, brief).said:
            return ""
        chances = dict(aims_of(message, brief, later=True))
        denied = (
            says("correction", text)
            or TAKES_MARK_BACK.search(text)
            or sum(chances.get(label, 0) for label in _DENYING) > SURER
        )
        if chances.get("unmark", 0) < LIKELY and not (denied and _NOT_DONE.search(text) and not says("partly", text)):
            return ""
        names = join_names(others or mine, brief)
        return brief.say(f"{names}其实没做完", f"unmark {names}")

    def _ask_hit(self, message: str) -> str:
        """A question for what an absence meets as one for its days: which sessions does that hit?"""
        text, brief = fold_text(message), self.brief
        if self.done or not (says("asking", text) and _HITS.search(text)) or intent_of(self.request, brief) != "replan":
            return ""  # what was moved for it is told of the change
        runs = [] if target_in(text, brief).said or items_in(text, brief) else days_in(self.request, brief.term)
        days = [brief.say("到", " to ").join(date_text(brief, day) for day in (run.first, run.last)) for run in runs]
        return brief.say(f"{days[0]}排了哪些任务？", f"what is planned from {days[0]}?") if len(days) == 1 else ""

    def _replace_item(self, said: str) -> str:
        """The request with another item in the place of the one that a message says is not meant: not A, B."""
        clauses = [one for one in CLAUSE.split(fold_text(said).strip(" ,，.。")) if items_in(one, self.brief)]
        if len(clauses) != 2:
            return ""
        head, rest = sorted(clauses, key=lambda one: (_PUTS_BACK.search(one) is None, _DENIES.search(one) is None))
        wrong, right = items_in(head, self.brief), items_in(rest, self.brief)
        base = fold_text(self.request)
        denies = _DENIES.search(head) or _PUTS_BACK.search(head)
        if len(wrong) != 1 or len(right) != 1 or denies is None or wrong[0] not in find_items(base, self.brief):
            return ""
        at = [one for one in find_spans(head, self.brief) if one.kind == "item"]
        bare = _without(head, at) if at else without_items(head, wrong)
        if len(at) > 1 or strip_fillers(_PUTS_BACK.sub(" ", bare)):
            return ""
        names = (fold_text(wrong[0]["name"]), *(head[one.start : one.end] for one in at))
        known = next((found for name in names if (found := re.search(re.escape(name) + r"(?!\d)", base))), None)
        if known is None:
            return ""
        whole = f"{base[: known.start()]}{name_of(right[0], self.brief)}{base[known.end() :]}"
        return self._undo_first(said, whole) + whole

    def _acts_otherwise(self, said: str) -> bool:
        """Whether a message tells of itself that something else is to be done with the items of the last request."""
        told, before = line_of(said, self.brief), intent_of(self.request, self.brief)
        if before == "build" and way_in(fold_text(said)) and items_in(said, self.brief):
            return True  # later or earlier than it was planned just now
        if self.looked and _COMMANDS.match(fold_text(said)) and read_conditions(said, self.brief).said:
            return True  # the limit that was asked about is wanted
        acts = told in OPERATIONS and before in (*OPERATIONS, *LOOKING) and told != before
        return acts and "swap" not in (told, before)

    def _limit_more(self, said: str) -> str:
        """The request with the times that are not wanted either: avoid Sundays, 还有周日."""
        brief, text = self.brief, fold_text(said)
        times = [] if items_in(said, brief) else read_times(text, brief.term)
        if not times or intent_of(self.request, brief) not in (*OPERATIONS, "class"):
            return ""
        if all(one.role == "avoided" for one in times) and self._is_open():
            return brief.say(f"{self.request}，{said}", f"{self.request}, {said}")
        known = {one.kind for one in find_spans(fold_text(self.request), brief)}
        kinds = {one.kind for one in find_spans(text, brief)}
        if not (self._is_open() and adds_more(said) and excludes(self.request)) or kinds == known:
            return ""
        when = " ".join(text[one.start : one.end] for one in times)
        return brief.say(f"{self.request}，{when}也不要", f"{self.request}, and no {when}")

    def _name_it(self, said: str) -> str:
        """A change of the one item that was added just before, or stands on the day that was asked about, by its name
        in the place of what points to it."""
        brief, found = self.brief, pattern("pronoun").search(fold_text(said))
        rows = self.named if len(self.named) == 1 and self.named != spoken_of(brief) else []
        if not rows or found is None or self._is_open() or intent_of(said, brief) not in (*OPERATIONS, "mark", "class"):
            return said
        if rows[0] in items_in(said, brief, among=all_items(brief)) or classes_in(said, brief.classes):
            return said
        verb, _, it = found.group().rpartition(" ")
        name = f"{'' if it in ('one', 'item', 'task') else verb} {name_of(rows[0], brief)} ".lstrip()
        return fold_text(said).replace(found.group(), name, 1)

    def _fill_items(self, said: str) -> str:
        """A message that tells what to do and not with what, with the items that were spoken of last."""
        brief, rows = self.brief, self.named
        named = named_items(said, brief) or items_in(said, brief)
        if named and not (len(rows) == len(named) == 1 and rows != named):
            return said
        intent, text = intent_of(said, brief), fold_text(said)
        if intent == "swap" and len(rows) == len(named) == 1 and rows != named:
            return brief.say(
                f"{name_of(rows[0], brief)}和{name_of(named[0], brief)}换一下",
                f"swap {name_of(rows[0], brief)} and {name_of(named[0], brief)}",
            )
        waiting = [] if any(row["slot"] for row in self.listed) else self.listed
        if intent == "build" and waiting and says("all", text) and not said_names(text, brief) and not named:
            return brief.say("把{names}排进去", "place {names}", names=join_names(waiting, brief))
        if intent == "remove" and intent_of(self.request, brief) == "delete_class" and not named:
            owners = brief.names_of(classes_in(self.request, brief.classes))
            return brief.say(f"把{owners}全部移出", f"take all of {owners} out") if owners else said
        if intent not in (*OPERATIONS, "mark") or not 0 < len(rows) <= _MOST_FILLED or len(said) > LONGEST:
            return said
        bare = not named and not find_group(said, brief) and not classes_in(said, brief.classes)
        bare = (
            bare
            and not _SELECTS.search(text)
            and (intent == "mark" or not (says_it(said) or names_something(said, brief)))
        )
        if not bare or unknown_name(said) or says("back", text) or says("all", text) or intent == "swap":
            return said
        return join_names(rows, brief) + brief.say("", " ") + without_refusals(_MISTAKEN.sub("", text)).strip(" ,，")

    def resolve(self, message: str) -> str:
        """A message with the items, the days and the weeks that it points to said in full; of several steps the first
        alone, since the others point to what comes of it."""
        first, rest = split_first_step(message, self.brief)
        if rest:
            return self.resolve(first) + rest
        given = IF_ANY.match(fold_text(message)) if self.looked and self.listed else None
        message = f"{join_names(self.listed, self.brief)} {message[given.end() :]}" if given else message
        own = items_in(self.request, self.brief) if len(self.listed) == len(self.named) else []
        before = own if own and all(row in self.listed for row in own) else self.named
        said = name_listed_items(message, self.listed, before, self.brief)
        self.pointed = said != message
        goes = target_in(self.request, self.brief).days and self._is_open()  # where it stands is not what is meant
        said = spell_day_beside(said, self.named[0], self.brief) if len(self.named) == 1 and not goes else said
        said = self._spell_own_week(spell_month(said, self.brief, self.days))
        return resolve_references(said, self.brief, self.request, self.days, self.told)

    def _spell_own_week(self, said: str) -> str:
        """That week as the one of the item that the message before was about, where it named no week."""
        found, brief = THAT_WEEK.search(fold_text(said)), self.brief
        slot = self.named[0]["slot"] if len(self.named) == 1 and not self.looked else None
        if not found or not slot or items_in(self.request, brief) != self.named or target_in(self.request, brief).week:
            return said
        return fold_text(said).replace(found.group(), brief.say(f"第{slot['week']}周", f"in week {slot['week']}"))

    def points_nowhere(self, message: str) -> bool:
        """Whether a change is wanted of an item that the list which was just told does not have."""
        of_day = target_in(self.asked, self.brief).dated
        nowhere = self.looked and points_nowhere(message, self.listed, self.brief, of_day=of_day)
        return nowhere and intent_of(message, self.brief) in (*OPERATIONS, "mark")

    def _pick(self, message: str) -> str:
        """The request that an entry of the list means that was offered last; empty for a message that picks none."""
        about = self.offered["about"] if self.offered else {}
        listed = next((about[key] for key in ("places", "readings", "items") if key in about), ())
        agrees = "readings" in about and len(listed) == 1 and affirms(message)
        number = choice_in(message, len(listed)) or (1 if listed and (agrees or leaves_it_open(message)) else None)
        if number is None:
            return ""
        chosen, brief = listed[number - 1], self.brief
        if "readings" in about:
            return str(chosen)
        wanted = about["item"] if "places" in about else chosen
        row = next((row for row in brief.tasks if row["item_id"] == wanted), None)
        if row is None:
            return ""
        if "items" in about:
            return put_in(f"[{row['state_id']}]", self.request, brief)
        (week, day), first, last = day_at(brief, chosen[0]), chosen[1], chosen[2]
        return brief.say(
            f"把[{row['state_id']}]移到第{week}周周{'一二三四五六日'[day - 1]}{first}-{last}节",
            f"move [{row['state_id']}] to {brief.term.day(week, day).isoformat()} sections {first}-{last}",
        )

    def _own(self, said: str) -> str:
        """Times to keep free or to open, said of no class after a plan or a change of one: of that class."""
        brief = self.brief
        if not self.request or len(said) > LONGEST:
            return ""
        owners = self.owners
        waits = not (self.done or self.refused or any(row["class_id"] in owners for row in brief.tasks if row["slot"]))
        times = read_times(fold_text(said), brief.term) if waits else []
        moves = IF_ANY.match(fold_text(said)) or (intent_of(said, brief) in OPERATIONS and not items_in(said, brief))
        if times and moves and not LEAD.match(said):  # where it would be is not known yet, and is a limit of it
            when = fold_text(said)[times[0].start : times[-1].end]
            said = brief.say(f"只排{when}", f"only on {when}")
        opened, found = says("open_up", fold_text(said)), Features(said, brief)
        limits = (found.slots.excludes or opened) and not (found.classes or found.any_items or _EVERY.search(said))
        dated = is_dated(fold_text(said), brief.term)
        if not limits or dated or len(owners) != 1 or says("correction", fold_text(said)):
            return ""
        if intent_of(self.request, brief) not in ("build", "class", "wish"):
            return ""
        if self._is_open() or waits:
            instead = put_only(said, self.request, brief)
            return instead or brief.say(f"{self.request}，{said}", f"{self.request}, {said}")
        name = next(row["name"] for row in brief.classes if row["id"] in owners)
        return brief.say(f"{name}{said}", f"{name}: {said}")

    def _open_again(self, whole: str) -> str:
        """The words that open the weekdays again which a class keeps free by the request that is corrected."""
        brief = self.brief
        if not excludes(self.request) or intent_of(self.request, brief) != "class":
            return ""
        wrong, right = (
            {day for one in read_times(text, brief.term) for day in one.weekdays} for text in (self.request, whole)
        )
        kept = {
            day
            for row in brief.classes
            if row["id"] in classes_in(whole, brief.classes)
            for day in row["excluded_days"]
        }
        days = sorted((wrong - right) & kept)
        return "".join(
            brief.say(f"，{name}可以排", f", {name} are fine") for name in weekday_names(days, brief.language)
        )

    def _is_open(self) -> bool:
        """Whether the last request was to change something and was not carried out."""
        return not (self.done or self.refused) and intent_of(self.request, self.brief) in CHANGING

    def _undo_first(self, message: str, whole: str) -> str:
        """The words that take back what was done by mistake, where the right thing would not take its place."""
        brief = self.brief
        if message != brief.request or intent_of(self.request, brief) not in OPERATIONS:
            return ""
        right, wrong = find_items(whole, brief), find_items(self.request, brief)
        other = right != wrong and says("correction", fold_text(message))
        further = (
            shift_in(whole) is not None and shift_in(whole) != shift_in(self.request) and shift_in(message) is None
        )
        count = count_changes(wrong, brief) if other or further else 0
        return brief.say(f"撤销上{count}步；", f"undo the last {count} steps; ") if count else ""

    def hear(self, message: str) -> None:
        """Takes a message of the student in; one that points to nothing wants nothing."""
        if self.points_nowhere(message):
            return
        whole = self.asked = self.read(message)
        intent, spans = intent_of(whole, self.brief), find_spans(fold_text(whole), self.brief)
        of_trade = intent not in _NO_BASE or (intent == "other" and _asks_unclearly(whole, self.brief))
        if (spans and of_trade) or (not spans and read_content_changes(whole, self.brief).told):
            self.request, self.offered, self.done = whole, None, False
            if intent in ("build", "class"):
                self.owners = classes_in(whole, self.brief.classes)
        self.named = (
            named_items(whole, self.brief)
            or items_in(whole, self.brief)
            or items_in(whole, self.brief, among=all_items(self.brief))
            or self.named
        )
        times = read_times(whole, self.brief.term)
        said = [one.first for one in reversed(times) if one.kind == "day" and one.first]
        slot = self.named[0]["slot"] if len(self.named) == 1 and intent in OPERATIONS else None
        term = self.brief.term
        said += [
            term.day(slot["week"], day) if slot else term.today + ((day - term.today.isoweekday()) % 7) * _DAY
            for one in reversed(times)
            if one.kind == "weekday" and not one.week
            for day in one.weekdays
        ]
        self.days = list(dict.fromkeys([*said, *self.days]))

    def look(self, item_ids: list[int], text: str) -> None:
        """Takes in which items the student was told of, and the day of an only one or that was asked for."""
        rows = {row["item_id"]: row for row in self.brief.tasks_before}
        self.looked = bool(self.request) and intent_of(self.request, self.brief) in LOOKING
        told = [rows[item_id] for item_id in item_ids if item_id in rows]
        there = target_in(self.asked, self.brief) if self.looked and not told and self.asked == self.request else None
        if there and there.days and len(standing := list_standing(there, self.brief.tasks_before)) == 1:
            told = standing  # of a day that was only counted
        asked = items_in(self.asked, self.brief)
        self.named = explained_of(self.asked, asked, told) or told or self.named
        if self.looked or (len(told) > 1 and not self.pointed):
            self.listed = told
        self.told = self._find_days(text)
        if len(told) == 1 and (slot := told[0]["slot"]):
            self.days = [self.brief.day_of(slot), *self.days]
        self.days = list(dict.fromkeys([*self.told, *self.days]))

    def _find_days(self, text: str) -> list[date]:
        """The days that the answer to a question names: an only one, or all of them where it was asked for a day."""
        if not self.asked or intent_of(self.asked, self.brief) not in LOOKING:
            return []
        times = [one for one in read_times(text, self.brief.term) if one.kind == "day"]
        days = list(dict.fromkeys(one.first for one in times if one.first and one.first == one.last))
        return days if len(days) == 1 or ASKS_DAY.search(fold_text(self.asked)) else []


def _without(text: str, spans: list[Span]) -> str:
    """A text without these spans and what denies."""
    for one in reversed(spans):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def _asks_unclearly(message: str, brief: Brief) -> bool:
    """Whether a message that is not understood is about something of the trade."""
    return INTENTS[aims_of(message, brief)[0][0]] != "other"


def corrects_wholly(brief: Brief) -> bool:
    """Whether the last words of a goal make its request again with another deed or other limits."""
    return correct_request(brief.turns[-1], brief.request, brief, refused=False) != ""


def completes_request(brief: Brief) -> bool:
    """Whether the last words of a goal only make sense by what was said before them, and by one place in it."""
    state, last = DialogueState(brief), brief.turns[-1]
    for turn in brief.turns[:-1]:
        state.hear(turn)
    state.refused = state.refused or (bool(brief.asked) and brief.asked[-1]["topic"] in REFUSED_TOPICS)
    said = {one.kind for one in find_spans(fold_text(last), brief)}
    known = [one.kind for one in find_spans(fold_text(state.request), brief)]
    unclear = any(known.count(kind) > 1 for kind in said) and not select_items(last, state.request, brief)
    return not unclear and state.read(last) != last
