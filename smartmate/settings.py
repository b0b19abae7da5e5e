"""The one settings file; everything that differs between machines is read from the environment (and a `.env`)."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import environ

from smartmate.environment import Environment

BASE_DIR = Path(__file__).resolve().parent.parent
environ.Env.read_env(BASE_DIR / ".env")
env = Environment(os.environ)

VAR_DIR = env.folder("SMARTMATE_VAR", BASE_DIR / "var")
env.refuse_wrong()  # what follows stands on that folder


def _kept_secret_key() -> str:
    """Returns a random key kept beside the embedded database, so that sessions survive a restart."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        # Of processes that begin at once the first one names the key, when it is whole; only its owner reads it.
        with tempfile.NamedTemporaryFile("w", dir=VAR_DIR) as made, suppress(FileExistsError):
            made.write(secrets.token_urlsafe(50))
            made.flush()
            os.link(made.name, path)
    return path.read_text().strip()


SECRET_KEY = env.secret("SECRET_KEY") or _kept_secret_key()
# Former keys, and the next one: what is signed with them holds, and is signed anew as it is used.
SECRET_KEY_FALLBACKS = env.listed("SECRET_KEY_FALLBACKS")
DEBUG = env.switch("DEBUG", False)
DEFAULT_EXCEPTION_REPORTER_FILTER = "smartmate.monitoring.debug_page.SettingsFilter"
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    # daphne only replaces runserver; every other process would load Twisted for nothing, a quarter of its start.
    *(["daphne"] if "runserver" in sys.argv[1:2] else []),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.usersessions",
    "smartmate",
    "taskclasses",
    "schedules",
    "agent",
    "channels",  # behind `agent`, whose runworker is ours
]
MIDDLEWARE = [
    "smartmate.monitoring.metrics.count_answers",
    "smartmate.middleware.content_security.ContentSecurityMiddleware",
    "smartmate.middleware.compression.CompressionMiddleware",
    "smartmate.middleware.errors.ApiErrorMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "smartmate.middleware.host.HostMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "smartmate.middleware.account.SessionUserMiddleware",
    "smartmate.middleware.login_limit.LoginLimitMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "smartmate.middleware.access.AccessMiddleware",
    "smartmate.middleware.account.AccountSettingsMiddleware",
    "smartmate.admin.clock.AdminClockMiddleware",
    "smartmate.middleware.idempotency.IdempotencyMiddleware",
    "smartmate.pages.forms.sent_once.SentOnceMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "smartmate.urls"
ASGI_APPLICATION = "smartmate.asgi.application"
APPEND_SLASH = False
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "smartmate.pages.screens.rail",
            ],
        },
    },
]

# What this process is for; a server that was not started by manage.py serves.
_command = sys.argv[1:2] if Path(sys.argv[0]).name == "manage.py" else ["runserver"]

# --- database -------------------------------------------------------------------------------------------------------
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{VAR_DIR / 'smartmate.sqlite3'}")}
_sqlite = DATABASES["default"]["ENGINE"].endswith("sqlite3")
# How long the threads below keep a connection: to open one, read the schema and close it again costs more than a query.
DATABASE_CONN_MAX_AGE = env.whole("DATABASE_CONN_MAX_AGE", 60)
# Threads of a process that may use the database: those that answer requests, and those that runs and readers ask.
REQUEST_THREADS = env.whole("REQUEST_THREADS", 3, least=1, most=1000)
STORE_THREADS = env.whole("STORE_THREADS", 3, least=1, most=1000)
if _command in (["runserver"], ["runworker"]):
    # A thread that computes gives way to the streams after so many seconds; Python's own 5 ms add up with each write.
    sys.setswitchinterval(0.001)
# Processes of the planner beside a process that serves or executes, started when there is something to plan; with 0 it
# plans in threads of that process, whose streams then wait for it.
PLANNER_PROCESSES = env.whole("PLANNER_PROCESSES", 2, most=1000)
# Megabytes of answers that a process keeps for clients that ask anew for what did not change; 0 keeps none.
ANSWERS_KEPT_MB = env.whole("ANSWERS_KEPT_MB", 16)
if _sqlite:
    DATABASES["default"]["ENGINE"] = "smartmate.stores.sqlite"
    # IMMEDIATE takes the write lock at BEGIN, so a transaction never fails half-way for a lock it could not upgrade.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # A file, not shared memory: threads and a second process see what the tests wrote.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
else:
    DATABASES["default"]["ENGINE"] = "smartmate.stores.mysql"
    DATABASES["default"]["OPTIONS"] |= {
        "charset": "utf8mb4",
        "autocommit": True,
        "isolation_level": "read committed",
        "init_command": "SET sql_mode='STRICT_TRANS_TABLES'",
        "connect_timeout": 3,
    }
    if _command in (["runserver"], ["runworker"]):
        # A statement of a request or a run takes moments, and waits this long for a lock at most. Commands have no
        # limit: a migration may rewrite a table.
        _timeout = env.whole("DATABASE_TIMEOUT_S", 20, least=1)
        DATABASES["default"]["OPTIONS"] |= {"read_timeout": _timeout, "write_timeout": _timeout}
    # Binary collation: keys and names compare by code point, as they do in SQLite.
    DATABASES["default"]["TEST"] = {"CHARSET": "utf8mb4", "COLLATION": "utf8mb4_bin"}
# MariaDB makes no unique constraint with a condition; the one there is, of verified addresses, allauth keeps itself.
SILENCED_SYSTEM_CHECKS = ["models.W036"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- redis: empty = the embedded in-process server --------------------------------------------------------------------
REDIS_URL = env.redis("REDIS_URL")
# Connections for commands that a process opens at most, once for its event loop and once for its threads.
REDIS_CONNECTIONS = env.whole("REDIS_CONNECTIONS", 20, least=1)
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            # redis-py 8 times a blocking read out after 5 s unless told not to.
            "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}]},
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "smartmate.stores.shared_cache.SharedCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "smartmate:cache",
            "OPTIONS": {
                "serializer": "smartmate.stores.shared_cache.JsonSerializer",
                "socket_timeout": 1.0,
                "socket_connect_timeout": 1.0,
            },
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# --- accounts ---------------------------------------------------------------------------------------------------------
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "smartmate.accounts.validators.LengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
AUTHENTICATION_BACKENDS = [
    "smartmate.accounts.backend.AccountBackend",
    "django.contrib.auth.backends.ModelBackend",  # named by the sessions that it opened before
]
LOGIN_URL = "/login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# A bearer token ends after so many days; only its hash is kept.
TOKEN_DAYS = env.days("TOKEN_DAYS", 180, least=1)
KNOX_TOKEN_MODEL = "smartmate.AccessToken"  # noqa: S105
# Whether a stranger may make an account; staff always can, in the admin.
SIGNUP_OPEN = env.switch("SIGNUP_OPEN", True)
# Whether the sign-in page offers a look at a sample term without an account; `manage.py prune` takes guests away.
GUEST_LOOK = env.switch("GUEST_LOOK", False)
# Limits of requests per user and address, and of guesses at every door.
RATE_LIMITS = env.switch("RATE_LIMITS", True)
ACCOUNT_ADAPTER = "smartmate.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_USERNAME_VALIDATORS = "smartmate.accounts.validators.USERNAME_VALIDATORS"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
# Nobody learns here whose address is whose: a taken one may be named again and is never verified twice, and that of a
# stranger is sent nothing.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[SmartMate] "
# An address decides who may ask for another password: to change one asks for the present password first.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# A class that signs up behind the one address of its school is let in.
ACCOUNT_RATE_LIMITS = {"signup": "60/m/ip", "reset_password": "60/m/ip,5/m/key"} if RATE_LIMITS else False
# The addresses or networks of the proxies whose X-Forwarded-For is believed; none by default.
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")

# --- HTTPS: one switch for a deployment behind a proxy that ends TLS --------------------------------------------------
HTTPS = env.switch("HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = env.whole("HTTPS_HSTS_SECONDS", 365 * 86400) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# The proxy must set this header itself on every request, whatever a client sent.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Probes and scrapes come past the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]

# --- language, time, static files -----------------------------------------------------------------------------------
LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "smartmate" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
# Static files are served straight from the apps, so a fresh clone needs no collectstatic.
WHITENOISE_USE_FINDERS = True

# --- API --------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["taskclasses.kernel.auth.ApiAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["taskclasses.kernel.auth.SignedIn"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "smartmate.openapi.document.ApiSchema",
    "EXCEPTION_HANDLER": "smartmate.middleware.errors.handle",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "SmartMate",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "PATH_CONVERTER_OVERRIDES": {"id": int},
    "POSTPROCESSING_HOOKS": ["smartmate.openapi.plain_views.add_plain_views"],
}
LOG_FORMAT = env.choice("LOG_FORMAT", "line", ("line", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request_id": {"()": "smartmate.middleware.request_id.RequestIdFilter"},
        "brief": {"()": "smartmate.monitoring.log_filters.BriefFilter"},
        "addresses": {"()": "smartmate.monitoring.log_filters.AddressFilter"},
    },
    "formatters": {
        "line": {
            "()": "smartmate.middleware.request_id.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
        },
        "json": {"()": "smartmate.middleware.request_id.JsonFormatter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["request_id", "addresses", "brief"],
            "formatter": "json" if LOG_FORMAT == "json" else "line",
        }
    },
    "root": {
        "handlers": ["stderr"],
        "level": env.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")),
    },
    # 4xx answers are the client's business; unexpected errors are logged with their id by smartmate.middleware.errors.
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django": {"handlers": [], "propagate": True},
        # A line for every call of a model or a page would name its address.
        "httpx": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        # At a lower level these write what providers answer, word for word.
        "openai": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        "httpcore2": {"level": "WARNING"},
        # The server's own lines come the same way: uvicorn has set its loggers up when it imports this.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": True},
    },
}

# --- e-mail: written to standard output unless a server is named ------------------------------------------------------
EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_FILE_PATH = env.text("EMAIL_FILE_PATH") or None
EMAIL_HOST = env.server("EMAIL_HOST", "localhost")
EMAIL_PORT = env.whole("EMAIL_PORT", 25, least=1, most=65_535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.secret("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.switch("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = env.switch("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = env.whole("EMAIL_TIMEOUT_S", 10, least=1)
DEFAULT_FROM_EMAIL = env.mailbox("DEFAULT_FROM_EMAIL", "SmartMate <smartmate@localhost>")

# --- figures ----------------------------------------------------------------------------------------------------------
# Who may read /metrics without a session of a member of staff; empty = nobody.
METRICS_TOKEN = env.header("METRICS_TOKEN")
# The folder through which the processes of a machine answer for each other; prometheus_client reads it by itself.
# A command that neither serves nor executes leaves nothing there.
METRICS_DIR = env.text("PROMETHEUS_MULTIPROC_DIR")
if METRICS_DIR and _command in (["runserver"], ["runworker"]):
    env.folder("PROMETHEUS_MULTIPROC_DIR", Path(METRICS_DIR))
else:
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)

# Traces of requests and runs by OpenTelemetry, of processes that serve or execute; OTEL_* variables say where to.
TRACES = env.switch("TRACES", False) and _command in (["runserver"], ["runworker"])

# --- limits of the wire ---
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024

# How long the claim of a process that died holds its Idempotency-Key; in seconds.
IDEMPOTENCY_LEASE_S = env.seconds("IDEMPOTENCY_LEASE_S", 8.0)

# --- model ------------------------------------------------------------------------------------------------------------
AGENT_BACKEND = env.text("AGENT_BACKEND", "auto")
OPENAI_BASE_URL = env.model_door("OPENAI_BASE_URL")
OPENAI_API_KEY = env.header("OPENAI_API_KEY")
OPENAI_MODEL = env.text("OPENAI_MODEL", "gpt-4o-mini")
OPENAI_FALLBACK_BASE_URL = env.model_door("OPENAI_FALLBACK_BASE_URL")
OPENAI_FALLBACK_API_KEY = env.header("OPENAI_FALLBACK_API_KEY")
OPENAI_FALLBACK_MODEL = env.text("OPENAI_FALLBACK_MODEL")

# Who reads pictures of timetables for the import, which knows no models.
PICTURE_READER = "agent.pictures.read_timetable"

# --- runs -------------------------------------------------------------------------------------------------------------
AGENT_JOURNAL_DAYS = env.days("AGENT_JOURNAL_DAYS", 30)
# After so many days `manage.py prune` leaves the end of a run alone; the conversation's timeline stays.
AGENT_ARCHIVE_DAYS = env.days("AGENT_ARCHIVE_DAYS", 90)
# Without a Redis to share, only the web process itself can execute the runs it accepts.
AGENT_RUN_IN_WEB = env.switch("AGENT_RUN_IN_WEB", not REDIS_URL)
# How long a worker that stopped renewing still owns its run, and how often the sweep looks; in seconds.
AGENT_LEASE_S = env.seconds("AGENT_LEASE_S", 20.0)
AGENT_SWEEP_S = env.seconds("AGENT_SWEEP_S", 5.0)
# How long the runs of a process that is told to end have to end themselves, or to reach a step where another goes on.
AGENT_DRAIN_S = env.seconds("AGENT_DRAIN_S", 20.0, least=0)
# How long one write to a reader may take before the reader is cut; in seconds.
AGENT_WRITE_LIMIT_S = env.seconds("AGENT_WRITE_LIMIT_S", 30.0)
# How many messages an account may send to the assistant on one day; 0: as many as it likes. Answers are not counted.
AGENT_DAILY_MESSAGES = env.whole("AGENT_DAILY_MESSAGES", 0)

env.refuse_wrong()
