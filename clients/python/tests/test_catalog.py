"""The catalog and its harvest, against the running system."""

import json
import uuid

import httpx
import pytest

from rdc_client import (
    COHORTS,
    CONTRACTS,
    DATASETS,
    PARTNERS,
    PROJECTS,
    ApiError,
    Catalog,
    HarvestPage,
    InvalidRequestError,
    NotFoundError,
    PreconditionFailedError,
    RefusedError,
    expect,
)
from rdc_client.catalog_api.api.datasets import (
    create_dataset,
    delete_dataset,
    get_dataset,
    list_datasets,
    update_dataset,
)
from rdc_client.catalog_api.api.terms import search_terms
from rdc_client.catalog_api.models import Dataset, DatasetChanges, DatasetInput, DatasetList, TermSearchResponse


def created(catalog: Catalog) -> Dataset:
    """Returns a new dataset with a name of its own."""
    body = DatasetInput(name=f"Python {uuid.uuid4()}")
    return expect(Dataset, create_dataset.sync(client=catalog.api, body=body))


def id_of(dataset: Dataset) -> str:
    assert isinstance(dataset.external_id, str)
    return dataset.external_id


def names(pages: list[HarvestPage[Dataset]]) -> list[str]:
    return [str(record.name) for page in pages for record in page.records]


def test_should_create_read_change_and_delete_a_record(catalog: Catalog) -> None:
    dataset = created(catalog)
    answer = get_dataset.sync_detailed(id_of(dataset), client=catalog.api)
    tag = answer.headers["etag"]
    changes = DatasetChanges(description="changed")
    changed = update_dataset.sync(id_of(dataset), client=catalog.api, body=changes, if_match=tag)
    assert expect(Dataset, changed).description == "changed"
    with pytest.raises(PreconditionFailedError) as late:
        update_dataset.sync(id_of(dataset), client=catalog.api, body=changes, if_match=tag)
    assert late.value.code == "precondition.failed"
    delete_dataset.sync_detailed(id_of(dataset), client=catalog.api)
    with pytest.raises(NotFoundError):
        get_dataset.sync(id_of(dataset), client=catalog.api)


def test_should_return_304_without_an_error_when_a_list_has_not_changed(catalog: Catalog) -> None:
    created(catalog)
    first = list_datasets.sync_detailed(client=catalog.api, limit=1)
    assert len(expect(DatasetList, first.parsed).items) == 1
    again = list_datasets.sync_detailed(client=catalog.api, limit=1, if_none_match=first.headers["etag"])
    assert (again.status_code, again.parsed) == (304, None)


def test_should_search_terms_without_a_key(catalog: Catalog) -> None:
    with Catalog(str(catalog.api.get_httpx_client().base_url)) as anonymous:
        found = expect(TermSearchResponse, search_terms.sync("gene", client=anonymous.api, search="brca", page=1))
        assert found.pagination.page == 1


def test_should_raise_the_error_of_a_code(catalog: Catalog) -> None:
    with pytest.raises(NotFoundError) as unknown:
        get_dataset.sync("NONE-1", client=catalog.api)
    assert (unknown.value.status, unknown.value.code) == (404, "record.unknown")
    assert unknown.value.request_id
    assert "NONE-1" in str(unknown.value)
    with pytest.raises(InvalidRequestError) as invalid:
        list_datasets.sync(client=catalog.api, limit=5000)
    assert [field["field"] for field in invalid.value.more["fields"]] == ["limit"]
    with Catalog(str(catalog.api.get_httpx_client().base_url), "wrong") as stranger, pytest.raises(RefusedError) as no:
        list_datasets.sync(client=stranger.api)
    assert no.value.code == "key.unknown"


def test_should_have_no_code_when_the_error_is_not_from_a_service() -> None:
    proxy = httpx.MockTransport(lambda _request: httpx.Response(500, text="<html>"))
    with Catalog("http://service", transport=proxy) as catalog, pytest.raises(ApiError) as error:
        list_datasets.sync(client=catalog.api)
    assert (error.value.status, error.value.code) == (500, None)


def test_should_refuse_an_address_without_a_scheme() -> None:
    with pytest.raises(ValueError, match="must begin with http"):
        Catalog("catalog.example.org")


def test_should_harvest_every_record_once_in_pages(catalog: Catalog) -> None:
    wanted = {str(created(catalog).name) for _ in range(7)}
    pages = list(catalog.harvest(DATASETS, page_size=3))
    assert max(len(page.records) for page in pages) == 3
    harvested = names(pages)
    assert len(harvested) == len(set(harvested))
    assert wanted <= set(harvested)


def test_should_harvest_nothing_when_nothing_changed_and_only_changes_otherwise(catalog: Catalog) -> None:
    state = list(catalog.harvest(DATASETS))[-1].state
    assert list(catalog.harvest(DATASETS, state)) == []
    new = str(created(catalog).name)
    pages = list(catalog.harvest(DATASETS, state))
    assert new in names(pages)
    assert list(catalog.harvest(DATASETS, pages[-1].state)) == []


def test_should_continue_after_the_stored_page_when_the_program_was_killed(catalog: Catalog) -> None:
    expected = sorted(names(list(catalog.harvest(DATASETS))))
    read: list[HarvestPage[Dataset]] = []
    state = None
    for _ in range(len(expected) + 2):
        page = next(catalog.harvest(DATASETS, state, page_size=2), None)
        if page is None:
            break
        read.append(page)
        state = page.state
    assert sorted(names(read)) == expected


def test_should_begin_the_pass_again_when_the_service_refuses_the_stored_address(catalog: Catalog) -> None:
    state = json.loads(next(catalog.harvest(DATASETS, page_size=1)).state)
    state["next"] = "/api/datasets?cursor=of-another-version"
    expected = sorted(names(list(catalog.harvest(DATASETS))))
    del state["etag"]
    assert sorted(names(list(catalog.harvest(DATASETS, json.dumps(state))))) == expected


def test_should_harvest_each_kind_of_record_with_filters(catalog: Catalog) -> None:
    counts = [
        sum(len(page.records) for page in catalog.harvest(PROJECTS)),
        sum(len(page.records) for page in catalog.harvest(PARTNERS)),
        sum(len(page.records) for page in catalog.harvest(COHORTS, filters={"published": "all"})),
        sum(len(page.records) for page in catalog.harvest(CONTRACTS, filters={"all": "true"})),
    ]
    assert counts == [1, 1, 1, 1]


def test_should_refuse_a_state_of_another_list_or_program(catalog: Catalog) -> None:
    state = list(catalog.harvest(DATASETS))[-1].state
    with pytest.raises(ValueError, match=r"a harvest of datasets .*, not of projects"):
        list(catalog.harvest(PROJECTS, state))
    with pytest.raises(ValueError, match="not from a harvest"):
        list(catalog.harvest(PROJECTS, "2026-01-31"))
