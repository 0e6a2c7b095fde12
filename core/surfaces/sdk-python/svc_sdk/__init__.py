"""The Python client of an svc server: every operation typed, retries, paging, webhooks and access tokens.

``Svc`` blocks, ``AsyncSvc`` is for asyncio. Webhooks are in ``svc_sdk.webhooks``, access tokens in ``svc_sdk.tokens``,
the types of replies and inputs in ``svc_sdk.types``.
"""

from typing import TYPE_CHECKING

from ._client import Svc
from ._errors import SvcError
from ._inputs import NOT_GIVEN, NotGiven
from ._operations_gen import VERSION as __version__
from ._records import Envelope, Record, envelope_of

if TYPE_CHECKING:
    from ._async_client import AsyncSvc

__all__ = [
    "NOT_GIVEN",
    "AsyncSvc",
    "Envelope",
    "NotGiven",
    "Record",
    "Svc",
    "SvcError",
    "__version__",
    "envelope_of",
]


def __getattr__(name: str) -> object:
    """Loads the client for asyncio when it is first used: most programs need one client."""
    if name != "AsyncSvc":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ._async_client import AsyncSvc

    return AsyncSvc
