"""Names of HTML elements, to tell a tag from a placeholder such as `<schema>` that people write in running text."""

_NAMES = """
a abbr address article aside audio b blockquote body br button caption center cite code col colgroup dd del details dfn
div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input
ins kbd label legend li link main mark meta nav object ol optgroup option p param path picture pre q s samp script
section select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
title tr track tt u ul var video wbr
"""

HTML_ELEMENTS = frozenset(_NAMES.split())
