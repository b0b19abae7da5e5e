"""The benchmark's contestants do the same work, and our prompts stay flat while a full history grows."""

from __future__ import annotations

import pytest

from bench.agent_loop.runners import Bench, bare, ours
from bench.agent_loop.server import Script

STEPS = 40


@pytest.fixture
def bench(provider):
    provider.fallback = Script()
    return Bench(provider.base_url, STEPS)


async def tokens_of(bench, run, style):
    await bench.reset(style=style)
    await run(bench)
    return bench.tokens()


async def test_our_prompts_stay_flat_and_cost_less_than_half_of_a_full_history(bench):
    mine = await tokens_of(bench, ours, "ours")
    floor = await tokens_of(bench, bare, "native")
    rounds = mine[1:-1]
    assert (len(rounds), len(floor)) == (STEPS, STEPS)
    assert rounds[-1] <= 1.1 * rounds[9]
    assert 2 * sum(mine) < sum(floor)
