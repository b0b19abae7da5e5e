"""Paths below /api/v1 that belong to the agent."""

from __future__ import annotations

from django.urls import path

from agent.transports.http import api, draft_api, hand_api, replan_api, sse

urlpatterns = [
    path("agent/chat", sse.chat),
    path("agent/runs/<str:run_id>/stream", sse.stream),
    path("tasks", api.TasksView.as_view()),
    path("tasks/<str:run_id>", api.TaskEventsView.as_view()),
    path("tasks/<str:run_id>/cancel", api.TaskCancelView.as_view()),
    path("agent/conversations", api.ConversationsView.as_view()),
    path("agent/conversations/<str:conversation_id>", api.ConversationView.as_view()),
    path("agent/conversations/<str:conversation_id>/state", api.ConversationStateView.as_view()),
    path("agent/conversations/<str:conversation_id>/timeline", api.ConversationTimelineView.as_view()),
    path("agent/conversations/<str:conversation_id>/context-stats", api.ConversationContextStatsView.as_view()),
    path("agent/conversations/<str:conversation_id>/cancel", api.ConversationCancelView.as_view()),
    path("agent/schedule-preview", draft_api.SchedulePreviewView.as_view()),
    path("agent/schedule-state", draft_api.ScheduleStateSaveView.as_view()),
    path("agent/catch-up", replan_api.CatchUpView.as_view()),
    path("agent/replan", replan_api.ReplanView.as_view()),
    path("agent/draft-diff", draft_api.DraftDifferenceView.as_view()),
    path("agent/draft-drop", draft_api.DraftDropView.as_view()),
    path("agent/schedule-discard", draft_api.ScheduleDiscardView.as_view()),
    path("agent/schedule-apply", draft_api.ScheduleApplyView.as_view()),
    path("agent/legal-places", hand_api.LegalPlacesView.as_view()),
    path("agent/why", hand_api.WhyView.as_view()),
    path("agent/draft-pin", hand_api.DraftPinView.as_view()),
    path("agent/draft-unpin", hand_api.DraftUnpinView.as_view()),
    path("schema/events.json", api.EventsSchemaView.as_view()),
]
