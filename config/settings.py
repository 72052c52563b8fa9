"""All settings. Each comes from the environment with a default that works on one machine without a network.

docs/settings.md explains them to operators; a test holds the two together.
"""

from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.secret_key import kept_key

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("DOCENT_VAR", str(BASE_DIR / "var"))).absolute()


def _secret_key() -> str:
    """SECRET_KEY, or one made on the first start and kept in the var folder."""
    if key := env.text("SECRET_KEY"):
        return key
    file = VAR_DIR / "secret_key"
    try:
        key = kept_key(file)
    except OSError as fault:
        raise ImproperlyConfigured(
            f"Cannot keep a secret key in {VAR_DIR}: {fault}. Set SECRET_KEY or DOCENT_VAR."
        ) from None
    if not key:
        raise ImproperlyConfigured(f"{file} is empty. Delete it, and the next start makes a key.")
    return key


def _spool_options(folder: Path) -> dict[str, Any]:
    """Messages as files in `folder`. Both ends are this project, so what it writes is what it reads."""
    messages, done, control = (folder / name for name in ("in", "done", "control"))
    try:
        for part in (messages, done, control):
            part.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise ImproperlyConfigured(
            f"Cannot keep messages for the worker in {folder}: {fault}. Set REDIS_URL, or DOCENT_VAR to a folder that"
            " can be written."
        ) from None
    return {
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "processed_folder": str(done),
        "control_folder": str(control),
        "store_processed": False,
    }


# --- Django ---------------------------------------------------------------------------------------------------------
SECRET_KEY = _secret_key()
DEBUG = env.boolean("DEBUG", False)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
APPEND_SLASH = True

INSTALLED_APPS = [
    "config.apps.ConfigAppConfig",
    "docs_search.apps.DocsSearchAppConfig",
    "answers.apps.AnswersAppConfig",
    "skills.apps.SkillsAppConfig",
    "feedback.apps.FeedbackAppConfig",
    "rest_framework",
    "drf_spectacular",
    "corsheaders",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # The last, though its manual says the second: it is synchronous, and what stands around a synchronous middleware
    # runs in the same thread, while each asynchronous one costs two hops between threads (a quarter of a health check).
    "whitenoise.middleware.WhiteNoiseMiddleware",
]
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
            ]
        },
    }
]
STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True

# --- Database: embedded unless DATABASE_URL names a server ------------------------------------------------------------
DATABASE_URL = env.text("DATABASE_URL")
DATABASE_POOL_SIZE = env.integer("DATABASE_POOL_SIZE", 0)
DATABASE_STATEMENT_TIMEOUT = env.integer("DATABASE_STATEMENT_TIMEOUT", 5000)  # ms; for the server, see config.asgi
PG_BINDIR = env.text("PG_BINDIR")
PG_DURABLE = env.boolean("PG_DURABLE", True)
DATABASES: dict[str, dict[str, Any]] = {"default": env.database(DATABASE_URL, pool_size=DATABASE_POOL_SIZE)}

# --- Shared counters ------------------------------------------------------------------------------------------------
REDIS_URL = env.text("REDIS_URL")
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "limits": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
        if REDIS_URL
        else {"BACKEND": "docs_search.counter_cache.PostgresCounterCache", "LOCATION": "docs_search_counter"}
    ),
}

# --- Background work ------------------------------------------------------------------------------------------------
CELERY_BROKER_URL = (
    REDIS_URL or "folder://localhost"
)  # see config.message_folder; kombu warns of an address without a host
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TRACK_STARTED = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celery" / "beat-schedule")
CELERY_BROKER_TRANSPORT_OPTIONS = {} if REDIS_URL else _spool_options(VAR_DIR / "celery" / "messages")
CELERY_BEAT_SCHEDULE = {
    "prune-logs": {"task": "docs_search.tasks.prune_logs", "schedule": 24 * 3600},
    "prune-embeddings": {"task": "docs_search.tasks.prune_embeddings", "schedule": 24 * 3600},
    "prune-uploads": {"task": "docs_search.tasks.prune_uploads", "schedule": 24 * 3600},
    "prune-crawls": {"task": "docs_search.tasks.prune_crawls", "schedule": 24 * 3600},
    "prune-counters": {"task": "docs_search.tasks.prune_counters", "schedule": 600},
}

# --- HTTP API -------------------------------------------------------------------------------------------------------
API_TITLE = env.text("API_TITLE", "Docent API")
API_SERVER_URL = env.text("API_SERVER_URL", f"http://127.0.0.1:{env.integer('PORT', 8000)}").rstrip("/")
RATE_LIMIT = env.text("RATE_LIMIT", "120/m")
RATE_LIMIT_ASK = env.text("RATE_LIMIT_ASK", "10/m")
RATE_LIMIT_LOGIN = env.text("RATE_LIMIT_LOGIN", "10/m")
RATELIMIT_USE_CACHE = "limits"
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")
# Addresses whose errors are JSON and which any origin may read.
API_PATHS = r"^/v1(?:/|$)"

# --- Signing in to the admin ----------------------------------------------------------------------------------------
_HTTPS = API_SERVER_URL.startswith("https://")
SESSION_COOKIE_SECURE = _HTTPS
CSRF_COOKIE_SECURE = _HTTPS
# Without a proxy of ours before it, anyone could claim to have come over HTTPS.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- CORS and the API document --------------------------------------------------------------------------------------
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = API_PATHS
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS", "POST"]
CORS_ALLOW_HEADERS = ["accept", "content-type", "x-docent-client"]
CORS_EXPOSE_HEADERS = ["Server-Timing", "Retry-After"]

REST_FRAMEWORK: dict[str, Any] = {
    # Anonymous by design: a staff session must not bring CSRF refusals to the public API.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "docs_search.api.error_responses.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": API_TITLE,
    "DESCRIPTION": f"Anonymous. Limits for each client: {RATE_LIMIT} for searches and pages together, "
    f"{RATE_LIMIT_ASK} for questions. Any origin may read the responses, without credentials.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVERS": [{"url": API_SERVER_URL}],
    "SORT_OPERATIONS": False,
    "SORT_OPERATION_PARAMETERS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["config.openapi.match_contract"],
}

# --- Corpora and the index ------------------------------------------------------------------------------------------
CORPORA_FILE = Path(env.text("CORPORA_FILE", str(BASE_DIR / "corpora.toml")))
DEFAULT_CORPUS = env.text("DEFAULT_CORPUS", "metabase")
MANUAL_CORPUS = "docent"
SOURCES_ALLOW_PRIVATE_ADDRESSES = env.boolean("SOURCES_ALLOW_PRIVATE_ADDRESSES", False)
GIT_TOKENS = env.pairs("GIT_TOKENS")
UPLOAD_DIR = VAR_DIR / "uploads"
UPLOAD_MAX_BYTES = env.integer("UPLOAD_MAX_BYTES", 536_870_912, minimum=1)
CRAWL_REQUESTS_PER_SECOND = env.number("CRAWL_REQUESTS_PER_SECOND", 5.0, minimum=0.01)
CRAWL_CONCURRENCY = env.integer("CRAWL_CONCURRENCY", 4, minimum=1)
CRAWL_MAX_PAGES = env.integer("CRAWL_MAX_PAGES", 20_000, minimum=1)
CRAWL_MAX_BYTES = env.integer("CRAWL_MAX_BYTES", 1_073_741_824, minimum=1)
VECTOR_INDEX_MIN_PASSAGES = env.integer("VECTOR_INDEX_MIN_PASSAGES", 20_000)
SEARCH_LOG_RETENTION_DAYS = env.integer("SEARCH_LOG_RETENTION_DAYS", 90, minimum=1)
SEARCH_LOG_INTERVAL = 1.0  # seconds that a row waits for others; 0: until search_log.flush()

# --- Embeddings -----------------------------------------------------------------------------------------------------
MODEL_DIR = VAR_DIR / "models"
EMBEDDING_PROVIDER = env.choice("EMBEDDING_PROVIDER", "minilm", ["minilm", "openai"])
EMBEDDING_BASE_URL = env.text("EMBEDDING_BASE_URL")
EMBEDDING_API_KEY = env.text("EMBEDDING_API_KEY")
EMBEDDING_MODEL = env.text("EMBEDDING_MODEL")
EMBEDDING_DIMENSION = env.integer("EMBEDDING_DIMENSION", 384, minimum=1)
EMBEDDING_MAX_TOKENS = env.integer("EMBEDDING_MAX_TOKENS", 512, minimum=32)
EMBEDDING_TIMEOUT = env.number("EMBEDDING_TIMEOUT", 30.0, minimum=0.1)
EMBEDDING_QUERY_TIMEOUT = env.number("EMBEDDING_QUERY_TIMEOUT", 2.0, minimum=0.1)
EMBEDDING_THREADS = env.integer("EMBEDDING_THREADS", 2, minimum=1)

# --- Reranking ------------------------------------------------------------------------------------------------------
RERANK_PROVIDER = env.choice("RERANK_PROVIDER", "none", ["none", "cohere", "jina", "tei"])
RERANK_BASE_URL = env.text("RERANK_BASE_URL")
RERANK_API_KEY = env.text("RERANK_API_KEY")
RERANK_MODEL = env.text("RERANK_MODEL")
RERANK_TIMEOUT = env.number("RERANK_TIMEOUT", 1.0, minimum=0.05)
RERANK_DEPTH = env.integer("RERANK_DEPTH", 30, minimum=1)

# --- Logging --------------------------------------------------------------------------------------------------------
LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", ["DEBUG", "INFO", "WARNING", "ERROR"])
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # Its own level, since a worker gives the root logger the one that Celery is to have.
        "docs_search": {"level": LOG_LEVEL},
        "daphne": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        # Its debug lines hold the headers of every response.
        "httpcore": {"level": "WARNING"},
        # Its access lines would put readers' questions into the log.
        "django.channels.server": {"level": "WARNING"},
        # A reader's mistake (4xx) is no event of the server.
        "django.request": {"level": "ERROR"},
    },
}
