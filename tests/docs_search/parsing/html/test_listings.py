"""Listings of code, however a highlighter has marked them up."""

import pytest

from docs_search.parsing.html.document import parse_html
from docs_search.parsing.html.listings import code_of, language_of

CODE = "pond = 1\n\nfish(pond)"


def _listing(html: str) -> tuple[str, str]:
    root, _ = parse_html(f"<html><body>{html}</body></html>".encode())
    assert root is not None
    pre = next(root.iter("pre"))
    return code_of(pre).strip("\n"), language_of(pre)


@pytest.mark.parametrize(
    "lines",
    [
        "<span>pond</span> = 1\n\nfish(pond)",
        "pond = 1<br><br/>fish(pond)",
        '<span class="line">pond = 1</span>\n<span class="line"></span>\n<span class="line">fish(pond)</span>',
        '<span class="line">pond = 1</span><span class="line"></span><span class="line">fish(pond)</span>',
        '<span class="token-line">pond = 1<br></span><span class="token-line"><br></span><span>fish(pond)</span>',
        '<div class="line">pond = 1\n</div><div class="line">\n</div><div class="line">fish(pond)</div>',
        "<div>pond = 1</div><div>\n</div><div>fish(pond)</div>",
        "<ol><li>pond = 1\n</li><li>\n</li><li>fish(pond)</li></ol>",
        '<table class="hljs-ln"><tr><td class="hljs-ln-numbers">1</td><td class="hljs-ln-code">pond = 1\n</td></tr>'
        '<tr><td class="hljs-ln-numbers">2</td><td>\n</td></tr><tr><td>fish(pond)</td></tr></table>',
        '<span class="linenos">1</span>pond = 1\n<span class="linenos">2</span>\n<span class="lnt">3</span>fish(pond)',
        "<button>Copy</button>pond = 1\n\nfish(pond)<svg><title>Copy</title></svg>",
    ],
)
def test_lines_are_kept_and_their_numbers_are_not(lines: str) -> None:
    assert _listing(f"<pre><code>{lines}</code></pre>")[0] == CODE


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<pre><code class="language-js">x</code></pre>', "js"),
        ('<pre class="lang-C++"><code>x</code></pre>', "c++"),
        (
            '<div class="highlight-html+django notranslate"><div class="highlight"><pre>x</pre></div></div>',
            "html+django",
        ),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<pre class="brush: sql; toolbar: false">x</pre>', "sql"),
        ('<pre><code class="hljs rust">x</code></pre>', "rust"),
        ('<div class="sourceCode"><pre class="sourceCode haskell"><code>x</code></pre></div>', "haskell"),
        ('<pre><code data-lang="toml">x</code></pre>', "toml"),
        ('<figure data-language="go"><pre>x</pre></figure>', "go"),
        ('<pre lang="ruby">x</pre>', "ruby"),
        ('<pre lang="en">x</pre>', ""),
        ('<div class="highlight-default"><pre>x</pre></div>', ""),
        ('<div class="highlight-text"><div class="language-js"><pre>x</pre></div></div>', "js"),
        ('<pre class="language-plaintext">x</pre>', ""),
        ('<pre class="line-numbers">x</pre>', ""),
        ('<main class="language-js"><pre>x</pre></main>', ""),
        ('<pre class="language-{{x}}">x</pre>', ""),
    ],
)
def test_the_language_is_what_the_markup_says(html: str, language: str) -> None:
    assert _listing(html)[1] == language
