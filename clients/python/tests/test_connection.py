"""The proxy of the environment."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from rdc_client import RetryPolicy
from rdc_client.connection import connect

ONCE = RetryPolicy(attempts=1)


class Proxy(BaseHTTPRequestHandler):
    """A proxy that answers with the address that it would forward to."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode())

    def log_message(self, *_: object) -> None:
        """Writes no log."""


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), Proxy) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("proxy")
def test_should_send_requests_to_the_proxy_of_the_environment() -> None:
    with connect("http://catalog.invalid", None, ONCE) as http:
        assert http.get("/api/datasets").text == "http://catalog.invalid/api/datasets"


@pytest.mark.usefixtures("proxy")
def test_should_not_use_the_proxy_when_no_proxy_names_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "catalog.invalid")
    with connect("http://catalog.invalid", None, ONCE) as http, pytest.raises(httpx.ConnectError):
        http.get("/api/datasets")
