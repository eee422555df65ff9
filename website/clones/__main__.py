"""Writes every clone below the folder that is named: ``biasig/clone`` and so on."""

import sys
from pathlib import Path

from website.clones.all_clones import write_clones

write_clones(Path(sys.argv[1]))
