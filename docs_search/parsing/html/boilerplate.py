"""What of a web page is no content: navigation, buttons, banners, and what nobody sees.

Names that a documentation generator gives its own furniture are always dropped. Words that merely suggest furniture
(`share`, `feedback`) drop an element only where it holds nothing that a reader would miss.
"""

import re
from functools import lru_cache

from lxml.etree import _Element

from docs_search.parsing.html.document import classes_of, text_of

_TAGS = frozenset({"dialog", "footer", "nav", "rp", "search"})
_ROLES = frozenset(
    {"banner", "contentinfo", "dialog", "menu", "menubar", "navigation", "progressbar", "search"}
    | {"toolbar", "tooltip"}
)
_CLASSES = frozenset(
    # any
    "breadcrumb breadcrumbs clipboard-copy copy-button copy-btn copybtn edit-link edit-this-page footnote-back "
    "footnote-backref noprint no-print on-this-page page-nav pagination prev-next screen-reader-text skip-link "
    "skip-to-content sr-only toc table-of-contents visually-hidden visuallyhidden zeroclipboard-container "
    # Sphinx and its themes
    "back-to-top caption-number genindextable prev-next-area rst-footer-buttons "
    "rst-versions section-number sphinxsidebar toc-drawer toctree-wrapper viewcode-block viewcode-link "
    # Docusaurus
    "buttonGroup clean-btn docusaurus-tag lastUpdated pagination-nav tagsList tableOfContents theme-back-to-top-button "
    "theme-doc-breadcrumbs theme-doc-footer theme-doc-sidebar-container theme-doc-toc-desktop theme-doc-toc-mobile "
    "theme-doc-version-badge theme-doc-version-banner theme-edit-this-page theme-last-updated tocCollapsible tocMobile "
    # VitePress and VuePress
    "VPDocAsideOutline VPDocFooter VPLocalNav VPNav VPSidebar line-numbers-wrapper page-edit page-meta "
    "vp-toc "
    # MkDocs
    "md-annotation__index md-content__button md-feedback md-footer md-header md-path md-sidebar md-source-date "
    "md-source-file md-tags md-top tabbed-control wy-breadcrumbs "
    # API references: buttons and links to source code, and the code that they show
    "hideme method-click-advice rightside showSource signature-attributes srclink "
    "constants_summary_toggle summary_toggle tsd-breadcrumb tsd-index-panel tsd-sources tsd-tag "
    "view-source-button viewcode "
    # Wikis, help centres, forums, office documents
    "MCRelatedTopics MsoToc1 MsoToc2 MsoToc3 MsoToc4 app-vsn article-author article-comments article-relatives "
    "article-votes catlinks codeSnippetCopyButton crawler-post-meta inPage mw-editsection mw-indicators mw-jump-link "
    "page-metadata pageSection post-likes printfooter suggestEdits toc-macro topic-category "
    # Hugo, Jekyll, Pandoc, Asciidoctor, mdBook, Antora, Doxygen, LaTeX2HTML, LaTeXML, TeX4ht, info
    "ChildLinks "
    "book-footer book-toc feedback--answer header-section-number mobile-nav-chapters nav-chapters nav-wrapper "
    "nav-panel navfooter navheader navpath page-meta-links secno secnum td-page-meta td-toc tableofcontents taxonomy "
    "titlemark".split()
)
_SOURCE_VIEWS = frozenset("method-source-code mkdocstrings-source source_code".split())
_IDS = frozenset(
    {
        "MSearchResultsWindow",
        "MSearchSelectWindow",
        "TOC",
        "footer",
        "markdown-toc",
        "mdbook-help-container",
        "nav-path",
    }
    | {"pagination", "siteNotice", "table-of-contents", "toc"}
)
_SUGGESTIVE = re.compile(
    r"(?<![^\W_])(?:bread-?crumbs?|byline|comments|consent|contributors|cookies?|disqus|edit-?(?:this-?)?(?:on-?)?"
    r"(?:page|link|github)|feedback|gdpr|helpful|last-?(?:modified|updated?)|language-?switcher|navigation"
    r"|news-?letter"
    r"|page-?(?:meta|nav|tools)|pager|pagination|permalink|prev-?next|rating|reading[-_]?time|related-?(?:articles|links"
    r"|pages|posts)|report-?issue|search-?(?:bar|box|form)|share|sharing|side-?(?:bar|nav)|social|subscri(?:be|ption)"
    r"|version-?(?:banner|picker|selector|switcher|warning))(?![^\W_])",
    re.IGNORECASE,
)
# The numbers and bullets that Word writes as text are as good as hidden.
_NOT_SEEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-list\s*:\s*ignore)", re.IGNORECASE)
_BARS = frozenset({"center", "div", "li", "p", "td"})
_STEPS = frozenset({"contents", "index", "next", "prev", "previous", "up"})
_NEIGHBOURS = frozenset({"next", "next page", "previous", "previous page"})
_BULLETS = frozenset({"•", "◦", "▪"})
_FRAGMENTS = 3  # links to places on the page that make a line of them a table of contents
_LONGEST_BAR = 60  # characters beside its links
_PANELS = re.compile(r"tab|panel|collaps|accordion|details", re.IGNORECASE)
_LONGEST_FURNITURE = 600  # characters
_PHRASE = re.compile(
    r"(?:was this (?:article |page |section )?(?:helpful|useful)|did this (?:page )?help"
    r"|(?:last|page) (?:modified|updated)\b|edit (?:this )?page\b|edit on git\w+)[^.]*"
    r"|suggest edits?|(?:last )?updated .{1,30} ago|powered by \w+"
    r"|definition (?:at line|in file) .*|go to the source code of this file\.?"
    r"|this (?:document|file|page|site) was (?:automatically )?(?:built|created|generated) (?:by|with|using) .*"
    r"|(?:back|scroll|return) to (?:the )?top|on this page:?|copy page|skip to (?:main )?content",
    re.IGNORECASE,
)
_LONGEST_PHRASE = 120  # characters
_LONGEST_LINK = 500
_LINK = re.compile(r"\[([^\[\]]*+)\]\([^()]*+\)")
_MARK = re.compile(r"[\w?!]")
_PERMALINK_WORDS = re.compile(
    r"(?:(?:copy |direct )?(?:perma)?link(?: (?:to|for) .*)?|anchor(?: link)?(?: (?:to|for) .*)?|edit)", re.IGNORECASE
)
_PERMALINK_CLASS = re.compile(r"anchor|permalink|headerlink|heading-?link|hash-?link|header-?link", re.IGNORECASE)


def is_boilerplate(element: _Element) -> bool:
    """Whether an element with all that is in it is no content."""
    if element.tag in _TAGS:
        return True
    if element.tag == "a" and (is_permalink(element) or _is_shortcut(element)):
        return True
    if element.tag in _BARS and len(element) > 1 and _is_bar(element):
        return True
    if not len(element) and (element.text or "").strip() in _BULLETS:
        return True
    if not element.attrib:
        return False
    if element.get("role") in _ROLES or _is_hidden(element):
        return True
    names = element.get("class") or ""
    if not _SOURCE_VIEWS.isdisjoint(names.split()) or _is_source_of_last(element):
        return True
    if element.get("id") in _IDS or (names and _is_furniture(names)):
        return not _is_content(element)
    return bool(names and _suggests_furniture(names)) and _holds_little(element)


def is_phrase_of_the_site(markdown: str) -> bool:
    """Whether a paragraph is one that sites put around any page: "Was this page helpful?", "Last updated on May 1"."""
    if len(markdown) > _LONGEST_LINK:
        return False
    text = _LINK.sub(r"\1", markdown).strip("* ")
    return len(text) <= _LONGEST_PHRASE and bool(_PHRASE.fullmatch(text))


def is_permalink(element: _Element) -> bool:
    """Whether a link is the mark beside a heading that links to the heading itself: `#`, `¶`, a pictogram."""
    if "#" not in (element.get("href") or "#"):
        return False
    text = text_of(element).strip()
    if len(text) > 100 or next(element.iter("img"), None) is not None:
        return False
    if not _MARK.search(text):
        return bool(element.get("href"))
    return bool(_PERMALINK_CLASS.search(element.get("class") or "")) and bool(_PERMALINK_WORDS.fullmatch(text))


def _is_shortcut(link: _Element) -> bool:
    """Whether a link leads from a summary to the same further down, or to the page before or after this one."""
    if (link.get("href") or "").startswith("#") and text_of(link).strip() == "More...":
        return True
    return len(link) > 1 and text_of(link[0]).strip().casefold() in _NEIGHBOURS


@lru_cache(maxsize=4096)
def _is_furniture(names: str) -> bool:
    """By one of its classes; those that CSS modules make have a hash after the name: `tocCollapsible_ETCw`."""
    split = names.split()
    if "contents" in split:  # a table of contents for Sphinx, all there is for Doxygen
        return "topic" in split or "local" in split
    return any(name in _CLASSES or name.partition("_")[0] in _CLASSES for name in split)


@lru_cache(maxsize=4096)
def _suggests_furniture(names: str) -> bool:
    return bool(_SUGGESTIVE.search(names))


def _is_hidden(element: _Element) -> bool:
    """Whether nobody sees an element. What a click shows (another tab, a collapsed part) is not hidden."""
    hidden, style = element.get("hidden"), element.get("style")
    return (
        (hidden is not None and hidden != "until-found")
        or element.get("aria-hidden") == "true"
        or (style is not None and bool(_NOT_SEEN.search(style)))
    ) and not (
        element.get("role") == "tabpanel" or _PANELS.search(f"{element.get('class') or ''} {element.get('id') or ''}")
    )


def _is_content(element: _Element) -> bool:
    """A name may mean something else on a site: what holds the title or listings is no table of contents."""
    return next(element.iter("h1", "pre"), None) is not None and element.tag not in ("td", "span")


def _is_bar(element: _Element) -> bool:
    """Whether an element is a line of links to the pages around this one, as manuals have it, or to places on it."""
    links = list(element.iterchildren("a"))
    steps = [link for link in links if not _STEPS.isdisjoint((link.get("rel") or "").split())]
    fragments = [link for link in links if (link.get("href") or "").startswith("#")]
    if not steps and (len(fragments) < _FRAGMENTS or len(fragments) < len(element)):
        return False
    beside = "".join([element.text or "", *(child.tail or "" for child in element)])
    return len(beside.strip()) <= _LONGEST_BAR if steps else not _MARK.search(beside)


def _is_source_of_last(element: _Element) -> bool:
    """Whether this is the source code of what stands before it, which pdoc shows at the press of a button."""
    previous = element.getprevious() if element.tag == "div" else None
    return previous is not None and previous.tag == "label" and "view-source-button" in classes_of(previous)


def _holds_little(element: _Element) -> bool:
    if next(element.iter("h1", "h2", "pre", "table", "dl"), None) is not None:
        return False
    if any("title" in name for child in element for name in classes_of(child)):  # a sidebar in the text has a title
        return False
    length = len(text_of(element).strip())
    return length <= _LONGEST_FURNITURE or 2 * sum(len(text_of(link)) for link in element.iter("a")) > length
