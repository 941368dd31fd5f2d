"""The errors of both services as exceptions."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import httpx

from rdc_client.catalog_api.models.error_more_code import ErrorMoreCode
from rdc_client.retries import seconds_of

ErrorCode: TypeAlias = ErrorMoreCode
"""A code of `docs/errors.md`. The meaning of a code never changes."""


class ApiError(Exception):
    """An error of a service. Decide by `code`; `description` is text for people."""

    def __init__(self, response: httpx.Response) -> None:
        envelope = _envelope_of(response)
        more = envelope.get("more", {})
        self.status: int = response.status_code
        self.code: ErrorCode | None = more.get("code")
        """The code. None if the response is not from a service, but for example from a proxy. A newer service can have
        further codes."""
        self.description: str = envelope.get("description", response.reason_phrase)
        self.request_id: str | None = more.get("request_id")
        """The id of the request in the log of the service."""
        self.more: Mapping[str, Any] = more
        """The details of the error, such as `fields` and `allowed`."""
        self.retry_after: float | None = seconds_of(response.headers.get("Retry-After"))
        """The seconds after which a repeated request can succeed. None if the service states no time."""
        request = response.request
        super().__init__(f"{request.method} {request.url.path}: {self.status} {self.code or ''} {self.description}")


class InvalidRequestError(ApiError):
    """The request is not valid: 400, 405, 413, 415, 431. `more["fields"]` names the fields."""


class RefusedError(ApiError):
    """The caller may not use the operation: 403."""


class NotFoundError(ApiError):
    """The record does not exist, or the caller may not read it: 404."""


class ConflictError(ApiError):
    """The operation conflicts with the present state: 409."""


class PreconditionFailedError(ApiError):
    """The record was changed after it was read: 412."""


class UnavailableError(ApiError):
    """The service cannot answer now: 429, 503, 507. It was raised after the retries."""


_CLASSES: Mapping[int, type[ApiError]] = {
    400: InvalidRequestError,
    405: InvalidRequestError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    431: InvalidRequestError,
    403: RefusedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    429: UnavailableError,
    503: UnavailableError,
    507: UnavailableError,
}


def raise_for_error(response: httpx.Response) -> None:
    """Raises the exception of a response. A response without an error, such as 304, raises nothing."""
    if response.is_error:
        response.read()
        raise _CLASSES.get(response.status_code, ApiError)(response)


def _envelope_of(response: httpx.Response) -> Mapping[str, Any]:
    """Returns the body of an error; an empty one if the response is not from a service."""
    try:
        body = response.json()
    except ValueError:
        return {}
    is_envelope = isinstance(body, dict) and isinstance(body.get("more"), dict)
    return body if is_envelope else {}
