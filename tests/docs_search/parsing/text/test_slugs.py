from docs_search.parsing.text.slugs import Slugger


def test_slugs_are_lower_case_words_joined_by_hyphens() -> None:
    slugger = Slugger()
    assert slugger.slug("Install & run: Docker") == "install--run-docker"
    assert slugger.slug("MB_JETTY_PORT") == "mb_jetty_port"
    assert slugger.slug("GET /api/alert/:id") == "get-apialertid"
    assert slugger.slug("Über größe 2.0") == "über-größe-20"
    assert slugger.slug("???") == ""


def test_repeated_headings_are_numbered_without_meeting_another_heading() -> None:
    slugger = Slugger()
    assert [slugger.slug(heading) for heading in ("Params", "Params 1", "Params", "Params")] == [
        "params",
        "params-1",
        "params-2",
        "params-3",
    ]


def test_an_explicit_anchor_is_not_given_to_a_heading() -> None:
    slugger = Slugger()
    slugger.reserve("usage")
    assert slugger.slug("Usage") == "usage-1"
