"""Finds out who sends a request. The modules of the frameworks only read requests and write responses."""

import logging
import re
from typing import Dict, Optional, Union

import httpx

from ._requests import Refusal, RequestFacts, Requirement, no_store
from .tokens import AccessTokenClaims, AsyncTokenVerifier, TokenRejected, TokenVerifier

_log = logging.getLogger("svc_sdk")

#: Why a token is not accepted: it is not valid, or the keys cannot be fetched and none are known.
_CHECK_ERRORS = (TokenRejected, httpx.HTTPError)


class UserCheck:
    """Finds the user of a request, on the caller's thread."""

    def __init__(self, verifier: TokenVerifier, cookie: Optional[str]) -> None:
        self._verifier = verifier
        self._cookie = cookie

    def decide(self, request: RequestFacts, requirement: Requirement) -> Union[AccessTokenClaims, Refusal]:
        """The user of a request, or the response to a request that is not accepted.

        :raises RuntimeError: if tokens name another issuer than base_url, or the server has no such environment
        """
        token = _token_in(request, self._cookie)
        if isinstance(token, Refusal):
            return token
        try:
            user = self._verifier.verify(token)
        except _CHECK_ERRORS as error:
            return _refusal_of(error)
        return _lack_of(user, requirement) or user

    def find(self, request: RequestFacts) -> Union[AccessTokenClaims, Refusal, None]:
        """Like :meth:`decide`; None without a valid access token. Only a token that cannot be checked is refused."""
        return _optional(self.decide(request, Requirement()))


class AsyncUserCheck:
    """Like :class:`UserCheck`, for asyncio."""

    def __init__(self, verifier: AsyncTokenVerifier, cookie: Optional[str]) -> None:
        self._verifier = verifier
        self._cookie = cookie

    async def decide(self, request: RequestFacts, requirement: Requirement) -> Union[AccessTokenClaims, Refusal]:
        """Like that of :class:`UserCheck`."""
        token = _token_in(request, self._cookie)
        if isinstance(token, Refusal):
            return token
        try:
            user = await self._verifier.verify(token)
        except _CHECK_ERRORS as error:
            return _refusal_of(error)
        return _lack_of(user, requirement) or user

    async def find(self, request: RequestFacts) -> Union[AccessTokenClaims, Refusal, None]:
        """Like that of :class:`UserCheck`."""
        return _optional(await self.decide(request, Requirement()))


def _optional(decision: Union[AccessTokenClaims, Refusal]) -> Union[AccessTokenClaims, Refusal, None]:
    return None if isinstance(decision, Refusal) and decision.status < 500 else decision


def _token_in(request: RequestFacts, cookie: Optional[str]) -> Union[str, Refusal]:
    """The access token of a request: in the header Authorization (RFC 6750), or else in this cookie."""
    bearer = re.fullmatch(r"Bearer +(\S+)", request.header("authorization") or "", re.IGNORECASE)
    if bearer is not None:
        return bearer.group(1)
    token = None if cookie is None else _cookie_in(request.header("cookie") or "", cookie)
    if token is None:
        # Without an error: the request shows no credentials (RFC 6750 section 3.1).
        return Refusal(
            401,
            "unauthenticated",
            "The request has no access token.",
            "Sign in, and send the header “Authorization: Bearer <access token>”.",
            _challenge(),
        )
    if request.method not in ("GET", "HEAD", "OPTIONS") and not _is_own_origin(request):
        # Without a challenge: credentials would not help a request of another site.
        return Refusal(
            403,
            "origin_not_allowed",
            "Another site sent the request.",
            "Send it from a page of this site, or with the access token in the header Authorization.",
            no_store(),
        )
    return token


def _lack_of(user: AccessTokenClaims, requirement: Requirement) -> Optional[Refusal]:
    """Why a signed-in user is not admitted; None if they are."""
    organization, roles = requirement.organization, requirement.roles
    switch = "Switch to it with auth.org.switch, and send the access token that this returns."
    needs_organization = organization is not False or roles is not None
    if needs_organization and user.org_id is None:
        return _insufficient("forbidden", "This needs an active organization.", switch, "Switch to an organization first.")
    if isinstance(organization, str) and user.org_id != organization:
        return _insufficient("forbidden", "This needs another organization.", switch, "Switch to the organization first.")
    if roles is not None and user.org_role not in roles:
        return _insufficient(
            "org_role_required",
            f"Your role in the organization does not allow this. It requires {' or '.join(roles)}.",
            "Ask a member with this role to do it. After a change of role, refresh the session.",
            "The user has none of the required roles.",
        )
    if requirement.mfa and not user.mfa:
        return Refusal(
            403,
            "mfa_required",
            "This needs a session that passed a second factor.",
            "Set up a second factor if there is none, sign in with it, and send the new access token.",
            # RFC 9470 section 3.
            _challenge("insufficient_user_authentication", "Sign in with a second factor first."),
        )
    return None


def _refusal_of(error: Exception) -> Refusal:
    """The response to a token that was rejected, or that cannot be checked.

    :raises RuntimeError: if tokens name another issuer than base_url, or the server has no such environment: nobody would
        ever be signed in
    """
    if isinstance(error, httpx.HTTPStatusError) and error.response.status_code == 404:
        raise RuntimeError(
            f"{error.request.url} answered 404: set SVC_ENVIRONMENT_ID to the id of an environment of this server."
        ) from error
    if not isinstance(error, TokenRejected):
        _log.error("The signing keys of access tokens cannot be fetched: %s", str(error) or type(error).__name__)
        return Refusal(
            503,
            "unavailable",
            "The access token cannot be checked at the moment.",
            "Repeat the request in a few seconds.",
            {**no_store(), "Retry-After": "5"},
        )
    # The signature is right, so the token is genuine.
    if error.reason == "wrong_issuer":
        raise RuntimeError(
            "base_url must be the server’s SVC_BASE_URL, which access tokens name as their issuer."
        ) from error
    return Refusal(
        401,
        "token_invalid",
        str(error),
        "Refresh the session or sign in again, and send the new access token.",
        _challenge("invalid_token", str(error)),
    )


def _insufficient(code: str, message: str, fix: str, description: str) -> Refusal:
    return Refusal(403, code, message, fix, _challenge("insufficient_scope", description))


def _challenge(error: Optional[str] = None, description: str = "") -> Dict[str, str]:
    shown = "" if error is None else f' error="{error}", error_description="{description}"'
    return {**no_store(), "WWW-Authenticate": f"Bearer{shown}"}


def _cookie_in(header: str, name: str) -> Optional[str]:
    for each in header.split(";"):
        key, separator, value = each.strip().partition("=")
        if separator and key == name:
            return value
    return None


def _is_own_origin(request: RequestFacts) -> bool:
    """Browsers send cookies with requests that other sites cause. Other clients send neither header."""
    site = request.header("sec-fetch-site")
    if site:
        return site in ("same-origin", "none")
    origin = request.header("origin")
    return not origin or re.sub(r"^https?://", "", origin) == request.header("host")
