"""The directives of docutils, of Sphinx and of its usual extensions, each with what becomes of it."""

from docutils import nodes
from docutils.parsers.rst.states import SubstitutionDef

from docs_search.parsing.rst import admonitions, code, containers, inclusion, objects, snooty, tables
from docs_search.parsing.rst.directive_block import DirectiveBlock

_DROPPED = (
    "acks bibliography changelog_imports codeauthor contents cssclass date default-domain disqus footer footer_topic "
    "header iframe index local-contents moduleauthor raw restructuredtext-test-directive sectionauthor "
    "section-numbering sectnum tabularcolumns target-notes testcleanup testsetup title todo todolist video "
    "vimeo youtube nosearch facet sharedinclude"
)
_CONTENT = (
    "class compound container grid grid-item hlist ifconfig only rst-class tab-set tab-set-code card-carousel div "
    "procedure introduction composable-tutorial selected-content io-code-block card-group"
)
_TITLED = (
    "step centered collapse details dropdown grid-item-card group-tab panel rubric sidebar tab tab-item toggle topic"
)
_CODE = "code code-block sourcecode code-cell"
_AUTOMATIC = ("auto", "doxygen", "click", "argparse", "typer", "jinja")


def _metadata(block: DirectiveBlock) -> list[nodes.Node]:
    """What a page says about itself to search engines; a name may be followed by attributes."""
    for name, value in block.options.items():
        block.document.metadata.setdefault(name.split(maxsplit=1)[0], " ".join(value.split()))
    return []


def _role(block: DirectiveBlock) -> list[nodes.Node]:
    """A role of the document: `name(base)`."""
    name, _, base = block.argument.strip().partition("(")
    if name:
        block.document.custom_roles[name.strip().lower()] = base.rstrip(") ").strip().lower() or "inline"
    return []


def _default_role(block: DirectiveBlock) -> list[nodes.Node]:
    block.document.default_role = block.argument.strip().lower()
    return []


def _program(block: DirectiveBlock) -> list[nodes.Node]:
    block.document.program = block.argument.strip()
    return []


def _module(block: DirectiveBlock) -> list[nodes.Node]:
    module = block.argument.strip()
    block.document.module = "" if module == "None" else module
    return []


def _toctree(block: DirectiveBlock) -> list[nodes.Node]:
    """Navigation; where it leads is noted."""
    for line in block.content:
        entry = line.strip()
        block.document.toctree.append(entry.rpartition("<")[2].removesuffix(">") if entry.endswith(">") else entry)
    return []


_HANDLERS: dict[str, objects.Handler] = {
    **dict.fromkeys(_DROPPED.split(), containers.dropped),
    **dict.fromkeys(_CONTENT.split(), containers.content),
    **dict.fromkeys(_TITLED.split(), containers.titled),
    **dict.fromkeys(_CODE.split(), code.code),
    **dict.fromkeys(code.LANGUAGES, code.code_of_directive),
    **dict.fromkeys(admonitions.LABELS, admonitions.admonition),
    **dict.fromkeys(admonitions.CHANGES, admonitions.change),
    **dict.fromkeys(tables.TABLES, tables.table),
    **dict.fromkeys(tables.SUBSTITUTIONS, tables.substitution),
    "admonition": admonitions.titled_admonition,
    "card": snooty.card,
    "code-tab": code.code_tab,
    "currentmodule": _module,
    "default-role": _default_role,
    "epigraph": containers.quotation,
    "highlights": containers.quotation,
    "pull-quote": containers.quotation,
    "figure": containers.figure,
    "glossary": containers.glossary,
    "highlight": code.highlight,
    "image": containers.image,
    "input": code.code_of_option,
    "output": code.code_of_option,
    **dict.fromkeys(("tabs", "tabs-drivers", "tabs-platforms", "tabs-top", "tabs-pillstrip"), snooty.tabs),
    "include": inclusion.include,
    "literalinclude": inclusion.literal_include,
    "math": code.math,
    "meta": _metadata,
    "module": _module,
    "parsed-literal": code.parsed_literal,
    "program": _program,
    "role": _role,
    "toctree": _toctree,
}


def run_directive(block: DirectiveBlock) -> list[nodes.Node]:
    """The nodes of a directive. Of an unknown one argument and content are kept, its options are not."""
    name = block.name
    if isinstance(block.state, SubstitutionDef) and name not in (*tables.SUBSTITUTIONS, "image"):
        return [nodes.Text("" if name in ("date", "raw") else block.argument)]
    described = objects.object_type(name, block.document)
    if described is not None and described.name in ("module", "currentmodule"):
        return _module(block)
    if described is not None:
        return objects.described(block, described)
    if handler := _HANDLERS.get(name):
        return handler(block)
    if name.endswith(("figure", "image")):  # such as `kernel-figure`
        return containers.figure(block)
    if name.startswith(_AUTOMATIC):
        return objects.automatic(block)
    return containers.unknown(block)
