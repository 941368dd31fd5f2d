"""The catalog."""

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import TypeVar

import httpx
from typing_extensions import Self

from rdc_client.catalog_api import AuthenticatedClient
from rdc_client.connection import connect
from rdc_client.harvest import HarvestPage, Record, RecordList, harvest
from rdc_client.retries import RetryPolicy

Result = TypeVar("Result")


class Catalog:
    """A client of the catalog. Use it in a `with` statement, or call `close`."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        retries: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`url` is the origin of the catalog, without `/api`. Without a key, the catalog returns public records."""
        self._http = connect(url, key, retries, transport)
        self.api = AuthenticatedClient(base_url=url, token=key or "").set_httpx_client(self._http)
        """The client for the generated functions. They raise `ApiError` and never return an `Error`."""

    def harvest(
        self,
        records: RecordList[Record],
        state: str | None = None,
        *,
        filters: Mapping[str, str] | None = None,
        page_size: int = 500,
    ) -> Iterator[HarvestPage[Record]]:
        """Reads the records that changed after `state`, in pages; all records without a state.

        `records` is a list, such as `DATASETS`. `filters` are parameters of the list, such as `{"published": "all"}` of
        cohorts. Store each page, then its `state`. If the program is killed, the next harvest with the stored state
        continues. If nothing changed, there is no page. A record can be read twice. Records that were removed are not
        in any page: to find them, harvest without a state from time to time.
        """
        return harvest(self._http, records, state, page_size, filters or {})

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def expect(kind: type[Result], result: object) -> Result:
    """Returns the result of a generated function as the type that a successful response has.

    The declared types of the results also contain `Error` and `None`, although errors are raised.
    """
    if not isinstance(result, kind):
        raise TypeError(f"The result is {type(result).__name__}, not {kind.__name__}.")
    return result
