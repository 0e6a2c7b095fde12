"""Makes calls: one sequence of attempts and waits, which the client runs with or without async."""

import secrets
import ssl
import time
from dataclasses import dataclass
from random import random as random_float
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    Generator,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    Union,
    cast,
)
from urllib.parse import quote

import httpx

from ._answer import read_answer
from ._errors import SvcError
from ._inputs import json_text, without_omitted
from ._json import list_of
from ._numbers import number_option
from ._operations_gen import RETRY_SAFE
from ._records import RecordType, decode, result_of
from ._retry import is_retryable, wait_before
from ._server_address import SERVER_ADDRESS


def base_url_of(given: Optional[str], caller: str) -> str:
    """The server's address without a slash at its end: the given one, or that of the server of this package.

    :raises ValueError: if neither exists
    """
    address = SERVER_ADDRESS if given is None else given
    if not address:
        raise ValueError(f"{caller} needs base_url. Pass the server’s address, such as 'https://svc.example.com'.")
    return address.rstrip("/")


def _checked_header(name: str, value: Optional[str]) -> Optional[str]:
    """A value that a header can carry. Errors do not repeat it, because it may be a secret.

    :raises ValueError: if it has other characters than visible ASCII, such as the newline at the end of a file
    """
    if value is not None and not all("!" <= character <= "~" for character in value):
        raise ValueError(f"{name} must be visible ASCII without spaces or line breaks. Remove what surrounds it.")
    return value


@dataclass(frozen=True)
class Options:
    """Options of one call. None is the client's.

    ``max_age`` is how old the answer of a read may be, in seconds. The reference names the reads that it applies to; if
    the server has replicas, they answer them, and less load is on its primary.
    """

    idempotency_key: Optional[str] = None
    timeout: Optional[float] = None
    environment_id: Optional[str] = None
    max_age: Optional[int] = None


@dataclass(frozen=True)
class Settings:
    """Settings of a client; see its constructor."""

    base_url: str
    api_key: Optional[str]
    environment_id: Optional[str]
    max_retries: int
    timeout: float
    max_wait: float
    random: Callable[[], float] = random_float

    def __post_init__(self) -> None:
        number_option("max_retries", self.max_retries)
        number_option("timeout", self.timeout)
        number_option("max_wait", self.max_wait)
        _checked_header("api_key", self.api_key)
        _checked_header("environment_id", self.environment_id)


@dataclass(frozen=True)
class Attempt:
    """One request of a call."""

    operation: str
    url: str
    headers: Dict[str, str]
    body: bytes
    timeout: float


@dataclass(frozen=True)
class Wait:
    """A wait before the next attempt, in seconds."""

    seconds: float


#: Status, headers and body; or why there is no response.
Outcome = Union[Tuple[int, Mapping[str, str], bytes], Exception]
Answer = Tuple[Dict[str, Any], Tuple[str, str, bool]]
Steps = Generator[Union[Attempt, Wait], Optional[Outcome], Answer]


def steps_of(settings: Settings, operation: str, fields: Mapping[str, object], options: Options) -> Steps:
    """The attempts and waits of a call.

    Operations that are not retry-safe, or that this version does not know, get an Idempotency-Key, the same for all
    attempts of a call (docs/interface.md, Calls 4): a call whose response was lost does not run twice.

    :raises SvcError: if the last attempt failed
    :raises ValueError: if a header cannot carry the idempotency key or the environment's id
    """
    key = options.idempotency_key
    if key is None and operation not in RETRY_SAFE:
        key = secrets.token_hex(16)
    _checked_header("idempotency_key", key)
    environment_id = settings.environment_id if options.environment_id is None else options.environment_id
    _checked_header("environment_id", environment_id)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if settings.api_key:
        headers["Authorization"] = f"Bearer {settings.api_key}"
    if key is not None:
        headers["Idempotency-Key"] = key
    if environment_id is not None:
        headers["Svc-Environment"] = environment_id
    if options.timeout is not None:
        number_option("timeout", options.timeout)
    if options.max_age is not None:
        number_option("max_age", options.max_age)
        headers["Svc-Max-Age"] = str(int(options.max_age))
    attempt = Attempt(
        operation=operation,
        url="/".join([settings.base_url, *(quote(part, safe="") for part in operation.split("."))]),
        headers=headers,
        body=json_text(without_omitted(fields)),
        timeout=settings.timeout if options.timeout is None else options.timeout,
    )
    failures = 0
    while True:
        outcome = yield attempt
        try:
            if isinstance(outcome, Exception):
                raise _no_response(attempt, key, outcome) from outcome
            status, received, body = cast(Tuple[int, Mapping[str, str], bytes], outcome)
            return read_answer(operation, key, status, received, body)
        except SvcError as error:
            failures += 1
            if failures > settings.max_retries or not is_retryable(error):
                raise
            wait = wait_before(error, failures, settings.random)
            if wait > settings.max_wait:
                raise
        yield Wait(wait)


def _is_plain_http(error: Optional[BaseException]) -> bool:
    """Whether the server answered https with plain http, whose first bytes OpenSSL interprets as TLS."""
    while error is not None:
        if isinstance(error, ssl.SSLError) and error.reason in ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG"):
            return True
        if "WRONG_VERSION_NUMBER" in str(error) or "PACKET_LENGTH_TOO_LONG" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _no_response(attempt: Attempt, key: Optional[str], cause: Exception) -> SvcError:
    timed_out = isinstance(cause, (httpx.TimeoutException, TimeoutError))
    plain = _is_plain_http(cause)
    reason = "the server does not speak TLS at that port" if plain else (str(cause) or type(cause).__name__).rstrip(".")
    if not attempt.url.lower().startswith(("http://", "https://")):
        fix = "Pass a base_url that begins with https:// or http://, such as https://svc.example.com."
    elif plain:
        fix = (
            "Let base_url begin with http:// where the server is reached directly, or name the address of the proxy "
            "that ends TLS."
        )
    else:
        again = "" if key is None else " with the idempotency_key of this error, so that the call does not run twice"
        fix = f"Check that the server at base_url is running and reachable, then call again{again}."
    return SvcError(
        f"{attempt.operation} got no response within {attempt.timeout:g} s."
        if timed_out
        else f"{attempt.operation} got no response: {reason}.",
        code="timed_out" if timed_out else "connection_failed",
        fix=fix,
        operation=attempt.operation,
        idempotency_key=key,
    )


def _next_page(fields: Mapping[str, object], result: Mapping[str, Any]) -> Optional[Mapping[str, object]]:
    before = result.get("nextBefore")
    return {**fields, "before": before} if isinstance(before, str) else None


#: Failures of a connection, of TLS, of a proxy, of the time limit, or of a base_url that is no address.
_NO_RESPONSE = (httpx.HTTPError, httpx.InvalidURL, OSError)


class Caller:
    """Runs calls, and waits, on the caller's thread."""

    def __init__(self, settings: Settings, client: Optional[httpx.Client], sleep: Callable[[float], None]) -> None:
        self._settings = settings
        self._client = httpx.Client() if client is None else client
        self._owns_client = client is None
        self._sleep = sleep

    def run(
        self, operation: str, fields: Mapping[str, object], kind: Type[RecordType], options: Options = Options()
    ) -> RecordType:
        """The result of a call, as a record of this class."""
        raw, facts = self._answer(operation, fields, options)
        return result_of(raw, facts, kind)

    def iterate(
        self, operation: str, fields: Mapping[str, object], field: str, item: Any, options: Options
    ) -> Iterator[Any]:
        """All items of a list, newest first. Pages are fetched as the loop reaches them (docs/interface.md, Calls 6)."""
        page: Optional[Mapping[str, object]] = without_omitted(fields)
        while page is not None:
            raw, _ = self._answer(operation, page, options)
            for each in list_of(raw.get(field)):
                yield decode(each, item)
            page = _next_page(page, raw)

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def _answer(self, operation: str, fields: Mapping[str, object], options: Options) -> Answer:
        steps = steps_of(self._settings, operation, fields, options)
        outcome: Optional[Outcome] = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return cast(Answer, end.value)
            if isinstance(step, Wait):
                self._sleep(step.seconds)
                outcome = None
            else:
                outcome = self._send(step)

    def _send(self, attempt: Attempt) -> Outcome:
        deadline = time.monotonic() + attempt.timeout
        try:
            with self._client.stream(
                "POST", attempt.url, content=attempt.body, headers=attempt.headers, timeout=attempt.timeout
            ) as response:
                chunks: List[bytes] = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > deadline:
                        return TimeoutError()
                return response.status_code, response.headers, b"".join(chunks)
        except _NO_RESPONSE as error:
            return error


class AsyncCaller:
    """Like :class:`Caller`, for asyncio."""

    def __init__(
        self, settings: Settings, client: Optional[httpx.AsyncClient], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._settings = settings
        self._client = httpx.AsyncClient() if client is None else client
        self._owns_client = client is None
        self._sleep = sleep

    async def run(
        self, operation: str, fields: Mapping[str, object], kind: Type[RecordType], options: Options = Options()
    ) -> RecordType:
        """The result of a call, as a record of this class."""
        raw, facts = await self._answer(operation, fields, options)
        return result_of(raw, facts, kind)

    async def iterate(
        self, operation: str, fields: Mapping[str, object], field: str, item: Any, options: Options
    ) -> AsyncIterator[Any]:
        """All items of a list, newest first. Pages are fetched as the loop reaches them (docs/interface.md, Calls 6)."""
        page: Optional[Mapping[str, object]] = without_omitted(fields)
        while page is not None:
            raw, _ = await self._answer(operation, page, options)
            for each in list_of(raw.get(field)):
                yield decode(each, item)
            page = _next_page(page, raw)

    async def close(self) -> None:
        if self._owns_client:
            await self._client.aclose()

    async def _answer(self, operation: str, fields: Mapping[str, object], options: Options) -> Answer:
        steps = steps_of(self._settings, operation, fields, options)
        outcome: Optional[Outcome] = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return cast(Answer, end.value)
            if isinstance(step, Wait):
                await self._sleep(step.seconds)
                outcome = None
            else:
                outcome = await self._send(step)

    async def _send(self, attempt: Attempt) -> Outcome:
        deadline = time.monotonic() + attempt.timeout
        try:
            async with self._client.stream(
                "POST", attempt.url, content=attempt.body, headers=attempt.headers, timeout=attempt.timeout
            ) as response:
                chunks: List[bytes] = []
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > deadline:
                        return TimeoutError()
                return response.status_code, response.headers, b"".join(chunks)
        except _NO_RESPONSE as error:
            return error
