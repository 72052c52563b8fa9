import pytest

from docs_search.indexing.residue import find_residue


@pytest.mark.parametrize(
    ("markdown", "residue"),
    [
        ("The {{ site.name }} pond", "template expressions ({{ … }})"),
        ("{% if deep %}", "template tags ({% … %})"),
        ("{{< note >}}", "shortcodes ({{< … >}})"),
        ("One\n\n> :::tip", "colon fences (:::)"),
        ("!!! note", "admonitions (!!!)"),
        ("/// tab | Pond", "blocks (///)"),
        ('--8\\<-- "pond.md"', "snippets (--8<--)"),
        ("Pond {#pond}", "attributes ({: …} or {#…})"),
        ('import Pond from "./pond"', "imports and exports"),
        (r"\<Pond depth={2}>", "component tags (<Name>)"),
        (r"a \<br/> b", "HTML tags"),
        ("See :ref:`pond`.", "roles of reStructuredText (:name:`…`)"),
        ("See {doc}`pond`.", "roles of MyST ({name}`…`)"),
        ("Deep --> end", "comments (<!-- … -->)"),
        ("See [pond](../pond.md)", "links that lead nowhere (](…))"),
        ("See [pond][shore]", "references without a target ([…][…])"),
        (r"See \*\*pond", "emphasis that does not end (**)"),
        ("sidebar_label: Pond", "front matter"),
        ("[TOC]", "places for a table of contents ([TOC])"),
        (".. note::", "directives of reStructuredText (.. name::)"),
        ("A [pond]{.deep}", "spans of Pandoc ([…]{.name})"),
        ("See [[Pond|it]]", "links between notes ([[…]])"),
        ("[block:callout] {}", "blocks of ReadMe ([block:…])"),
        ("[!INCLUDE [pond](https://x.example)]", "marks of Microsoft Learn ([!NAME …])"),
        ("?> Deep.", "tips of Docsify (?> and !>)"),
        ("The $POND_SHORT is deep", "undefined variables ($NAME_SHORT)"),
    ],
)
def test_residue_is_found_with_its_line(markdown: str, residue: str) -> None:
    (found,) = find_residue(f"# Pond\n\nText before.\n\n{markdown}\n\nText after.\n")
    assert found == (residue, markdown.splitlines()[-1])


def test_a_directive_of_myst_is_found_although_it_is_a_fence() -> None:
    found = list(find_residue("> ```{note} Deep\n> {doc}`shore`\n> ```\n"))
    assert found == [("directives of MyST (```{name})", "> ```{note} Deep")]


@pytest.mark.parametrize(
    "markdown",
    [
        "```\n{{ x }} {% y %} :::tip <Pond> !!! note\n```",
        "`{{ x }}` and `<Pond>` and `:::`",
        "Use ::1 or a : b, x ::: y, 5 < 6, a <name> or \\<TABLE_NAME> here, **Note:** 12:30",
        "## pond.fill(depth[, width][, ...rest])",
        "The set {a, b} costs $5 in $HOME",
        "> **Tip:** important from here",
        "See [pond](https://docs.example/pond) and [mail](mailto:a@example.org), a[0]",
    ],
)
def test_code_and_ordinary_text_are_no_residue(markdown: str) -> None:
    assert list(find_residue(markdown)) == []
