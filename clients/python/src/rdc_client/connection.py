"""The connection to a service: the key, the retries and the errors."""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from rdc_client.errors import raise_for_error
from rdc_client.retries import RetryPolicy, RetryTransport

_TIMEOUT = httpx.Timeout(100, connect=10)
"""Longer than the 60 seconds for which an answer about an import can wait."""


def connect(
    url: str, key: str | None, policy: RetryPolicy | None = None, transport: httpx.BaseTransport | None = None
) -> httpx.Client:
    """Returns an HTTP client that sends the key, repeats requests and raises `ApiError`."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError(f"{url!r} is not the address of a service: it must begin with http:// or https://.")
    return httpx.Client(
        base_url=url,
        headers={} if key is None else {"X-API-Key": key},
        timeout=_TIMEOUT,
        transport=RetryTransport(transport or _transport_to(url), policy or RetryPolicy()),
        event_hooks={"response": [raise_for_error]},
    )


def _transport_to(url: str) -> httpx.HTTPTransport:
    """Returns a transport with the proxy of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`)."""
    parts = urlsplit(url)
    bypassed = proxy_bypass(parts.hostname or "")
    return httpx.HTTPTransport(proxy=None if bypassed else getproxies().get(parts.scheme))
