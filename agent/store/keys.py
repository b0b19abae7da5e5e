"""Every Redis key in one place (agent.md 7.2)."""

from __future__ import annotations


def state(user_id: int | str, conversation_id: str) -> str:
    """Names the state document of a conversation; `*` for any."""
    return f"smartmate:{user_id}:conv:{conversation_id}:state"


def events(run_id: str) -> str:
    return f"smartmate:run:{run_id}:events"


def meta(run_id: str) -> str:
    """Names the hash of a run: `fence` (newest fencing number), `next` (idx of the next event), `closed`."""
    return f"smartmate:run:{run_id}:meta"


def live(run_id: str) -> str:
    """Names the channel on which the events of a run are published as they are appended."""
    return f"smartmate:run:{run_id}:live"


def run_of_live(channel: str) -> str:
    return channel.split(":")[2]


def cancel(run_id: str) -> str:
    return f"smartmate:run:{run_id}:cancel"


def readers(user_id: int) -> str:
    return f"smartmate:{user_id}:readers"


def model_facts(key: str) -> str:
    """Names the key of what calls have taught about a model behind an endpoint."""
    return f"smartmate:model:{key}"


def everything(user_id: int) -> str:
    """Names all keys that are a student's own: a pattern."""
    return f"smartmate:{user_id}:*"


def picture(user_id: int, digest: str) -> str:
    """Names the key of what a model read off a picture of a timetable."""
    return f"smartmate:{user_id}:picture:{digest}"


def pictures_asked(user_id: int) -> str:
    """Names the count of the pictures that a model was asked to look at within the hour."""
    return f"smartmate:{user_id}:pictures"


EXECUTOR_HEARTBEAT = "smartmate:executor:heartbeat"
PROBE = "smartmate:probe"
