"""The client for asyncio."""

import asyncio
from random import random as random_float
from types import TracebackType
from typing import Any, Awaitable, Callable, Mapping, Optional, Type

import httpx

from ._async_gen import AsyncOperations
from ._call import AsyncCaller, Options, Settings, base_url_of
from ._records import Record


class AsyncSvc(AsyncOperations):
    """The client for asyncio. Each operation is a coroutine: ``await svc.email.broadcast.pause(...)``.

    Close it, or use it in an ``async with`` statement, when it is no longer needed.
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
        http_client: Optional[httpx.AsyncClient] = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        random: Callable[[], float] = random_float,
    ) -> None:
        """Makes a client; the parameters are those of :class:`Svc`."""
        settings = Settings(
            base_url_of(base_url, "AsyncSvc()"), api_key, environment_id, max_retries, timeout, max_wait, random
        )
        super().__init__(AsyncCaller(settings, http_client, sleep))

    async def call(
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

        ``input`` is sent as it is, with the interface's names: ``await svc.call("email.send", {"replyTo": ...})``.
        """
        options = Options(idempotency_key, timeout, environment_id, max_age)
        return await self._caller.run(operation, input or {}, Record, options)

    async def close(self) -> None:
        """Closes the connections."""
        await self._caller.close()

    async def __aenter__(self) -> "AsyncSvc":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()
