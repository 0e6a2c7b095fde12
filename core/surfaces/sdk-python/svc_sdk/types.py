"""The types of replies and inputs, and the names of errors and events."""

from ._types_gen import *
from ._types_gen import __all__ as __all__
