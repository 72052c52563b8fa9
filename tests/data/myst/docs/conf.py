project = "Kettle"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "substitution", "deflist"]
myst_substitutions = {
    "product": "Kettle",
}
