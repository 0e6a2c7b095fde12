"""What the modules of the frameworks read of requests and answer to them, and the receiver of webhooks."""

from dataclasses import dataclass, field
from typing import Callable, Dict, Mapping, Optional, Sequence, Union

from .types import Event
from .webhooks import WebhookRejected, construct_event


@dataclass(frozen=True)
class Requirement:
    """What a user needs beside an access token. The claims state it as of the last refresh or switch."""

    #: An active organization; a text is the id of the only one that is accepted.
    organization: Union[bool, str] = False
    #: One of these roles in the active organization.
    roles: Optional[Sequence[str]] = None
    #: A sign-in with a second factor.
    mfa: bool = False

    def __post_init__(self) -> None:
        # Each letter of a text would count as a role.
        if isinstance(self.roles, str):
            raise TypeError(f"roles is a list: pass [{self.roles!r}].")


@dataclass(frozen=True)
class RequestFacts:
    """The part of a request that is read."""

    method: str
    #: The value of a header, by its name in lower case.
    header: Callable[[str], Optional[str]]


@dataclass(frozen=True)
class Refusal:
    """The response to a request that is not accepted, in the form of svc's errors."""

    status: int
    code: str
    message: str
    fix: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def error(self) -> Dict[str, str]:
        return {"code": self.code, "message": self.message, "fix": self.fix}


#: Larger bodies of deliveries are refused.
MAX_BYTES = 1_048_576


def no_store() -> Dict[str, str]:
    return {"Cache-Control": "no-store"}


def too_large(max_bytes: int) -> Refusal:
    """The response to a body of more bytes, whose rest is not read."""
    return Refusal(
        413,
        "body_too_large",
        f"The body is larger than {max_bytes} bytes.",
        f"Send at most {max_bytes} bytes.",
        no_store(),
    )


def event_in(body: bytes, signature: Optional[str], secret: str, tolerance: float) -> Union[Event, Refusal]:
    """The event of a delivery, if its signature is valid."""
    try:
        return construct_event(body, signature, secret, tolerance=tolerance)
    except WebhookRejected as rejected:
        return Refusal(
            400,
            "webhook_rejected",
            str(rejected),
            "Give the receiver the signing secret of this endpoint, and nothing in front of it that changes the body.",
            no_store(),
        )
