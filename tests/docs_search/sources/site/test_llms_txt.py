import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize("pattern", ["[", "[a](b", "![](", "[a][b", "[\n", "<", "`a``b"])
def test_links_are_read_in_time_that_grows_with_the_length_alone(pattern: str) -> None:
    def seconds(length: int) -> float:
        started = time.process_time()
        list(markdown_links(pattern * (length // len(pattern)), BASE))
        return time.process_time() - started

    assert seconds(160_000) < 8 * max(seconds(40_000), 0.05)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("[]()<>!#`*\\\n -:|&x"), max_size=80))
def test_the_links_of_anything_can_be_read(text: str) -> None:
    assert next(markdown_links(f"[first](first.md)\n\n{text}", BASE)) == "https://example.com/docs/first.md"
