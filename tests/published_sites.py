"""The layouts of the sites that publish the shipped corpora, around the pages of their archives.

The words of the chrome are ours, the elements and classes are what the sites use: what a crawl meets beside the manual.
"""

import re
from collections.abc import Mapping
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt

from docs_search.parsing.text.slugs import Slugger

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_BODY = re.compile(rb"<body[^>]*>(.*)</body>", re.DOTALL | re.IGNORECASE)
_HEAD = re.compile(rb"<title>(.*?)</title>", re.DOTALL | re.IGNORECASE)


def postgresql_site(files: Mapping[str, bytes], version: str) -> dict[str, bytes]:
    """A manual below `/docs/VERSION/` as www.postgresql.org shows it; the root is its first page."""
    pages = {
        f"/docs/{version}/{path}": _postgresql_page(path, data, version)
        for path, data in files.items()
        if path.endswith(".html")
    }
    return {**pages, f"/docs/{version}/": pages[f"/docs/{version}/index.html"]}


def postgis_site(files: Mapping[str, bytes], root: str) -> dict[str, bytes]:
    """A manual below `root` (`/docs/manual-3.5/en/`) as postgis.net shows it."""
    pages = {f"{root}{path}": _postgis_page(data) for path, data in files.items() if path.endswith(".html")}
    return {**pages, root: pages[f"{root}index.html"]}


def html_of(markdown: str) -> str:
    """Normalised Markdown as HTML, its headings with ids as sites give them."""
    tokens = _MARKDOWN.parse(markdown)
    slugger = Slugger()
    for heading, content in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", slugger.slug(content.content.replace("`", "")))
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def tiger_page(title: str, content: str) -> bytes:
    """A page as docs.tigerdata.com shows it: `content` is its HTML below the title."""
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/>
<title>{escape(title)} | Tiger Data Documentation</title><meta name="generator" content="Gatsby 4.25.9"/></head>
<body><div id="___gatsby"><div id="gatsby-focus-wrapper">
<a href="#main" class="skip-link">Go to the content</a>
<header><nav aria-label="Site"><a href="/">Start</a><a href="/api/latest/">Reference of the API</a>
<input type="search" placeholder="Look something up"/></nav></header>
<aside class="sidebar"><nav aria-label="Sections"><ul><li><a href="/use-timescale/latest/">Every chapter</a></li>
<li><a href="/self-hosted/latest/">On your own machine</a></li></ul></nav></aside>
<main id="main"><nav aria-label="Breadcrumb" class="breadcrumbs"><a href="/">Start</a></nav>
<article><h1>{escape(title)}</h1>{content}</article>
<div class="feedback"><p>Was this page any help?</p><button>Yes</button><button>No</button></div>
<nav class="pagination"><a href="/getting-started/latest/">The page before</a></nav></main>
<aside class="toc"><h4>On this page</h4><ul><li><a href="#top">Up</a></li></ul></aside>
<footer><ul><li><a href="https://www.tigerdata.com/legal">Terms</a></li></ul><p>A company and its year</p></footer>
</div></div></body></html>""".encode()


def _content(data: bytes) -> tuple[bytes, bytes]:
    """Title and body of a page of a manual."""
    head, body = _HEAD.search(data), _BODY.search(data)
    return (head[1] if head else b""), (body[1] if body else data)


def _postgresql_page(path: str, data: bytes, version: str) -> bytes:
    title, body = _content(data)
    others = b" / ".join(
        b'<a href="/docs/%s/%s" title="The same in another release">%s</a>' % (other, path.encode(), other)
        for other in (b"current", b"18", b"16", b"devel")
    )
    return b"""<!doctype html><html lang="en"><head><title>PostgreSQL: Documentation: %(version)s: %(title)s</title>
<meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>
<link rel="canonical" href="https://www.postgresql.org/docs/current/%(path)s"/></head><body>
<div class="container-fluid"><nav class="navbar navbar-expand-lg navbar-light">
<a class="navbar-brand" href="/"><img src="/media/elephant.svg" alt="The elephant"/></a>
<ul class="navbar-nav"><li><a href="/about/">About us</a></li><li><a href="/download/">Get it</a></li>
<li><a href="/docs/">Manuals</a></li></ul><form role="search"><input name="q"/><button>Find</button></form></nav></div>
<div class="container-fluid margin"><div id="pgSideWrap"><a href="/docs/">Back to the manuals</a></div>
<div class="row justify-content-center pg-shout"><div>A release has just come out. Read the news.</div></div>
<div class="row"><div class="col-11 col-xl-7">When: the ninth of a month</div>
<div class="doc-nav"><a href="/docs/">Documentation</a> &rarr;
<a href="/docs/%(version)s/index.html">One release</a></div>
<div>Releases that get fixes: %(others)s</div>
<div class="alert alert-danger">You look at the manual of an old release.</div>
<form action="/search/"><input type="hidden" name="u" value="/docs/%(version)s/"/><input name="q"/></form></div>
<div id="docContent" class="container-fluid col-10">%(body)s</div>
<div id="docComments"><h2>Something wrong?</h2>
<p>Tell us by <a href="/account/comments/new/%(version)s/">this form</a>.</p></div></div>
<footer id="footer"><ul><li><a href="/about/policies/">Rules</a></li></ul><p>A group and its years</p></footer>
</body></html>""" % {
        b"version": version.encode(),
        b"title": title,
        b"path": path.encode(),
        b"others": others,
        b"body": body,
    }


def _postgis_page(data: bytes) -> bytes:
    title, body = _content(data)
    return b"""<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"/><title>%(title)s</title>
<link rel="stylesheet" href="/docs/style.css"/></head><body><div id="site-header"><nav class="site-nav">
<a href="/"><img src="/logo.png" alt="A globe"/></a><ul><li><a href="/documentation/">Manuals</a></li>
<li><a href="/workshops/">Courses</a></li></ul></nav><select class="lang"><option>English</option></select></div>
%(body)s
<footer class="site-footer"><p>A project and its years</p><a href="/community/">Who we are</a></footer>
</body></html>""" % {
        b"title": title,
        b"body": body,
    }
