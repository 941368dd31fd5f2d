"""Puts a JSON-LD document into the HTTP cache of roc-validator: fill-http-cache.py CACHE URL FILE.

The validator requests the context of a crate from the web, which tests must not do.
"""

import io
import pathlib
import sys

from requests import Request, Response
from requests_cache import CachedSession
from urllib3 import HTTPResponse

cache, url, file = sys.argv[1:]
session = CachedSession(cache_name=cache, backend="sqlite", expire_after=-1)
content = pathlib.Path(file).read_bytes()
response = Response()
response.status_code = 200
response.url = url
response.request = session.prepare_request(Request("GET", url))
response.headers["Content-Type"] = "application/ld+json"
response._content = content
response.raw = HTTPResponse(
    body=io.BytesIO(content),
    headers=response.headers,
    status=200,
    preload_content=False,
    request_method="GET",
    request_url=url,
)
session.cache.save_response(response)
