"""Reads JSON values of unknown form."""

import json
from typing import Any, Dict, List, Union, cast


def is_object(value: object) -> bool:
    """Whether the value is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> bool:
    """Whether the value is a JSON array."""
    return isinstance(value, list)


def object_of(value: object) -> Dict[str, Any]:
    """The object; empty if the value is none."""
    return cast(Dict[str, Any], value) if isinstance(value, dict) else {}


def list_of(value: object) -> List[Any]:
    """The list; empty if the value is none."""
    return cast(List[object], value) if isinstance(value, list) else []


def text_of(value: object) -> str:
    """The text; empty if the value is none."""
    return value if isinstance(value, str) else ""


def parse(text: Union[str, bytes]) -> object:
    """The JSON value; None if the text is not JSON."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
