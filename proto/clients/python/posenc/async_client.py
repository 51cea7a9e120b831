# SPDX-License-Identifier: Apache-2.0
"""A service for programs of asyncio: every encoding is a coroutine. Requests are sent by httpx where that
package is installed, else by threads."""

from __future__ import annotations

import asyncio
import os
import ssl
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from . import calls, retry, streams
from .async_encodings import AsyncEncodings
from .batch import Request, Result
from .calls import Config
from .client import Client
from .errors import ServiceError
from .messages import Answer, Call, Sent
from .tags import Tags
from .tensors import Tensors
from .transport import Settings

try:
    import httpx
except ImportError:
    httpx = None  # type: ignore[assignment]

R = TypeVar("R")
T = TypeVar("T", bound=Tensors)


class _Httpx:
    """The connections of one event loop."""

    def __init__(self, settings: Settings) -> None:
        at, self._settings = settings.address(), settings
        self.service = at.geturl()
        self._tags = Tags(settings.cache)
        unix = at.scheme == "unix"
        self._prefix = "http://localhost" if unix else self.service.rstrip("/")
        verify: Union[ssl.SSLContext, bool] = settings.tls if settings.tls is not None else True
        self._client = httpx.AsyncClient(
            headers=settings.headers(), timeout=settings.timeout, trust_env=False, verify=verify,
            transport=httpx.AsyncHTTPTransport(uds=at.path) if unix else None)

    async def close(self) -> None:
        await self._client.aclose()

    async def _once(self, sent: Sent, condition: Mapping[str, str]) -> Answer:
        body = None if sent.body is None else b"".join(sent.body)
        headers = {**sent.headers, **condition}
        async with self._client.stream(sent.method, self._prefix + sent.target, content=body,
                                       headers=headers) as response:
            content, at = bytearray(int(response.headers.get("content-length", 0))), 0
            async for piece in response.aiter_raw():
                content[at:at + len(piece)] = piece
                at += len(piece)
            return Answer(response.status_code, dict(response.headers.items()), content)

    async def _attempts(self, sent: Sent, condition: Mapping[str, str]) -> Answer:
        tried = 0
        while True:
            last = tried >= self._settings.retries
            headers: Mapping[str, str] = {}
            try:
                answer = await asyncio.wait_for(self._once(sent, condition), self._settings.timeout)
                if last or answer.status not in retry.STATUSES:
                    return answer
                headers = answer.headers
            except (httpx.HTTPError, OSError, asyncio.TimeoutError) as why:
                again = isinstance(why, (httpx.NetworkError, httpx.RemoteProtocolError))
                if last or not again or retry.lasts(why):
                    raise ServiceError("%s does not answer: %s" % (
                        self.service, str(why) or "timed out")) from why
            await asyncio.sleep(retry.wait(tried, headers))
            tried += 1

    async def ask(self, sent: Sent) -> Answer:
        """As `Transport.ask`."""
        condition = self._tags.condition(sent)
        answer = self._tags.settle(sent, await self._attempts(sent, condition), condition)
        if answer.status == 304 and condition:
            return await self.ask(sent)
        return answer.checked(self.service)


class AsyncClient(AsyncEncodings):
    """A posencd, as `posenc.Client` has it, with coroutines for functions. Tasks may share a client, and
    event loops of other threads too: each loop has connections of its own. `await client.close()`, or `async
    with`, ends those of its loop."""

    def __init__(self, url: Optional[str] = None, *, key: Optional[str] = None, timeout: float = 60.0,
                 retries: int = 3, tls: Optional[ssl.SSLContext] = None, cache: int = 0) -> None:
        self.__setstate__(Client(url, key=key, timeout=timeout, retries=retries, tls=tls, cache=cache))

    def __getstate__(self) -> Client:
        return self._client

    def __setstate__(self, client: Client) -> None:
        self._client, self._lock = client, threading.Lock()
        self._of_loops: Dict[asyncio.AbstractEventLoop, _Httpx] = {}

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        self._client.close()
        with self._lock:
            ours = self._of_loops.pop(asyncio.get_running_loop(), None)
        if ours is not None:
            await ours.close()

    def _connections(self) -> _Httpx:
        """Those of this loop."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in self._of_loops:
                for other in [one for one in self._of_loops if one.is_closed()]:
                    del self._of_loops[other]
                self._of_loops[loop] = _Httpx(self._client._settings)
            return self._of_loops[loop]

    async def _run(self, call: Call[R]) -> R:
        if httpx is None:
            return await asyncio.get_running_loop().run_in_executor(None, self._client._run, call)
        return call.read(await self._connections().ask(call.sent))

    async def _call(self, encoding: str, kinds: Mapping[str, str], given: Mapping[str, Any],
                    answer: Type[T]) -> T:
        return await self._run(calls.encoding(encoding, given, answer))

    async def picture(self, encoding: str, **parameters: Any) -> bytes:
        """As `Client.picture`."""
        found = await self._run(calls.drawn(encoding, "png", parameters))
        return bytes(found)

    async def figure(self, encoding: str, **parameters: Any) -> str:
        """As `Client.figure`."""
        return (await self._run(calls.drawn(encoding, "svg", parameters))).decode()

    async def stream(self, encoding: str, into: Union[streams.Arrays, streams.File],
                     **parameters: Any) -> Union[Tensors, int]:
        """As `Client.stream`, in a thread."""
        def read() -> Union[Tensors, int]:
            return self._client.stream(encoding, into, **parameters)
        return await asyncio.get_running_loop().run_in_executor(None, read)

    async def batch(self, requests: Sequence[Request]) -> List[Result]:
        """As `Client.batch`."""
        return [one for call in calls.batches(requests) for one in await self._run(call)]

    async def models(self) -> List[Dict[str, Any]]:
        """As `Client.models`."""
        return await self._run(calls.models())

    async def model(self, name: str) -> Dict[str, Any]:
        """As `Client.model`."""
        return await self._run(calls.model(name))

    async def resolve(self, config: Union["os.PathLike[str]", Mapping[str, Any]]) -> Dict[str, Any]:
        """As `Client.resolve`."""
        return await self._run(calls.resolve(config))

    async def tables(self, config: Config, **parameters: Any) -> Tuple[Tensors, ...]:
        """As `Client.tables`, all at once."""
        resolved = calls.configured(config)
        if resolved is None:
            return await self._run(calls.tables_of(str(config), parameters))
        model = await self._run(resolved)
        found = calls.tables(model, parameters)
        return tuple(await asyncio.gather(*(self._run(call) for call in found)))

    async def verify(self, tensors: Mapping[str, Any], **claim: Any) -> Dict[str, Any]:
        """As `Client.verify`."""
        return await self._run(calls.verify(tensors, claim))

    async def encodings(self) -> List[Dict[str, Any]]:
        """As `Client.encodings`."""
        return await self._run(calls.encodings())

    async def version(self) -> Dict[str, Any]:
        """As `Client.version`."""
        return await self._run(calls.version())
