"""The incremental harvest of a list."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Generic, Literal, TypeVar

import httpx

from rdc_client.catalog_api.models import Cohort, Contract, Dataset, Partner, Project
from rdc_client.errors import ApiError

Record = TypeVar("Record")

_OVERLAP = timedelta(hours=1)
"""A change can be read slightly later than its instant, so a pass begins an hour before the previous pass."""


@dataclass(frozen=True)
class HarvestPage(Generic[Record]):
    """Records that changed, and the state after them."""

    records: list[Record]
    state: str
    """A text for the next call of `harvest`. Its content can change with the version of this package."""


@dataclass(frozen=True)
class RecordList(Generic[Record]):
    """A list of the catalog."""

    name: str
    envelope: Literal["items", "results"]
    parse: Callable[[Mapping[str, Any]], Record]


COHORTS = RecordList("cohorts", "results", Cohort.from_dict)
CONTRACTS = RecordList("contracts", "items", Contract.from_dict)
DATASETS = RecordList("datasets", "items", Dataset.from_dict)
PARTNERS = RecordList("partners", "results", Partner.from_dict)
PROJECTS = RecordList("projects", "items", Project.from_dict)


@dataclass(frozen=True)
class _State:
    """The place in a list. A pass reads the records that changed since the previous pass."""

    list: str
    filters: dict[str, str]
    etag: str | None = None
    """The tag of the list before the latest pass."""
    since: str | None = None
    """The beginning of the latest complete pass."""
    started: str | None = None
    """The beginning of the pass that is not complete."""
    next: str | None = None
    """The address of the next page of the pass that is not complete."""


def harvest(
    http: httpx.Client, records: RecordList[Record], state: str | None, page_size: int, filters: Mapping[str, str]
) -> Iterator[HarvestPage[Record]]:
    """Reads a list from a state."""
    place = _read(state, _State(list=records.name, filters=dict(filters)))
    if place.next is not None:
        try:
            yield from _pass(http, records, place)
            return
        except ApiError as error:
            if error.code != "input.invalid":
                raise
        # The service has another version, which does not accept the address: the pass begins again.
        place = replace(place, next=None)
    answer = _get(http, f"/api/{records.name}", {**filters, "limit": 1}, etag=place.etag)
    if answer.status_code == 304:
        return
    query: dict[str, str | int] = {**filters, "limit": page_size}
    if place.since is not None:
        query["updated_since"] = (datetime.fromisoformat(place.since) - _OVERLAP).isoformat()
    address = str(httpx.URL(f"/api/{records.name}", params=query))
    begun = replace(place, etag=answer.headers.get("ETag"), started=_instant_of(answer), next=address)
    yield from _pass(http, records, begun)


def _pass(http: httpx.Client, records: RecordList[Record], place: _State) -> Iterator[HarvestPage[Record]]:
    """Reads the pages of a pass from `place.next`."""
    while place.next is not None:
        answer = _get(http, place.next)
        link = answer.links.get("next", {}).get("url")
        if link is None:
            place = replace(place, since=place.started, started=None, next=None)
        else:
            # The link can have the public address of the service, which this program does not use.
            place = replace(place, next=f"/api/{records.name}?{httpx.URL(link).query.decode()}")
        items = [records.parse(item) for item in answer.json()[records.envelope]]
        yield HarvestPage(items, json.dumps(asdict(place)))


def _get(
    http: httpx.Client, path: str, query: Mapping[str, str | int] | None = None, etag: str | None = None
) -> httpx.Response:
    headers = {"Accept": "application/json"} | ({} if etag is None else {"If-None-Match": etag})
    return http.get(path, headers=headers, params=query)


def _instant_of(answer: httpx.Response) -> str:
    """Returns the time of an answer by the clock of the service."""
    date = answer.headers.get("Date")
    return (parsedate_to_datetime(date) if date else datetime.now(timezone.utc)).isoformat()


def _read(state: str | None, start: _State) -> _State:
    """Returns a stored state; the start of a harvest without a state."""
    if state is None:
        return start
    try:
        read = _State(**json.loads(state))
    except (TypeError, ValueError) as error:
        raise ValueError("The state is not from a harvest of this package: harvest without a state.") from error
    if (read.list, read.filters) != (start.list, start.filters):
        raise ValueError(
            f"The state is from a harvest of {read.list} with the filters {read.filters}, not of {start.list} with "
            f"{start.filters}: keep one state for each list and its filters."
        )
    return read
