from collections.abc import Mapping

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.jekyll.githubdocs import GitHubDocsParser
from tests.parsing import parse_context

DATA = {
    "data/variables/product.yml": (
        'name: "Lamp Hub"\nlong: "{% data variables.product.name %} Cloud"\nnested:\n  key: "deep"\n'
    ),
    "data/reusables/lamps/about.md": "A lamp of **{% data variables.product.long %}**.\n",
    "data/reusables/lamps/step.md": "1. Click **Lamps**.\n",
    "data/features/dimmer.yml": "versions:\n  ghes: '>=3.9'\n  ghec: '*'\n",
    "data/variables/loop.yml": 'a: "{% data variables.loop.a %}x"\n',
}


def parse(
    text: str, files: Mapping[str, str] | None = None, *, path: str = "content/lamps/start.md", version: str = "latest"
) -> ParsedPage | None:
    sources = {name: content.encode() for name, content in {**DATA, **(files or {}), path: text}.items()}
    return GitHubDocsParser().parse(path, text.encode(), parse_context(sources, version=version))


def body(text: str, files: Mapping[str, str] | None = None, version: str = "latest") -> str:
    page = parse(f"# T\n\n{text}", files, version=version)
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


def test_the_fields_of_a_page_have_their_data_filled_in() -> None:
    name = "{% data variables.product.name %}"
    page = parse(f"---\ntitle: Use {name}\nintro: 'All of *{name}*.'\n---\n")
    assert page is not None
    assert (page.path, page.title, page.summary) == ("lamps/start", "Use Lamp Hub", "All of *Lamp Hub*.")
    assert page.markdown == "# Use Lamp Hub\n\nAll of *Lamp Hub*."


def test_data_is_filled_in_also_in_code_and_in_data() -> None:
    text = (
        "{% data reusables.lamps.about %} {% data variables.product.nested.key %}\n\n1. Log in.\n"
        "{% data reusables.lamps.step %}\n1. Wait.\n\n"
        "```sh\nlamp {% data variables.product.name %} {% raw %}{{ x }}{% endraw %}\n```"
    )
    assert body(text) == (
        "A lamp of **Lamp Hub Cloud**. deep\n\n1. Log in.\n2. Click **Lamps**.\n3. Wait.\n\n"
        "```sh\nlamp Lamp Hub {{ x }}\n```"
    )


def test_data_that_names_itself_ends() -> None:
    assert body("{% data variables.loop.a %}") == "x" * 6


@pytest.mark.parametrize(
    ("version", "condition", "holds"),
    [
        ("latest", "fpt or ghec", True),
        ("latest", "ghes", False),
        ("latest", "not ghes", True),
        ("latest", "dimmer", False),
        ("latest", "unheard-of", True),
        ("3.10", "ghes > 3.9", True),
        ("3.10", "ghes < 3.9 or fpt", False),
        ("3.10", "ghes = 3.10", True),
        ("3.10", "dimmer", True),
        ("3.8", "dimmer", False),
        ("enterprise-cloud", "dimmer and ghec", True),
    ],
)
def test_what_stands_for_other_editions_is_left_out(version: str, condition: str, holds: bool) -> None:
    opening = f"{{% ifversion {condition} %}}"
    text = f"Start\n\n{opening}\n\nYes.\n\n{{% endif %}}\n\nEnd {opening}a{{% else %}}b{{% endif %}}."
    assert body(text, version=version) == ("Start\n\nYes.\n\nEnd a." if holds else "Start\n\nEnd b.")


def test_conditions_inside_each_other_and_in_tables() -> None:
    text = (
        "{% ifversion fpt %}A{% ifversion ghes %}B{% elsif fpt %}C{% else %}D{% endif %}{% elsif fpt %}E{% endif %}\n\n"
        "| N |{% ifversion ghes %} S |{% endif %}\n| --- |{% ifversion ghes %} --- |{% endif %}\n"
        "{% ifversion ghes %}\n| x | y |\n{% endif %}\n| z |"
    )
    assert body(text) == "AC\n\n| N |\n| --- |\n| z |"


def test_a_page_that_the_edition_does_not_have_is_read_for_its_own() -> None:
    page = parse("---\ntitle: T\nversions:\n  ghes: '*'\n---\n{% ifversion ghes %}Server.{% else %}Other.{% endif %}")
    assert page is not None
    assert page.markdown == "# T\n\nServer."


def test_links_lead_to_files_and_have_the_titles_of_their_pages() -> None:
    oil = "---\ntitle: Oil for {% data variables.product.name %}\n---\n"
    files = {"content/lamps/oil.md": oil, "content/a/index.md": "A"}
    text = "[AUTOTITLE](/lamps/oil#buy), [AUTOTITLE](/lamps/un-known), [a](/a), [x](/x/y)"
    assert body(text, files) == (
        "[Oil for Lamp Hub](https://docs.example/latest/lamps/oil#buy), "
        "[un known](https://docs.example/lamps/un-known), [a](https://docs.example/latest/a), [x](https://docs.example/x/y)"
    )


def test_boxes_icons_and_tools() -> None:
    text = (
        '1. Click **{% octicon "gear" aria-label="x" %} Settings**.\n\n{% note %}\n\nMind it.\n\n{% endnote %}\n\n'
        '{% webui %}\n\nIn a browser.\n\n{% endwebui %}\n\n### {% octicon "alert" %} Limits\n\nFew.'
    )
    assert body(text) == "1. Click **Settings**.\n\n> **Note:** Mind it.\n\nIn a browser.\n\n### Limits\n\nFew."
