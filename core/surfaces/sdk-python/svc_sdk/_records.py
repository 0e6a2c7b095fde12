"""Replies as objects: attributes in snake_case over the JSON as it was received."""

import copy
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Generic,
    List,
    Literal,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ._json import is_list, is_object, list_of, object_of
from ._names import wire_name

RecordType = TypeVar("RecordType", bound="Record")


@dataclass(frozen=True)
class Envelope(Generic[RecordType]):
    """A result with the facts of its call."""

    result: RecordType
    #: Id of the audit record that the call wrote; empty for reads.
    activity_id: str
    request_id: str
    #: Whether the response is the stored one of an earlier call with the same idempotency key.
    replayed: bool


class Record:
    """An object of a reply.

    Its fields are attributes in snake_case: ``message.message_id``. An optional field that is absent is None. Fields
    that this version does not know are kept: ``record["newField"]`` reads one, ``to_dict()`` has all.
    """

    __slots__ = ("_raw", "_read", "_facts")
    _raw: Mapping[str, Any]
    _read: Dict[str, Any]
    _facts: Optional[Tuple[str, str, bool]]

    def __init__(self, raw: Mapping[str, Any]) -> None:
        """Takes the JSON object with the interface's names, for example in a test of your program."""
        object.__setattr__(self, "_raw", raw)
        object.__setattr__(self, "_read", {})
        object.__setattr__(self, "_facts", None)

    def to_dict(self) -> Dict[str, Any]:
        """The JSON object as it was received, with the interface's names."""
        return copy.deepcopy(dict(self._raw))

    def __getitem__(self, field: str) -> Any:
        """A field by the interface's name, as it was received: ``record["messageId"]``."""
        return self._raw[field]

    #: Not a sequence, although it has __getitem__.
    __iter__ = None

    def __contains__(self, field: object) -> bool:
        """Whether the server sent this field, by the interface's name."""
        return field in self._raw

    # Hidden from type checkers: to them, a misspelled attribute is an error.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            if name in self._read:
                return self._read[name]
            hint = hints_of(type(self)).get(name)
            wire = wire_name(name)
            if wire in self._raw:
                value = decode(self._raw[wire], Any if hint is None else hint)
            elif hint is not None and type(None) in get_args(hint):
                value = None
            else:
                sent = ", ".join(attributes_of(self)) or "none"
                raise AttributeError(f"{type(self).__name__} has no field {name}. The server sent: {sent}.")
            self._read[name] = value
            return value

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"{type(self).__name__} is a reply and cannot be changed.")

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *hints_of(type(self))})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(other) is type(self) and other._raw == self._raw

    def __hash__(self) -> int:
        raise TypeError(f"{type(self).__name__} holds lists and maps, so it cannot be hashed.")

    def __reduce__(self) -> Tuple[Type["Record"], Tuple[Mapping[str, Any]]]:
        return type(self), (self._raw,)

    def __repr__(self) -> str:
        fields = [f"{name}={value!r}" for name, value in attributes_of(self).items()]
        return f"{type(self).__name__}({', '.join(fields)})"


def attributes_of(record: Record) -> Dict[str, Any]:
    """The fields that the server sent, by their names in Python; unknown ones by the interface's names."""
    names = {wire_name(name): name for name in hints_of(type(record))}
    raw: Mapping[str, Any] = getattr(record, "_raw")
    return {
        names.get(field, field): getattr(record, names[field]) if field in names else value
        for field, value in raw.items()
    }


def envelope_of(result: RecordType) -> Envelope[RecordType]:
    """The envelope of a result that a call returned: its audit record, its request and whether it was replayed.

    :raises ValueError: if no call returned this object itself
    """
    facts: Optional[Tuple[str, str, bool]] = getattr(result, "_facts")
    if facts is None:
        raise ValueError("envelope_of() takes the object that a call returned, not a part of it.")
    activity_id, request_id, replayed = facts
    return Envelope(result, activity_id, request_id, replayed)


def result_of(raw: Mapping[str, Any], facts: Tuple[str, str, bool], kind: Type[RecordType]) -> RecordType:
    """The result of a call. ``facts`` are those of :class:`Envelope`, in its order."""
    record = kind(raw)
    object.__setattr__(record, "_facts", facts)
    return record


_hints: Dict[type, Mapping[str, Any]] = {}
_discriminators: Dict[type, List[Tuple[str, Tuple[Any, ...]]]] = {}


def hints_of(kind: type) -> Mapping[str, Any]:
    """The fields of a generated class, with their types."""
    known = _hints.get(kind)
    if known is None:
        known = {name: hint for name, hint in get_type_hints(kind).items() if not name.startswith("_")}
        _hints[kind] = known
    return known


def decode(value: Any, hint: Any) -> Any:
    """The value with its objects as records. Values that do not match the type are returned unchanged."""
    if is_object(value):
        return _decode_object(object_of(value), hint)
    if is_list(value):
        for option in _options(hint):
            if get_origin(option) is list:
                (item,) = get_args(option)
                return [decode(each, item) for each in list_of(value)]
    return value


def _decode_object(value: Mapping[str, Any], hint: Any) -> Any:
    options = _options(hint)
    records = [each for each in options if isinstance(each, type) and issubclass(each, Record)]
    if len(records) == 1:
        return records[0](value)
    if records:
        # None matches if, for example, a newer server sends an event that this version does not know.
        return next((each for each in records if _may_be(value, each)), Record)(value)
    for option in options:
        if get_origin(option) is dict:
            _, item = get_args(option)
            return {name: decode(each, item) for name, each in value.items()}
    return value


def _may_be(value: Mapping[str, Any], kind: Type[Record]) -> bool:
    return all(value.get(name) in allowed for name, allowed in _discriminators_of(kind))


def _discriminators_of(kind: Type[Record]) -> List[Tuple[str, Tuple[Any, ...]]]:
    """The fields that have one value only: they tell apart the members of a union."""
    known = _discriminators.get(kind)
    if known is None:
        hints = hints_of(kind).items()
        literals = [(wire_name(name), get_args(hint)) for name, hint in hints if get_origin(hint) is Literal]
        known = [(name, values) for name, values in literals if len(values) == 1]
        _discriminators[kind] = known
    return known


def _options(hint: Any) -> Tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Union else (hint,)
