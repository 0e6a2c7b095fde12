"""Receives webhook deliveries (docs/interface.md, Events 2 and 3)."""

import hashlib
import hmac
import json
import math
import re
import time
from typing import Literal, Optional, Tuple, Type, Union, cast

from ._numbers import number_option
from ._records import decode
from .types import Event

__all__ = ["WebhookRejected", "construct_event", "verify_webhook"]

RejectionReason = Literal["malformed_header", "timestamp_out_of_tolerance", "signature_mismatch"]

_REASONS = {
    "malformed_header": "the header Svc-Signature is missing or malformed; pass it as the request has it",
    "timestamp_out_of_tolerance": "it was made too long ago, or this machine’s clock is wrong",
    "signature_mismatch": "the secret is not this endpoint’s, or the body was changed after it was received",
}


class WebhookRejected(Exception):
    """A delivery's signature is missing, malformed, too old or wrong."""

    reason: RejectionReason

    def __init__(self, reason: RejectionReason) -> None:
        super().__init__(f"The webhook signature is invalid: {_REASONS[reason]}.")
        self.reason = reason

    def __reduce__(self) -> Tuple[Type["WebhookRejected"], Tuple[RejectionReason]]:
        return type(self), (self.reason,)


#: Several v1 values are signatures with several secrets, such as the old and the new one; at most ten, so that a header
#: costs little.
_signature_header = re.compile(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,10})")


def _bytes_of(body: object) -> Optional[bytes]:
    if isinstance(body, str):
        return body.encode()
    return bytes(body) if isinstance(body, (bytes, bytearray)) else None


def secret_of(secret: object) -> str:
    """The signing secret.

    :raises TypeError: if it is missing
    """
    # Unset environment variables are None. With an empty secret, anyone could sign.
    if not isinstance(secret, str) or secret == "":
        raise TypeError(
            "The webhook signing secret is missing: pass the text that begins with svc_wh_. "
            "developers.webhook.create returned it once as `secret`; developers.webhook.secret.rotate makes a new one."
        )
    return secret


def verify_webhook(
    raw_body: Union[bytes, str],
    header: Optional[str],
    secret: Optional[str],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> int:
    """Checks a delivery's ``Svc-Signature``, in constant time. One of its v1 values must match.

    :param raw_body: the body exactly as it was received, before any parsing
    :param header: the header ``Svc-Signature``
    :param secret: the endpoint's signing secret exactly as it was issued, prefix included
    :param tolerance: the largest difference between the signature's time and now, in seconds
    :param now: seconds since 1970, for tests
    :returns: the seconds since 1970 at which it was signed
    :raises WebhookRejected: if the signature is missing, malformed, too old or wrong
    :raises TypeError: without a secret, and for a body that was parsed
    :raises ValueError: for a tolerance that is not a number
    """
    checked_secret = secret_of(secret)
    number_option("tolerance", tolerance)
    body = _bytes_of(raw_body)
    if body is None:
        raise TypeError(
            "The webhook’s body is parsed already: pass its bytes exactly as received. FastAPI gives them as "
            "`await request.body()`, Django as `request.body`, Flask as `request.get_data()`."
        )
    given_header: object = header
    found = _signature_header.fullmatch(given_header) if isinstance(given_header, str) else None
    if found is None:
        raise WebhookRejected("malformed_header")
    signed_at, signatures = found.groups()
    expected = hmac.new(checked_secret.encode(), f"{signed_at}.".encode() + body, hashlib.sha256).hexdigest()
    # All are compared: which of them matches does not show in the time.
    matches = [hmac.compare_digest(expected, each) for each in signatures.split(",v1=")[1:]]
    if not any(matches):
        raise WebhookRejected("signature_mismatch")
    difference = abs((time.time() if now is None else now) - int(signed_at))
    # Written so that a clock of NaN rejects everything.
    if math.isnan(difference) or not difference <= tolerance:
        raise WebhookRejected("timestamp_out_of_tolerance")
    return int(signed_at)


def construct_event(
    raw_body: Union[bytes, str],
    header: Optional[str],
    secret: Optional[str],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Event:
    """Verifies a delivery and returns its event.

    ``event.type`` narrows ``event.data``; keep a default branch, because newer servers may send events that this version
    does not know. Recognize repeats by ``event.id``. The parameters and errors are those of :func:`verify_webhook`.
    """
    verify_webhook(raw_body, header, secret, tolerance=tolerance, now=now)
    # The signature proves that the text is an event of svc.
    return cast(Event, decode(json.loads(raw_body), Event))
