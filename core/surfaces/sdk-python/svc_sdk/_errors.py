"""The error that every failed call raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Tuple, Union

if TYPE_CHECKING:
    from .types import ErrorCode


class SvcError(Exception):
    """A call that failed, or that got no response."""

    #: Stable. Branch on the code, never on the message. Newer servers may send codes that this version does not know.
    code: Union[ErrorCode, str]
    #: The HTTP status; 0 without a response.
    status: int
    message: str
    #: The next step, in plain language.
    fix: str
    #: Identifies the call in the server's log; empty without a response.
    request_id: str
    #: The operation's name: ``email.send``.
    operation: str
    #: More data for programs, depending on the code; ``details["field"]`` names the field of an invalid input.
    details: Mapping[str, Any]
    #: Seconds to wait before a retry, if the response asks for a wait.
    retry_after: Optional[int]
    #: The idempotency key of the call, if it had one. Pass it to repeat a call whose response was lost, so that it
    #: runs only once.
    idempotency_key: Optional[str]

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        fix: str = "",
        request_id: str = "",
        operation: str = "",
        details: Optional[Mapping[str, Any]] = None,
        retry_after: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.fix = fix
        self.request_id = request_id
        self.operation = operation
        self.details = details or {}
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key

    def __reduce__(self) -> Tuple[Callable[[str, Dict[str, Any]], SvcError], Tuple[str, Dict[str, Any]]]:
        return _restored, (self.message, {name: value for name, value in vars(self).items() if name != "message"})

    def __str__(self) -> str:
        return f"{self.message} [{self.code}] {self.fix}".rstrip()


def _restored(message: str, fields: Dict[str, Any]) -> SvcError:
    return SvcError(message, **fields)
