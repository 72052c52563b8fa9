import pytest

from docs_search.sources import has_password, without_query


@pytest.mark.parametrize(
    "location",
    [
        "https://reader:secret@docs.example.com/a.git",
        "HTTPS://secret@docs.example.com",
        "git+https://reader@docs.example.com/a",
        " https://reader:secret@docs.example.com/",
        "https:\\\\reader:secret@docs.example.com/",
        "h2+x://reader:secret@docs.example.com/",
    ],
)
def test_an_address_with_a_user_is_known_however_it_is_written(location: str) -> None:
    assert has_password(location)


@pytest.mark.parametrize(
    "location",
    [
        "https://docs.example.com/@writer/a",
        "https://docs.example.com/?to=a@b",
        "/srv/docs//a@b",
        "C:\\docs\\a@b",
        "a@b",
    ],
)
def test_other_locations_have_no_user(location: str) -> None:
    assert not has_password(location)


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("https://docs.example.com/a.zip?signature=secret", "https://docs.example.com/a.zip"),
        ("git+https://docs.example.com/a.git?key=secret#main:docs", "git+https://docs.example.com/a.git#main:docs"),
        ("/srv/what?/docs", "/srv/what?/docs"),
    ],
)
def test_the_query_of_an_address_is_not_told(location: str, told: str) -> None:
    assert without_query(location) == told
