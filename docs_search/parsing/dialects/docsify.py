"""Docsify: Markdown that a page reads in the browser, with tips of its own, tabs in comments and embedded files."""

import posixpath
import re
from functools import partial

from docs_search.documents import ParseContext
from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.markdown.code_languages import language_of
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.parser import EXTENSIONS, MarkdownParser

_TIP = re.compile(
    r"^(?P<indent>[ \t]*+)(?P<mark>[?!])>[ \t]+(?P<text>[^\n]+(?:\n(?![ \t]*+(?:\n|[?!]>|#|[-*+] |`{3}))[^\n]+)*)",
    re.MULTILINE,
)
_IDENTIFIER = re.compile(r"^(?P<heading>#{1,6}[ \t][^\n]{0,500}?)[ \t]*:id=(?P<id>[\w-]+)[ \t]*$", re.MULTILINE)
_IGNORED = re.compile(
    r"(?<![ \t])[ \t]*+(?:\{docsify-ignore(?:-all)?\}|<!--[ \t]*\{docsify-ignore(?:-all)?\}[ \t]*-->)"
)
_EMBED = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{0,300})\]\((?P<target>[^()\s]+)[ \t]+['\"]:include(?P<options>[^'\"\n]*)['\"]\)"
)
_OPTIONS = re.compile(r"(?P<link>\]\([^()\s]+)[ \t]+['\"]:[a-z][^'\"\n]*['\"](?=\))")
_TABS = re.compile(
    r"<!--[ \t]*tabs:start[ \t]*-->(?P<text>(?:(?!<!--[ \t]*tabs:start).)*?)<!--[ \t]*tabs:end[ \t]*-->", re.DOTALL
)
_TAB_LABEL = re.compile(r"^#{1,6}[ \t]+(?:\*\*)?(?P<label>[^\n*]+)(?:\*\*)?[ \t]*$", re.MULTILINE)
_ROUTE = re.compile(r"(?P<before>\]\([^()\s?]*)\?id=(?P<id>[\w%.-]+)(?=[)\s])")
_LABELS = {"?": "Tip", "!": "Warning"}


class DocsifyParser(MarkdownParser):
    """The `Parser` of documentation for Docsify."""

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        text = _TABS.sub(lambda tabs: _TAB_LABEL.sub(r"**\g<label>**", tabs["text"]), text)
        return _resolved(text, path, self.root(context.paths), files), tuple(files.warnings)


def _resolved(text: str, file: str, root: str, files: FileIncludes) -> str:
    def embed(match: re.Match[str]) -> str:
        target = match["target"].partition("#")[0]
        if "://" in target:
            return f"[{match['text'] or target}]({target})"
        base = root if target.startswith("/") else posixpath.dirname(file)
        path = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
        if path.lower().endswith(EXTENSIONS) and ":type=code" not in match["options"]:
            return f"\n\n{files.text(path, None, partial(_resolved, file=path, root=root, files=files))}\n\n"
        code = files.text(path, None, lambda part: part)
        return f"\n\n```{language_of(path)}\n{code}\n```\n\n" if code else ""

    def clean(part: str) -> str:
        part = _IDENTIFIER.sub(r"\g<heading> {#\g<id>}", _IGNORED.sub("", part))
        part = _OPTIONS.sub(r"\g<link>", _EMBED.sub(embed, part))
        return _ROUTE.sub(r"\g<before>#\g<id>", part)

    text = _TIP.sub(_tip, text) if "> " in text else text
    return "".join(part if is_code else clean(part) for part, is_code in split_code(text))


def _tip(match: re.Match[str]) -> str:
    indent = match["indent"]
    return f"{indent}{opening(_LABELS[match['mark']])}\n{indent}{match['text']}\n{indent}{closing()}\n"
