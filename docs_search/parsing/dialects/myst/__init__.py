"""MyST, the Markdown of Sphinx and Jupyter Book."""
