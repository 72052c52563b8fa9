"""ReadMe (readme.io): Markdown with blocks in JSON, callouts that begin with an emoji, links by the names of pages."""

import posixpath
import re

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.mdx.imports import Module
from docs_search.parsing.dialects.mdx.parser import MdxParser
from docs_search.parsing.dialects.mdx.readme_blocks import resolve_blocks
from docs_search.parsing.dialects.wiki_links import note_of
from docs_search.parsing.markdown.boxes import label_of
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.front_matter import FrontMatter

_CALLOUT = re.compile(
    r"^(?P<indent>[ \t]*>[ \t]*)(?P<icon>📘|ℹ️?|👍|✅|🚧|⚠️?|❗️?|🛑|🚨|💡|📝|🔥)️?[ \t]*(?P<title>[^\n]*)$", re.MULTILINE
)
_KINDS = {"👍": "success", "✅": "success", "🚧": "warning", "⚠": "warning", "❗": "danger", "🛑": "danger",
          "🚨": "danger", "💡": "tip"}  # fmt: skip
_LINK = re.compile(
    r"(?P<before>\]\([ \t]*)(?:doc|ref|page|changelog|blog|recipe):(?P<name>[\w./-]*)(?P<rest>#[^()\s]*)?(?=[)\s])"
)
_VARIABLE = re.compile(r"<<(?:glossary:)?(?P<name>[\w .-]{1,60})>>")
_FOLDED = re.compile(r"^[ \t]*\[/?accordion\b[^\]\n]*\][ \t]*$", re.MULTILINE)


class ReadMeParser(MdxParser):
    """The `Parser` of documentation that was exported from ReadMe, or is synchronised with it."""

    def is_mdx(self, path: str, module: Module) -> bool:
        return False

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields, of which `excerpt` is the summary."""
        front_matter, body = super().front_matter(text, path, context)
        if excerpt := front_matter.text("excerpt"):
            front_matter = FrontMatter({"summary": excerpt, **front_matter.fields}, front_matter.warnings)
        return front_matter, body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        def link(match: re.Match[str]) -> str:
            file = note_of(match["name"], path, context.paths)
            target = posixpath.relpath(file, posixpath.dirname(path) or ".") if file else f"{match['name']}.md"
            return f"{match['before']}{target}{match['rest'] or ''}"

        def clean(part: str) -> str:
            part = _VARIABLE.sub(lambda match: match["name"], _FOLDED.sub("", part))
            return _LINK.sub(link, _CALLOUT.sub(_alert, part))

        text = "".join(part if is_code else clean(part) for part, is_code in split_code(resolve_blocks(text)))
        return super().prepare(text, path, front_matter, context)


def _alert(match: re.Match[str]) -> str:
    """The first line of a quote as GitHub's alerts have it."""
    kind = _KINDS.get(match["icon"][0], "info")
    before = match.string[max(0, match.start() - 1000) : match.start()].rstrip("\n").rpartition("\n")[2]
    if before.lstrip().startswith(">") and not match.string[: match.start()].endswith("\n\n"):
        return match[0]
    return f"{match['indent']}[!{kind}] {match['title'].strip() or label_of(kind)}"
