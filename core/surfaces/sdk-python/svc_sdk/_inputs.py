"""Inputs: arguments in snake_case become the JSON of the interface."""

import json
from enum import Enum
from functools import lru_cache
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union, cast, get_args, get_origin, get_type_hints

from ._names import wire_name
from ._records import Record


class NotGiven(Enum):
    """The type of an argument that was left out. It differs from None, which is sent as null."""

    NOT_GIVEN = "NOT_GIVEN"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven.NOT_GIVEN


def without_omitted(fields: Mapping[str, object]) -> Dict[str, object]:
    """The fields that the caller gave."""
    return {name: value for name, value in fields.items() if value is not NOT_GIVEN}


def encode(value: object, hint: object) -> object:
    """The value with the interface's names in all objects whose fields the interface names.

    Keys that the caller chooses, as in ``variables``, stay as they are; so do unknown ones, which the server refuses by
    name. :param hint: the argument's type
    """
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Mapping):
        return _encode_object(cast(Mapping[str, object], value), hint)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        items = cast(Sequence[object], value)
        item = next((get_args(each)[0] for each in _options(hint) if _is_list(each)), Any)
        return [encode(each, item) for each in items]
    return value


def _encode_object(value: Mapping[str, object], hint: object) -> Dict[str, object]:
    for option in _options(hint):
        if _is_typed_dict(option):
            fields = _fields_of(cast(type, option))
            return {
                wire_name(name) if name in fields else name: encode(each, fields.get(name, Any))
                for name, each in value.items()
            }
    values = next((get_args(each)[1] for each in _options(hint) if _is_map(each)), Any)
    return {name: encode(each, values) for name, each in value.items()}


def json_text(fields: Mapping[str, object]) -> bytes:
    """The JSON of an input.

    :raises TypeError: if a value has no form in JSON; the message names its type
    :raises ValueError: for NaN and infinity, which JSON does not have
    """
    return json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_jsonable).encode()


def _jsonable(value: object) -> object:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Mapping):
        return dict(cast(Mapping[object, object], value))
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return list(cast(Sequence[object], value))
    hint = " Pass text, such as value.isoformat()." if hasattr(value, "isoformat") else ""
    raise TypeError(f"A value of type {type(value).__name__} has no form in JSON.{hint}")


def _options(hint: object) -> Tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Union else (hint,)


def _is_typed_dict(hint: object) -> bool:
    return isinstance(hint, type) and hasattr(hint, "__total__")


def _is_list(hint: object) -> bool:
    origin: Optional[Any] = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Sequence)


def _is_map(hint: object) -> bool:
    origin: Optional[Any] = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)


@lru_cache(maxsize=None)
def _fields_of(kind: type) -> Dict[str, Any]:
    return get_type_hints(kind)
