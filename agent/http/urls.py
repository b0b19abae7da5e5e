"""Paths below /api/v1 that belong to the agent."""

from __future__ import annotations

from django.urls import path

from agent.http import api, draft_api, sse

urlpatterns = [
    path("agent/chat", sse.chat),
    path("agent/runs/<str:run_id>/stream", sse.stream),
    path("tasks", api.Tasks.as_view()),
    path("tasks/<str:run_id>", api.Task.as_view()),
    path("tasks/<str:run_id>/cancel", api.TaskCancel.as_view()),
    path("agent/conversations", api.Conversations.as_view()),
    path("agent/conversations/<str:conversation_id>", api.Conversation.as_view()),
    path("agent/conversations/<str:conversation_id>/state", api.ConversationState.as_view()),
    path("agent/conversations/<str:conversation_id>/timeline", api.ConversationTimeline.as_view()),
    path("agent/conversations/<str:conversation_id>/context-stats", api.ConversationContextStats.as_view()),
    path("agent/conversations/<str:conversation_id>/cancel", api.ConversationCancel.as_view()),
    path("agent/schedule-preview", draft_api.SchedulePreview.as_view()),
    path("agent/schedule-state", draft_api.ScheduleStateSave.as_view()),
    path("agent/schedule-apply", draft_api.ScheduleApply.as_view()),
    path("schema/events.json", api.EventsSchema.as_view()),
]
