"""Settings of Sphinx for the documentation site; ``python -m website.build`` puts the sources together."""

import warnings

from portrayal import __version__

# The table of contents asks every object in memory what it is, and one of torch's answers that it is deprecated.
warnings.filterwarnings("ignore", message="`torch.distributed.reduce_op` is deprecated", category=FutureWarning)

project = "Portrayal"
author = "the Portrayal maintainers"
release = version = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_external_toc",
]
root_doc = "index"
source_suffix = {".md": "markdown"}
external_toc_path = "toc.yml"
myst_heading_anchors = 4
exclude_patterns = ["toc.yml"]
suppress_warnings = ["misc.highlighting_failure"]  # blocks of CSV are shown as they are
autodoc_member_order = "bysource"
autodoc_typehints = "description"
copybutton_prompt_text = "$ "

html_theme = "furo"
html_title = "Portrayal"
html_show_sourcelink = False
html_copy_source = False
html_static_path: list[str] = []
html_extra_path = ["samples"]  # whole reports, which Sphinx copies as they are
