import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.masking import mask_secrets

HEX = "9f86d081884c7d659a2feaa0c55ad015"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("why can't ada@example.co.uk log in?", "why can't [email] log in?"),
        ("<Ada.Lovelace+test@mail.example.com>", "<[email]>"),
        ("postgres://app:hunter2@db.example.com:5432/app", "postgres://app:[secret]@db.example.com:5432/app"),
        ("postgresql://app:p@ss:w@rd@db/app", "postgresql://app:[secret]@db/app"),
        ("redis://:hunter2@cache", "redis://:[secret]@cache"),
        ("PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=[secret] psql -h db"),
        ("MB_DB_PASS=hunter2 java -jar", "MB_DB_PASS=[secret] java -jar"),
        ("MB_ENCRYPTION_SECRET_KEY: abc123", "MB_ENCRYPTION_SECRET_KEY: [secret]"),
        ('{"password": "hun ter2", "user": "ada"}', '{"password": [secret], "user": "ada"}'),
        ("apiKey => 'abc', user => 'ada'", "apiKey => [secret], user => 'ada'"),
        ("host=db password='it is' dbname=app", "host=db password=[secret] dbname=app"),
        ('password="never closed', "password=[secret]"),
        ("?token=abc&page=2", "?token=[secret]&page=2"),
        ("curl --api-key abc https://example.com", "curl --api-key [secret] https://example.com"),
        ("ALTER ROLE ada PASSWORD 'hunter2';", "ALTER ROLE ada PASSWORD [secret];"),
        ("Authorization: Bearer abc", "Authorization: Bearer [secret]"),
        ("Authorization: Basic YWRhOmh1bnRlcg==", "Authorization: Basic [secret]"),
        ("use bearer abcdefghijklmnop1234", "use bearer [secret]"),
        ("key sk-abcdefghijklmnopqrstuvwx fails", "key [secret] fails"),
        ("sk_live_abcdefghij1234567890", "[secret]"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[secret]"),
        ("AKIAIOSFODNN7EXAMPLE", "[secret]"),
        ("xoxb-1234567890-abcdef", "[secret]"),
        (f"got {JWT} back", "got [secret] back"),
        (f"session {HEX} expired", "session [secret] expired"),
        ("/public/dashboard/c2d43b5a-6f0e-4d3b-9a57-0f0b8a4b9d11", "/public/dashboard/[secret]"),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY12", "[secret]"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- ok", "[secret] ok"),
        ("-----BEGIN PRIVATE KEY-----\ncut off", "[secret]"),
        ("no pg_hba.conf entry for host 203.0.114.7, user ada", "no pg_hba.conf entry for host [address], user ada"),
        ("from 2a00:1450:4001:81b::200e port 1", "from [address] port 1"),
        ("card 4111 1111 1111 1111 refused", "card [number] refused"),
        ("card 4111-1111-1111-1111", "card [number]"),
    ],
)
def test_secret_is_masked_and_its_surroundings_stay(text: str, masked: str) -> None:
    assert mask_secrets(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "MB_JETTY_PORT",
        "MB_PASSWORD_COMPLEXITY and MB_ENCRYPTION_SECRET_KEY",
        "mb_application_db_max_connection_pool_size",
        "password_encryption = scram-sha-256",
        "ERROR: 42P01: relation does not exist",
        "SQLSTATE 28P01 password authentication failed for user",
        "v0.63.4, v1.50.21.3, 1.50.21.3 or 17.2",
        "max_connections above 10000000",
        "ST_DWithin(geog_a, geog_b, 1000)",
        "PostGIS_Special_Functions_Index.html#PostGIS_3D_Functions",
        "https://www.metabase.com/docs/v0.63/configuring-metabase/environment-variables#mb_jetty_port",
        "listen on 127.0.0.1, 0.0.0.0, 192.168.1.20 or ::1",
        """SELECT now()::date, '12:30:45'::time, 1::int, a::"char" FROM t""",
        "basic authentication-for-everyone, bearer tokens",
        "how do I reset a password?",
        "a @> b and c <@ d, postgres@localhost",
        "id 1234567890123 at 1700000000",
        "--jobs 4 --no-password",
        "pg_stat_progress_create_index",
        "CREATE_REPLICATION_SLOT physical RESERVE_WAL",
    ],
)
def test_what_documentation_is_asked_about_stays(text: str) -> None:
    assert mask_secrets(text) == text


WORD = st.text("abcxyz019", min_size=1, max_size=12)
SHAPES = st.sampled_from(
    ["{}@{}.example.com", "postgres://{}:{}@db/app", "PGPASSWORD={}{}", "password: {}{}", "Authorization: Bearer {}{}"]
)


@given(st.text(max_size=40), SHAPES, WORD, WORD, st.text(max_size=40))
def test_secret_is_masked_wherever_it_stands(before: str, shape: str, first: str, second: str, after: str) -> None:
    text = shape.format(first, second)
    assert text not in mask_secrets(f"{before} {text} {after}")


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            "0",
            ".",
            ":",
            "f",
            "a@",
            "a.",
            "a-",
            "1.",
            "0:",
            "4 ",
            "://",
            "://a:",
            "password",
            "password=",
            'password="',
        ),
        *("-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----END ", "eyJaaaaaaaa.", "bearer ", "authorization: "),
    ],
)
def test_long_text_takes_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.process_time()
    mask_secrets(text)
    # A quadratic expression would take minutes.
    assert time.process_time() - start < 5
