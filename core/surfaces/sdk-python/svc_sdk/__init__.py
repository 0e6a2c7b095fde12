"""The Python client of an svc server: every operation typed, retries, paging, webhooks and access tokens.

``Svc`` blocks, ``AsyncSvc`` is for asyncio. Webhooks are in ``svc_sdk.webhooks``, access tokens in ``svc_sdk.tokens``,
the types of replies and inputs in ``svc_sdk.types``.
"""

from ._client import AsyncSvc, Svc
from ._errors import SvcError
from ._inputs import NOT_GIVEN, NotGiven
from ._operations_gen import VERSION as __version__
from ._records import Envelope, Record, envelope_of

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
