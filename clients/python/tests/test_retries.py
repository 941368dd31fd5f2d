"""The retries, against a transport that answers from a list."""

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import pytest

from rdc_client.retries import RetryPolicy, RetryTransport, seconds_of

Answer = httpx.Response | httpx.TransportError


class Script:
    """A transport that gives the prepared answers and records the waits."""

    def __init__(self, *answers: Answer, policy: RetryPolicy | None = None) -> None:
        self.answers = list(answers)
        self.sent: list[str] = []
        self.waits: list[float] = []
        transport = RetryTransport(httpx.MockTransport(self._answer), policy or RetryPolicy(), self.waits.append)
        self.http = httpx.Client(base_url="http://service", transport=transport)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(f"{request.method} {request.url.path}")
        answer = self.answers.pop(0)
        if isinstance(answer, httpx.TransportError):
            raise answer
        return answer


def busy(retry_after: str | None = None, status: int = 503) -> httpx.Response:
    return httpx.Response(status, headers={} if retry_after is None else {"Retry-After": retry_after})


@pytest.mark.parametrize("status", [409, 429, 503, 507])
def test_should_wait_as_retry_after_states_when_a_response_has_it(status: int) -> None:
    script = Script(busy("3", status), httpx.Response(200))
    assert script.http.post("/api/datasets").status_code == 200
    assert len(script.waits) == 1
    assert 3 <= script.waits[0] <= 4.5


def test_should_wait_longer_each_time_when_a_read_gets_503_without_retry_after() -> None:
    script = Script(busy(), busy(), busy(), httpx.Response(200))
    assert script.http.get("/").status_code == 200
    assert [0.5 <= script.waits[0] <= 0.75, 1 <= script.waits[1] <= 1.5, 2 <= script.waits[2] <= 3] == [True] * 3


def test_should_return_the_last_response_when_all_attempts_are_used() -> None:
    script = Script(*[busy("1") for _ in range(3)], policy=RetryPolicy(attempts=3))
    assert script.http.get("/").status_code == 503
    assert (len(script.sent), len(script.waits)) == (3, 2)


def test_should_not_wait_when_retry_after_exceeds_the_longest_wait() -> None:
    script = Script(busy("61"))
    assert script.http.get("/").status_code == 503
    assert script.waits == []


@pytest.mark.parametrize("status", [400, 403, 404, 409, 412, 500])
def test_should_not_repeat_a_request_when_the_error_has_no_retry_after(status: int) -> None:
    script = Script(httpx.Response(status))
    assert script.http.get("/").status_code == status
    assert len(script.sent) == 1


@pytest.mark.parametrize("path", ["/datasets/srcsys/import", "/base/submissions/srcsys/import"])
def test_should_repeat_a_request_for_an_import_when_the_connection_breaks(path: str) -> None:
    script = Script(httpx.ReadError("broken"), httpx.Response(202))
    assert script.http.post(path).status_code == 202


def test_should_not_repeat_another_post_when_the_connection_breaks() -> None:
    script = Script(httpx.ReadError("broken"))
    with pytest.raises(httpx.ReadError):
        script.http.post("/api/datasets")
    assert len(script.sent) == 1


def test_should_repeat_a_post_when_no_connection_was_made() -> None:
    script = Script(httpx.ConnectError("refused"), httpx.Response(201))
    assert script.http.post("/api/datasets").status_code == 201


def test_should_raise_the_error_of_the_last_attempt_when_every_connection_breaks() -> None:
    script = Script(*[httpx.ReadError(str(attempt)) for attempt in range(1, 6)])
    with pytest.raises(httpx.ReadError, match="5"):
        script.http.get("/")


def test_should_read_the_header_as_seconds_or_as_a_date() -> None:
    in_a_minute = datetime.now(timezone.utc) + timedelta(seconds=60)
    seconds = seconds_of(format_datetime(in_a_minute, usegmt=True))
    assert seconds is not None
    assert 50 < seconds <= 60
    past = seconds_of("Wed, 21 Oct 2015 07:28:00 GMT")
    assert [seconds_of("7"), past, seconds_of("soon"), seconds_of(None)] == [7, 0, None, None]
