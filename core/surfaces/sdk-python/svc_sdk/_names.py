"""Names of fields: ``message_id`` in Python is ``messageId`` in the interface."""

import re
from functools import lru_cache

from ._operations_gen import WIRE_NAMES

_word = re.compile(r"_([a-z0-9])")


@lru_cache(maxsize=None)
def wire_name(name: str) -> str:
    """The interface's name of a field: ``from_`` is ``from``, ``reply_to`` is ``replyTo``."""
    known = WIRE_NAMES.get(name)
    if known is not None:
        return known
    return _word.sub(lambda found: found.group(1).upper(), name.rstrip("_"))
