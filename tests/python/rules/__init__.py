"""When a difference between the two programs is one that is known. `differences.toml` says why each is wanted."""

from .connecting import *
from .context import Context, compare_answers
from .curating import *
from .dreaming import *
from .learning import *
