"""Checks access tokens offline (RFC 7519) with the environment's published keys (RFC 7517).

It needs PyJWT with cryptography: ``pip install 'pyjwt[crypto]'``.
"""

import asyncio
import base64
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Tuple, Type

import httpx

from ._call import base_url_of
from ._json import is_list, is_object, list_of, object_of, parse
from ._numbers import number_option

_missing = "svc_sdk.tokens needs PyJWT with cryptography. Run: pip install 'pyjwt[crypto]'"
try:
    import jwt
    from jwt.algorithms import has_crypto
except ImportError as error:
    raise ImportError(_missing) from error
if not has_crypto:
    raise ImportError(_missing)

__all__ = ["AccessTokenClaims", "AsyncTokenVerifier", "TokenRejected", "TokenVerifier"]

RejectionReason = Literal["malformed", "unknown_key", "wrong_signature", "wrong_issuer", "wrong_audience", "expired"]

#: The algorithms of the server's keys.
_ALGORITHMS = frozenset({"ES256", "RS256", "EdDSA"})

#: Keys are requested at most once in this time, because anyone can send a token with a made-up key, and the server may
#: not answer.
_UNKNOWN_KEY_SECONDS = 30.0

#: Keys are used this long if the server does not answer.
_MAX_AGE_SECONDS = 3600.0


class TokenRejected(Exception):
    """The access token is not valid: ``reason`` states why."""

    reason: RejectionReason

    def __init__(self, reason: RejectionReason) -> None:
        super().__init__(f"The access token is not valid: {reason}.")
        self.reason = reason

    def __reduce__(self) -> Tuple[Type["TokenRejected"], Tuple[RejectionReason]]:
        return type(self), (self.reason,)


@dataclass(frozen=True)
class AccessTokenClaims:
    """The claims of an access token; ``claims`` of the environment's settings add more, which are in ``all``."""

    #: The user's id.
    sub: str
    #: The issuer: the server's address.
    iss: str
    #: The environment's id.
    aud: str
    #: The session's id.
    sid: str
    iat: int
    exp: int
    #: When the person signed in, in seconds since 1970.
    auth_time: int
    #: How the person signed in.
    amr: List[str]
    mfa: bool
    org_id: Optional[str]
    org_role: Optional[str]
    #: The person who impersonates the user.
    act: Optional[Mapping[str, Any]]
    #: All claims, by name.
    all: Mapping[str, Any]


@dataclass(frozen=True)
class _Key:
    algorithm: str
    key: Any


class _Rules:
    """What both verifiers share: the parts of a check that need no network."""

    def __init__(
        self,
        environment_id: str,
        base_url: Optional[str],
        cache_seconds: float,
        tolerance: float,
        now: Callable[[], float],
        caller: str,
    ) -> None:
        number_option("cache_seconds", cache_seconds)
        number_option("tolerance", tolerance)
        self.environment_id = environment_id
        self.issuer = base_url_of(base_url, caller)
        self.url = f"{self.issuer}/auth/jwks/{environment_id}"
        self.cache_seconds = cache_seconds
        self.tolerance = tolerance
        self.now = now

    def key_id_of(self, access_token: str) -> Tuple[str, str]:
        """The id and the algorithm of the key that the token names."""
        # The decoder ignores other characters, such as a line break at the end (RFC 7515 section 7.1).
        if any(not (each.isalnum() or each in "-_.") for each in access_token):
            raise TokenRejected("malformed")
        parts = access_token.split(".")
        if len(parts) != 3 or not access_token.isascii():
            raise TokenRejected("malformed")
        header = _json_part(parts[0])
        key_id, algorithm = header.get("kid"), header.get("alg")
        if not isinstance(key_id, str) or header.get("typ") != "JWT":
            raise TokenRejected("malformed")
        return key_id, algorithm if isinstance(algorithm, str) else ""

    def check(self, access_token: str, algorithm: str, key: _Key) -> AccessTokenClaims:
        """The claims of a token that this key signed."""
        if algorithm != key.algorithm:
            raise TokenRejected("wrong_signature")
        try:
            payload: Any = jwt.PyJWS().decode(access_token, key.key, algorithms=[key.algorithm])
        except jwt.InvalidSignatureError:
            raise TokenRejected("wrong_signature") from None
        except jwt.PyJWTError:
            raise TokenRejected("malformed") from None
        claims = _claims_in(payload)
        if claims.get("iss") != self.issuer:
            raise TokenRejected("wrong_issuer")
        if claims.get("aud") != self.environment_id:
            raise TokenRejected("wrong_audience")
        expires = claims.get("exp")
        # Written so that NaN rejects the token.
        if not isinstance(expires, (int, float)) or not expires + self.tolerance > self.now():
            raise TokenRejected("expired")
        return _claims_of(claims)


class _Keys:
    """The keys that were fetched last, and when they were asked for last, also in vain."""

    def __init__(self) -> None:
        self.asked_at: Optional[float] = None
        self.fetched_at: Optional[float] = None
        self.by_id: Mapping[str, _Key] = {}
        self.failure: Optional[httpx.HTTPError] = None

    def may_be_used(self, now: float) -> bool:
        """Whether keys are known that are not too old."""
        return self.fetched_at is not None and now - self.fetched_at < _MAX_AGE_SECONDS

    def serves(self, key_id: str, now: float, cache_seconds: float) -> bool:
        """Whether a token with this key needs no request: the key is fresh, or was just asked for."""
        if self.fetched_at is None or not self.may_be_used(now):
            return False
        if now - self.fetched_at < cache_seconds and key_id in self.by_id:
            return True
        return self.asked_at is not None and now - self.asked_at < _UNKNOWN_KEY_SECONDS

    def is_settled(self, key_id: str, now: float, cache_seconds: float, since: float) -> bool:
        """Whether a request that another caller made since then serves this key too.

        :raises httpx.HTTPError: if it failed, and no keys are known
        """
        if self.failure is not None and self.asked_at is not None and self.asked_at >= since:
            self.fail(self.failure, now)
        return self.serves(key_id, now, cache_seconds)

    def fail(self, failure: httpx.HTTPError, now: float) -> None:
        self.failure = failure
        if not self.may_be_used(now):
            raise failure

    def keep(self, found: Mapping[str, _Key], now: float) -> None:
        self.fetched_at = now
        self.by_id = found
        self.failure = None


class TokenVerifier:
    """Checks access tokens: ``TokenVerifier(environment_id).verify(access_token).sub``.

    Make one and share it between threads: it fetches the keys once in five minutes, and again for a new key.
    """

    def __init__(
        self,
        environment_id: str,
        *,
        base_url: Optional[str] = None,
        http_client: Optional[httpx.Client] = None,
        cache_seconds: float = 300,
        tolerance: float = 5,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Makes a verifier.

        :param base_url: the server's address, which is the tokens' issuer; by default, that of the server that this
            package was installed from
        :param http_client: your own ``httpx.Client``, for proxies or certificates
        :param cache_seconds: how long fetched keys are used
        :param tolerance: how long after their end tokens are accepted, in seconds, because clocks differ
        :param now: seconds since 1970, for tests
        """
        self._rules = _Rules(environment_id, base_url, cache_seconds, tolerance, now, "TokenVerifier()")
        self._client = http_client
        self._lock = threading.Lock()
        self._keys = _Keys()

    def verify(self, access_token: str) -> AccessTokenClaims:
        """The claims of a valid access token.

        :raises TokenRejected: if the token is not valid; ``reason`` states why
        :raises httpx.HTTPError: if the keys cannot be fetched, and none are known that are younger than an hour
        """
        key_id, algorithm = self._rules.key_id_of(access_token)
        if not self._keys.serves(key_id, self._rules.now(), self._rules.cache_seconds):
            self._refresh(key_id)
        key = self._keys.by_id.get(key_id)
        if key is None:
            raise TokenRejected("unknown_key")
        return self._rules.check(access_token, algorithm, key)

    def _refresh(self, key_id: str) -> None:
        """Fetches the keys, unless another thread has done so meanwhile. Keys that are known stay if that fails."""
        since = self._rules.now()
        with self._lock:
            now = self._rules.now()
            if self._keys.is_settled(key_id, now, self._rules.cache_seconds, since):
                return
            self._keys.asked_at = now
            try:
                self._keys.keep(_keys_in(self._fetch()), now)
            except httpx.HTTPError as failure:
                self._keys.fail(failure, now)

    def _fetch(self) -> httpx.Response:
        if self._client is not None:
            return self._client.get(self._rules.url)
        return httpx.get(self._rules.url)


class AsyncTokenVerifier:
    """Like :class:`TokenVerifier`, for asyncio: ``(await verifier.verify(access_token)).sub``."""

    def __init__(
        self,
        environment_id: str,
        *,
        base_url: Optional[str] = None,
        http_client: Optional[httpx.AsyncClient] = None,
        cache_seconds: float = 300,
        tolerance: float = 5,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Makes a verifier; the parameters are those of :class:`TokenVerifier`."""
        self._rules = _Rules(environment_id, base_url, cache_seconds, tolerance, now, "AsyncTokenVerifier()")
        self._client = http_client
        # Made at the first call: in Python 3.9, a lock belongs to the event loop that runs when it is made.
        self._lock: Optional[asyncio.Lock] = None
        self._keys = _Keys()

    async def verify(self, access_token: str) -> AccessTokenClaims:
        """The claims of a valid access token.

        :raises TokenRejected: if the token is not valid; ``reason`` states why
        :raises httpx.HTTPError: if the keys cannot be fetched, and none are known that are younger than an hour
        """
        key_id, algorithm = self._rules.key_id_of(access_token)
        if not self._keys.serves(key_id, self._rules.now(), self._rules.cache_seconds):
            await self._refresh(key_id)
        key = self._keys.by_id.get(key_id)
        if key is None:
            raise TokenRejected("unknown_key")
        return self._rules.check(access_token, algorithm, key)

    async def _refresh(self, key_id: str) -> None:
        """Like that of :class:`TokenVerifier`, for tasks."""
        since = self._rules.now()
        if self._lock is None:
            self._lock = asyncio.Lock()
        async with self._lock:
            now = self._rules.now()
            if self._keys.is_settled(key_id, now, self._rules.cache_seconds, since):
                return
            self._keys.asked_at = now
            try:
                self._keys.keep(_keys_in(await self._fetch()), now)
            except httpx.HTTPError as failure:
                self._keys.fail(failure, now)

    async def _fetch(self) -> httpx.Response:
        if self._client is not None:
            return await self._client.get(self._rules.url)
        async with httpx.AsyncClient() as client:
            return await client.get(self._rules.url)


def _keys_in(response: httpx.Response) -> Dict[str, _Key]:
    """The keys of a JSON Web Key Set. Keys of other kinds, which newer servers may add, are left out."""
    response.raise_for_status()
    found = object_of(parse(response.content)).get("keys")
    if not is_list(found):
        raise httpx.DecodingError(f"{response.url} holds no keys.", request=response.request)
    # Older versions of PyJWT have no type for it.
    make_key: Any = jwt.PyJWK
    keys: Dict[str, _Key] = {}
    for each in list_of(found):
        fields = object_of(each)
        key_id, algorithm = fields.get("kid"), fields.get("alg")
        if not isinstance(key_id, str) or algorithm not in _ALGORITHMS:
            continue
        try:
            keys[key_id] = _Key(algorithm, make_key(fields, algorithm=algorithm).key)
        except (jwt.PyJWTError, ValueError):
            continue
    return keys


def _json_part(part: str) -> Dict[str, Any]:
    try:
        return _claims_in(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError:
        raise TokenRejected("malformed") from None


def _claims_in(payload: bytes) -> Dict[str, Any]:
    parsed = parse(payload)
    if not is_object(parsed):
        raise TokenRejected("malformed")
    return object_of(parsed)


def _claims_of(claims: Dict[str, Any]) -> AccessTokenClaims:
    """The server signs no other form."""
    return AccessTokenClaims(
        sub=claims.get("sub", ""),
        iss=claims.get("iss", ""),
        aud=claims.get("aud", ""),
        sid=claims.get("sid", ""),
        iat=claims.get("iat", 0),
        exp=claims.get("exp", 0),
        auth_time=claims.get("auth_time", 0),
        amr=claims.get("amr", []),
        mfa=claims.get("mfa", False),
        org_id=claims.get("org_id"),
        org_role=claims.get("org_role"),
        act=claims.get("act"),
        all=claims,
    )
