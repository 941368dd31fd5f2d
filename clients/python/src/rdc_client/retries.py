"""Retries of requests, bounded in number and time."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

_IDEMPOTENT = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}

_REPEATABLE_POSTS = ("/datasets/srcsys/import", "/submissions/srcsys/import")
"""The posts that can be repeated: a repeated request for an import returns the import."""

_UNAVAILABLE = {502, 503, 504}


@dataclass(frozen=True)
class RetryPolicy:
    """The bounds of the retries of one request."""

    attempts: int = 5
    """The maximum number of attempts, including the first."""
    longest_wait: float = 60
    """The maximum number of seconds between two attempts. A longer `Retry-After` ends the retries."""
    first_wait: float = 0.5
    """The seconds before the second attempt, if the response has no `Retry-After`. Later waits double."""


class RetryTransport(httpx.BaseTransport):
    """A transport that repeats requests: after `Retry-After`, and after broken connections if this is safe.

    Each wait has a random extra of up to a half, so that many clients do not return at the same time.
    """

    def __init__(
        self, transport: httpx.BaseTransport, policy: RetryPolicy, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._transport = transport
        self._policy = policy
        self._sleep = sleep

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        for attempt in range(1, self._policy.attempts):
            wait = self._policy.first_wait * 2 ** (attempt - 1)
            try:
                response = self._send(request)
                stated = seconds_of(response.headers.get("Retry-After"))
                if not _is_repeatable(request, response, stated):
                    return response
                wait = wait if stated is None else stated
                if wait > self._policy.longest_wait:
                    return response
            except httpx.TransportError as error:
                if not (_is_idempotent(request) or isinstance(error, httpx.ConnectError)):
                    raise
            self._sleep(min(wait, self._policy.longest_wait) * (1 + random.random() / 2))
        return self._send(request)

    def close(self) -> None:
        self._transport.close()

    def _send(self, request: httpx.Request) -> httpx.Response:
        """Sends a request. Reads the response, so that a connection that breaks meanwhile counts as broken."""
        response = self._transport.handle_request(request)
        if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
            response.request = request
            response.read()
        return response


def seconds_of(retry_after: str | None) -> float | None:
    """Returns the seconds that a header `Retry-After` states, as a number or as a date; None without a valid header."""
    if retry_after is None:
        return None
    if retry_after.isdigit():
        return float(retry_after)
    try:
        date = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())


def _is_repeatable(request: httpx.Request, response: httpx.Response, stated: float | None) -> bool:
    if not response.is_error:
        return False
    return stated is not None or (response.status_code in _UNAVAILABLE and _is_idempotent(request))


def _is_idempotent(request: httpx.Request) -> bool:
    return request.method in _IDEMPOTENT or request.url.path.endswith(_REPEATABLE_POSTS)
