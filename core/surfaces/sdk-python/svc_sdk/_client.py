"""The client that blocks."""

import time
from random import random as random_float
from types import TracebackType
from typing import Any, Callable, Mapping, Optional, Type

import httpx

from ._call import Caller, Options, Settings, base_url_of
from ._records import Record
from ._sync_gen import Operations


class Svc(Operations):
    """The client. Each operation is a method named like the operation: ``svc.email.broadcast.pause(...)``.

    It is safe to share between threads. Close it, or use it in a ``with`` statement, when it is no longer needed.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        environment_id: Optional[str] = None,
        max_retries: int = 2,
        timeout: float = 30.0,
        max_wait: float = 60.0,
        http_client: Optional[httpx.Client] = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random_float,
    ) -> None:
        """Makes a client. It connects at the first call.

        :param api_key: a secret key on servers, a publishable key in apps; without one, only public operations work
        :param base_url: the server's address; by default, that of the server that this package was installed from
        :param environment_id: the environment that a dashboard session acts in; API keys have their own
        :param max_retries: the largest number of retries after temporary errors
        :param timeout: seconds for one attempt: for connecting, for sending and for each part of the response
        :param max_wait: the longest wait before a retry, in seconds; if the server asks for more, the call fails at
            once, with ``retry_after``
        :param http_client: your own ``httpx.Client``, for proxies or certificates; it is not closed
        :param sleep: replaces ``time.sleep``, for tests
        :param random: replaces ``random.random``, for tests
        :raises ValueError: without ``base_url``, if the package has no address
        """
        settings = Settings(
            base_url_of(base_url, "Svc()"), api_key, environment_id, max_retries, timeout, max_wait, random
        )
        super().__init__(Caller(settings, http_client, sleep))

    def call(
        self,
        operation: str,
        input: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        environment_id: Optional[str] = None,
        max_age: Optional[int] = None,
    ) -> Record:
        """Calls an operation by its name, also one that only newer servers have.

        ``input`` is sent as it is, with the interface's names: ``svc.call("email.send", {"replyTo": ...})``.
        """
        options = Options(idempotency_key, timeout, environment_id, max_age)
        return self._caller.run(operation, input or {}, Record, options)

    def close(self) -> None:
        """Closes the connections."""
        self._caller.close()

    def __enter__(self) -> "Svc":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()
