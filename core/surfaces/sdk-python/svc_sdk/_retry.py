"""When and how long to wait before a retry (docs/interface.md, Errors 6), as in the TypeScript SDK."""

import math
import re
import time
from email.utils import parsedate_to_datetime
from typing import Callable, Optional

from ._errors import SvcError

#: Codes with a retryable status for which a retry fails too.
_PERMANENT_CODES = frozenset({"challenge_locked", "provider_not_configured"})

#: Statuses by which a gateway states that it got no answer from svc. The last six are Cloudflare's own.
_GATEWAY_STATUSES = frozenset({502, 504, 520, 521, 522, 523, 524, 530})

#: Seconds of the first wait of the exponential back-off, and of the longest.
_INITIAL_BACKOFF = 0.5
_MAX_BACKOFF = 8.0

_wait_in_fix = re.compile(r"\bwait (an?|[0-9]{1,9}) seconds?\b", re.IGNORECASE)


def is_retryable(error: SvcError) -> bool:
    """Whether a retry may succeed: after no response, 408, 429 or 503, or while the first call is still running.

    Those of a gateway are retried only if a gateway sent them: a 502 from svc itself means that a provider rejected
    the call.
    """
    if error.code in ("connection_failed", "timed_out", "idempotency_in_progress"):
        return True
    if error.code == "unexpected_answer" and error.status in _GATEWAY_STATUSES:
        return True
    return error.status in (408, 429, 503) and error.code not in _PERMANENT_CODES


def retry_after_of(header: Optional[str], fix: str) -> Optional[int]:
    """The wait that the response asks for, in seconds.

    It is in the header ``Retry-After`` (seconds or a date), else as “Wait 12 seconds” in ``fix``.
    """
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    if text:
        try:
            return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - time.time()))
        except (TypeError, ValueError, OverflowError):
            pass  # Neither seconds nor a date.
    found = _wait_in_fix.search(fix)
    if found is None:
        return None
    seconds = found.group(1)
    return int(seconds) if seconds[0].isdigit() else 1


def wait_before(error: SvcError, failures: int, random: Callable[[], float]) -> float:
    """Seconds before the next attempt.

    The wait that the response asks for, otherwise exponential back-off with random jitter (50 % to 100 % of the wait).
    ``failures`` is the number of failed attempts so far, at least 1.
    """
    if error.retry_after is not None:
        return float(error.retry_after)
    backoff = min(_MAX_BACKOFF, _INITIAL_BACKOFF * 2.0 ** (failures - 1))
    return backoff / 2 + backoff / 2 * random()
