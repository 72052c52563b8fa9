"""What tells the dialects of Markdown apart, as a table: a mark, where it is looked for, what it speaks for."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.text.decoding import decode

MAX_BYTES = 64_000  # of a document that is looked into
RARE = 0.03  # the share of documents up to which a mark may be an accident


class Where(Enum):
    """Which part of a document a mark is looked for in."""

    TEXT = auto()  # outside code
    ANYWHERE = auto()  # constructs that stand in code as well, or begin it
    FRONT_MATTER = auto()


@dataclass(frozen=True, slots=True)
class Mark:
    """A construct with the points that it gives a dialect if every document has it."""

    label: str
    pattern: re.Pattern[str]
    points: Mapping[str, float]
    where: Where = Where.TEXT


def _mark(label: str, pattern: str, where: Where = Where.TEXT, **points: float) -> Mark:
    return Mark(label, re.compile(pattern, re.MULTILINE), points, where)


# Marks that more than one generator knows give the most to the one that uses it most. What only one knows has 4 points,
# what one product alone writes 20.
MARKS = (
    _mark(
        "Metabase's own includes",
        r"\{%-? *include +plans-blockquote\.html|\{%-? *include_file +[\"']\{\{ *dirname",
        Where.ANYWHERE,
        metabase=20,
    ),
    _mark("imports from versionContent/_partials", r"^import .{1,80} from ['\"]versionContent/", tiger=20),
    _mark("<Highlight> and <Procedure> components", r"^[ \t]*<(?:Highlight type=|Procedure\b)", tiger=8),
    _mark("Hugo's shortcodes", r"\{\{[<%]", hugo=4),
    _mark("Liquid tags ({% … %})", r"\{%-? *\w", jekyll=3),
    _mark("kramdown attributes ({: …})", r"^[ \t]*\{:[ \t]*(?:[.#]|toc)", jekyll=1.5, mkdocs=1),
    _mark("!!! admonitions", r"^[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[a-z\"]", mkdocs=4),
    _mark("/// blocks", r"^[ \t]*/{3,}[ \t]+[a-z]", mkdocs=4),
    _mark("=== tabs", r"^[ \t]*===[!+]?[ \t]+\"", mkdocs=4),
    _mark("--8<-- snippets", r"^[ \t]*(?:-+8<-+|;-+8<-+)", Where.ANYWHERE, mkdocs=4),
    _mark("objects of mkdocstrings", r"^:::[ \t]+\w+(?:\.\w+)+[ \t]*$", mkdocs=4),
    _mark("attributes in braces ({ .class })", r"\{ *[.#][\w-]+(?: [^{}\n]{0,80})?\}[ \t]*$", mkdocs=0.5),
    _mark("MyST directives", r"^[ \t]*(?:`{3,}|:{3,}|~{3,})\{(?!(?:r|python|julia|bash|sql|ojs)[ }])[\w:-]+\}",
          Where.ANYWHERE, myst=4),
    _mark("MyST roles", r"\{(?:doc|ref|term|numref|eq|class|func|meth|mod|attr|any|file|kbd|abbr|math|cite|download"
          r"|guilabel|command|envvar|option|[a-z]+:[a-z]+(?:-[a-z]+)*)\}`", myst=3),
    _mark("MyST targets ((name)=)", r"^\([\w:. -]{1,80}\)=[ \t]*$", myst=3),
    _mark("imports of Docusaurus", r"^import .{1,80}['\"]@(?:theme|site|docusaurus)/", docusaurus=4),
    _mark("MDX imports and exports", r"^(?:import\s.{1,120}['\"];?[ \t]*$|export (?:const|default|function)\b)",
          mdx=2, docusaurus=1.8),
    _mark("JSX components", r"^[ \t]*</?[A-Z][\w.]*(?=[\s/>])", mdx=2, docusaurus=1.8, vitepress=1),
    _mark("JSX comments", r"\{/\*", mdx=2, docusaurus=1.8),
    _mark(":::note containers", r"^[ \t>]*:{3,}[a-z]", docusaurus=2, vitepress=1.2, mdx=0.8),
    _mark("::: tip containers",
          r"^[ \t>]*:{3,} +(?:tip|info|note|warning|danger|caution|important|details|raw|v-pre)\b",
          vitepress=2, docusaurus=1.2),
    _mark("code groups, snippets and scripts of VitePress",
          r"^[ \t>]*:{3,} *code-group|^<<< ?[@.\w]|^<script setup|^<!-- ?@include:|^\[\[ ?toc ?\]\]", vitepress=4),
    _mark("fences of Microsoft Learn (:::image …:::)",
          r"^[ \t>]*::: ?(?:(?:image|code|moniker|zone|column)(?= [a-z-]+=|:::)|row:::)", learn=5),
    _mark("includes, videos and code of Microsoft Learn",
          r"\[!(?:INCLUDE|VIDEO|div|UICONTROL|code(?:-[\w+#-]+)?) ?[\[ ]", learn=5),
    _mark("tabs and references of DocFX", r"\]\(#tabs?/|[<(]xref:", learn=4),
    _mark("front matter of Microsoft Learn", r"^ms\.(?:date|topic|author|service|prod|custom):", Where.FRONT_MATTER,
          learn=2),
    _mark("cells of code (```{r …})", r"^[ \t]*(?:`{3,}|~{3,}) *\{(?:r|python|julia|ojs)\b[^\n]*\}", Where.ANYWHERE,
          quarto=4),
    _mark("divs of Pandoc (::: {.class})", r"^[ \t]*:{3,} *\{[ \t]*[.#][\w-]|^:{3,} *callout-", quarto=4),
    _mark("spans of Pandoc ([text]{.class})", r"(?<![\]!\w])\[[^\[\]\n]+\]\{[ \t]*[.#][\w-]", quarto=1),
    _mark("data and editions as GitHub's documentation has them ({% data … %}, {% ifversion … %})",
          r"\{%-? *(?:data +(?:variables|reusables)\.|ifversion +\w)", githubdocs=8),
    _mark("blocks of GitBook ({% hint %}, {% tabs %})",
          r"\{%-? *(?:hint +(?:style|['\"])|endhint|tabs *%|content-ref|stepper *%|swagger"
          r"|code +(?:title|overflow|lineNumbers))", gitbook=5),
    _mark("tips and included files of Docsify",
          r"^[ \t]*[?!]> +\S|[\"']:include\b|<!-- *tabs:start *-->|\{docsify-ignore", docsify=4),
    _mark("blocks of ReadMe ([block:callout])", r"^\[block:[a-z-]+\][ \t]*$|\]\((?:doc|ref):[\w-]+[)#]", readme=5),
    _mark("callouts of ReadMe (> 📘)", r"^> *(?:📘|🚧|👍|❗)", readme=1.5),
    _mark("links to notes ([[Page]])", r"(?<![\[\w])!?\[\[(?!_?TOC_?\]|_)[^\[\]\n]+\]\]", obsidian=2),
    _mark("directives of mdBook ({{#include …}})",
          r"^[ \t]*\{\{#(?:include|rustdoc_include|playground|playpen|title|tabs)\b|^[ \t]*(?:`{3,}|~{3,}) *admonish\b",
          Where.ANYWHERE, mdbook=4),
    _mark("front matter of Docusaurus", r"^(?:sidebar_position|sidebar_label|pagination_(?:next|prev)|hide_title):",
          Where.FRONT_MATTER, docusaurus=1.5),
    _mark("front matter of VitePress", r"^(?:layout: *(?:home|doc|page) *$|hero:|outline:)", Where.FRONT_MATTER,
          vitepress=0.6),
    _mark("front matter of Jekyll", r"^(?:layout: *\w+|redirect_from:|nav_order:|permalink:|has_children:)",
          Where.FRONT_MATTER, jekyll=0.5),
    _mark("front matter of Hugo", r"^(?:linkTitle:|weight: *\d+|draft:)", Where.FRONT_MATTER, hugo=0.5),
    _mark("front matter in TOML", r"\A\+\+\+[ \t]*$", Where.ANYWHERE, hugo=2),
    _mark("front matter of MyST", r"^(?:myst|jupytext|orphan|file_format):", Where.FRONT_MATTER, myst=1),
)  # fmt: skip

FILES = (
    _mark("page-index files", r"(?:^|/)page-index\.js$", tiger=20),
    _mark("_index.md files", r"(?:^|/)_index(?:\.\w+)?\.md$", hugo=2),
    _mark("_category_ files", r"(?:^|/)_category_\.(?:json|ya?ml)$", docusaurus=2),
    _mark("sidebars.js", r"(?:^|/)sidebars\.[jt]s$", docusaurus=1.5),
    _mark("the folders _layouts, _includes or _data", r"(?:^|/)_(?:layouts|includes|data|posts)/", jekyll=1),
    _mark(".mdx files", r"\.mdx$", mdx=1, docusaurus=0.9),
    _mark(".qmd and .Rmd files", r"\.(?:qmd|[Rr]md)$", quarto=4),
    _mark("the folder or the configuration of GitBook", r"(?:^|/)\.gitbook(?:\.ya?ml$|/)", gitbook=2),
    _mark("the folder of Obsidian", r"(?:^|/)\.obsidian/", obsidian=4),
    _mark("_sidebar.md and _coverpage.md", r"(?:^|/)_(?:sidebar|coverpage|navbar)\.md$", docsify=1),
    _mark("docset.yml", r"(?:^|/)_?docset\.yml$", myst=2),
    _mark("docfx.json", r"(?:^|/)docfx\.json$", learn=2),
    _mark("_meta files", r"(?:^|/)_meta\.(?:json|[jt]sx?)$", mdx=1.5),
)
"""Marks in the paths of a source. One file is enough for all of the points."""

_FRONT_MATTER = re.compile(r"\A\s*?---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Points by dialect, and in words what they were given for, by dialect."""

    points: dict[str, float]
    reasons: dict[str, list[str]]

    def add(self, points: Mapping[str, float], reason: str, *, share: float = 1.0) -> None:
        """Give each dialect its points times `share`, for a reason."""
        for dialect, number in points.items():
            self.points[dialect] = self.points.get(dialect, 0.0) + number * share
            self.reasons.setdefault(dialect, []).append(reason)


def add_file_marks(evidence: Evidence, paths: Sequence[str]) -> None:
    """The evidence in the names of a source's files."""
    for mark in FILES:
        if example := next(filter(mark.pattern.search, paths), None):
            evidence.add(mark.points, f"{mark.label}, such as {example}")


def add_content_marks(evidence: Evidence, sample: Sequence[str], read: Callable[[str], bytes | None]) -> None:
    """The evidence in the text of some documents. What occurs in next to none of them counts for nothing."""
    counts = [0] * len(MARKS)
    for path in sample:
        parts = _parts(decode((read(path) or b"")[:MAX_BYTES])[0])
        for number, mark in enumerate(MARKS):
            counts[number] += mark.pattern.search(parts[mark.where]) is not None
    for mark, count in zip(MARKS, counts, strict=True):
        if count and count >= RARE * len(sample):
            evidence.add(
                mark.points,
                f"{mark.label} in {count} of the {len(sample)} Markdown files looked into",
                share=count / len(sample),
            )


def _parts(text: str) -> dict[Where, str]:
    front_matter = match[0] if (match := _FRONT_MATTER.match(text)) else ""
    # A role stands before code, so it has to be seen where code begins.
    body = "".join("`…`" if is_code else piece for piece, is_code in split_code(text.removeprefix(front_matter)))
    return {Where.FRONT_MATTER: front_matter, Where.TEXT: body, Where.ANYWHERE: text}
