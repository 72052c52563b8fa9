from docs_search.sources.site.llms_txt import markdown_links, prefer_markdown

BASE = "https://example.com/docs/llms.txt"
LLMS_TXT = """# Product

> What it is.

## Docs

- [Install](install.md): how to install
- [Ünïcode](<größe und mehr.md>)
- [API](https://example.com/docs/api.html.md#top "title")
- <https://example.com/docs/auto>
- [Elsewhere](https://other.example.com/x)
- [Mail](mailto:x@example.com)

```
[in code](code.md)
```

[reference][r]

[r]: ref.md
"""


def test_the_links_of_a_markdown_document_are_read_in_order() -> None:
    assert list(markdown_links(LLMS_TXT, BASE)) == [
        "https://example.com/docs/install.md",
        "https://example.com/docs/gr%C3%B6%C3%9Fe%20und%20mehr.md",
        "https://example.com/docs/api.html.md",
        "https://example.com/docs/auto",
        "https://other.example.com/x",
        "https://example.com/docs/ref.md",
    ]


def test_the_markdown_of_a_page_is_preferred_to_its_other_forms() -> None:
    listed = ["a", "a.md", "b/", "b/index.html.md", "c.html", "c.html.md", "d", "e.html", "a.md", "f.md"]
    addresses = [f"https://example.com/{path}" for path in listed]
    kept = ["a.md", "b/index.html.md", "c.html.md", "d", "e.html", "f.md"]
    assert prefer_markdown(addresses) == [f"https://example.com/{path}" for path in kept]
