from docs_search.storable_text import storable


def test_what_postgresql_refuses_is_replaced() -> None:
    assert storable("a\0b \ud800 ü") == "a\ufffdb ? ü"
