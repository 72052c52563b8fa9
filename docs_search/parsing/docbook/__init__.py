"""DocBook manuals in HTML."""
