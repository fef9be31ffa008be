"""Until its importers say `parity`: the module's former name."""

from robot_memory.memory.entities.parity import PaperGallery as PaperGallery
from robot_memory.memory.entities.parity import PaperRule as PaperRule
