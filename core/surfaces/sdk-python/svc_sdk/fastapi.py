"""The signed-in user of a request, and webhooks, in FastAPI."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Awaitable, Callable, List, Optional, Sequence, Union

import httpx

from ._requests import MAX_BYTES, Refusal, RequestFacts, Requirement, event_in, too_large
from .types import Event
from .webhooks import secret_of

try:
    from fastapi import FastAPI, HTTPException, Request
    from fastapi.openapi.models import HTTPBearer
    from fastapi.responses import JSONResponse
    from fastapi.security.base import SecurityBase
except ImportError as error:
    raise ImportError("svc_sdk.fastapi needs FastAPI. Run: pip install fastapi") from error

if TYPE_CHECKING:
    from ._user_check import AsyncUserCheck
    from .tokens import AccessTokenClaims

__all__ = ["OptionalUser", "RequiredUser", "SvcAuth", "SvcRefused", "add_refusal_handler", "receive_event"]


class SvcRefused(HTTPException):
    """A request that is not accepted. ``detail`` has the ``code``, ``message`` and ``fix``."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.status, detail=refusal.error, headers=dict(refusal.headers))


async def _answer(_request: Request, refused: Exception) -> JSONResponse:
    if not isinstance(refused, SvcRefused):
        raise refused
    return JSONResponse({"error": refused.detail}, status_code=refused.status_code, headers=refused.headers)


def add_refusal_handler(app: FastAPI) -> None:
    """Answers refused requests in the form of svc's errors: ``{"error": {"code", "message", "fix"}}``.

    Without it, FastAPI answers them in its own form, with the same fields below ``detail``.
    """
    app.add_exception_handler(SvcRefused, _answer)


class _User(SecurityBase):
    """A dependency that FastAPI shows as a security scheme in the OpenAPI document."""

    def __init__(self, check: "AsyncUserCheck") -> None:
        self.model = HTTPBearer(bearerFormat="JWT", description="The access token of a user who has signed in with svc.")
        self.scheme_name = "svc"
        self._check = check


class RequiredUser(_User):
    """A dependency: the user of a request. Raises :class:`SvcRefused` if the user is not admitted."""

    def __init__(self, check: "AsyncUserCheck", requirement: Requirement) -> None:
        super().__init__(check)
        self._requirement = requirement

    async def __call__(self, request: Request) -> "AccessTokenClaims":
        user = await self._check.decide(_facts_of(request), self._requirement)
        if isinstance(user, Refusal):
            raise SvcRefused(user)
        return user


class OptionalUser(_User):
    """A dependency: the user of a request; None without a valid access token."""

    async def __call__(self, request: Request) -> "Optional[AccessTokenClaims]":
        user = await self._check.find(_facts_of(request))
        if isinstance(user, Refusal):
            raise SvcRefused(user)
        return user


class SvcAuth:
    """``auth = SvcAuth(environment_id)``, once for the whole app; then ``user: AccessTokenClaims = Depends(auth.required)``.

    It needs PyJWT with cryptography, as ``svc_sdk.tokens`` does.
    """

    #: The user of a request. Answers 401 without a valid access token, and 503 if the keys cannot be fetched.
    required: RequiredUser
    #: The user of a request; None without a valid access token.
    optional: OptionalUser

    def __init__(
        self,
        environment_id: str,
        *,
        base_url: Optional[str] = None,
        cookie: Optional[str] = None,
        http_client: Optional[httpx.AsyncClient] = None,
        cache_seconds: float = 300,
        tolerance: float = 5,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Makes the dependencies. The other parameters are those of :class:`svc_sdk.tokens.AsyncTokenVerifier`.

        :param environment_id: the environment of your users
        :param base_url: the server's address, which is the tokens' issuer; by default, that of the server that this
            package was installed from
        :param cookie: a cookie with the access token, for requests without the header Authorization. It must be HttpOnly
            and SameSite. Requests that change something are then accepted only from the app's own origin. By default, no
            cookie is read
        :raises TypeError: without an environment
        """
        if not environment_id:
            raise TypeError(
                "SvcAuth() needs environment_id, the id of the environment of your users: set SVC_ENVIRONMENT_ID."
            )
        # Here, because receive_event works without PyJWT.
        from ._user_check import AsyncUserCheck
        from .tokens import AsyncTokenVerifier

        verifier = AsyncTokenVerifier(
            environment_id,
            base_url=base_url,
            http_client=http_client,
            cache_seconds=cache_seconds,
            tolerance=tolerance,
            now=now,
        )
        self._check = AsyncUserCheck(verifier, cookie)
        self.required = RequiredUser(self._check, Requirement())
        self.optional = OptionalUser(self._check)

    def role(self, *roles: str) -> RequiredUser:
        """The user, who has one of these roles in the active organization; answers others with 403."""
        return self.require(roles=roles)

    def require(
        self, *, organization: Union[bool, str] = False, roles: Optional[Sequence[str]] = None, mfa: bool = False
    ) -> RequiredUser:
        """The user, who meets all of these requirements; answers others with 403.

        :param organization: True for any active organization; a text is the id of the only one that is accepted
        :param roles: one of these roles in the active organization
        :param mfa: a sign-in with a second factor
        """
        return RequiredUser(self._check, Requirement(organization, roles, mfa))


def receive_event(
    secret: Optional[str], *, max_bytes: int = MAX_BYTES, tolerance: float = 300
) -> Callable[[Request], Awaitable[Event]]:
    """A dependency: the event of a webhook delivery. ``event: Event = Depends(receive_event(secret))``

    It answers 400 to a wrong signature, and 413 to a body that is too large. Deliveries may repeat: recognize repeats by
    ``event.id``. If the route raises, svc delivers the event again.

    :param secret: the endpoint's signing secret exactly as it was issued
    :param max_bytes: larger bodies are refused
    :param tolerance: the largest difference between the signature's time and now, in seconds
    :raises TypeError: without a secret
    """
    checked = secret_of(secret)

    async def received(request: Request) -> Event:
        body = await _body_of(request, max_bytes)
        event = event_in(body, request.headers.get("svc-signature"), checked, tolerance)
        if isinstance(event, Refusal):
            raise SvcRefused(event)
        return event

    return received


def _facts_of(request: Request) -> RequestFacts:
    return RequestFacts(request.method, request.headers.get)


async def _body_of(request: Request, max_bytes: int) -> bytes:
    chunks: List[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > max_bytes:
            refusal = too_large(max_bytes)
            # The rest is not read: the connection ends with the answer.
            raise SvcRefused(replace(refusal, headers={**refusal.headers, "Connection": "close"}))
        chunks.append(chunk)
    return b"".join(chunks)
