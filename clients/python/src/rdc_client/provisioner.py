"""The provisioner: requests for imports, and waiting for their ends."""

import random
import time
from types import TracebackType
from typing import Literal

import httpx
from typing_extensions import Self

from rdc_client.catalog import expect
from rdc_client.connection import connect
from rdc_client.provisioner_api import AuthenticatedClient
from rdc_client.provisioner_api.api.datasets import import_dataset
from rdc_client.provisioner_api.api.imports import get_import
from rdc_client.provisioner_api.api.submissions import import_submission
from rdc_client.provisioner_api.models import (
    ImportDataset,
    ImportResponse,
    ImportSubmission,
    RefusalResponse,
    SubmissionImportResponse,
)
from rdc_client.provisioner_api.types import Unset
from rdc_client.retries import RetryPolicy

_ENDED = ("finished", "rejected", "failed", "cancelled")

_FIRST_POLL = 0.25
_LONGEST_POLL = 5.0
"""The seconds between two reads of an import. The time grows from the first to the longest."""

_LONGEST_HOLD = 60
"""The maximum number of seconds for which the provisioner holds an answer."""


class ImportEndedError(Exception):
    """An import ended without success: rejected, failed or cancelled."""

    def __init__(self, ended: ImportResponse | SubmissionImportResponse) -> None:
        self.ended = ended
        """The import."""
        self.code: str | None = ended.error.code if ended.error else None
        """The reason, a code of `docs/errors.md`. None if the import was cancelled."""
        reason = f"{ended.error.code}: {ended.error.message}" if ended.error else "it was cancelled"
        super().__init__(f"The import of {ended.subject} ended {ended.state}: {reason}")


class DatasetRefusedError(Exception):
    """The import of a dataset of a submission was refused."""

    def __init__(self, dataset_id: str, refusal: RefusalResponse) -> None:
        self.dataset_id = dataset_id
        self.code: str = refusal.code
        """The reason, a code of `docs/errors.md`."""
        super().__init__(f"The import of {dataset_id} was refused: {refusal.code}: {refusal.message}")


class Provisioner:
    """A client of the provisioner. Use it in a `with` statement, or call `close`."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        retries: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`url` is the origin of the provisioner, without `/datasets`."""
        self._http = connect(url, key, retries, transport)
        self.api = AuthenticatedClient(base_url=url, token=key or "").set_httpx_client(self._http)
        """The client for the generated functions. They raise `ApiError` and never return an `Error`."""

    def import_dataset(self, dataset_id: str, *, timeout: float = 3600) -> ImportResponse:
        """Requests the import of a dataset and waits for its end.

        A dataset that is imported already returns its import. Raises `ImportEndedError` if the import ends without
        success, and `TimeoutError` if it has not ended after `timeout` seconds; the import then continues, and a
        repeated call waits for the same import.
        """
        deadline = time.monotonic() + timeout
        body = ImportDataset(dataset_id=dataset_id)
        answer = import_dataset.sync(client=self.api, body=body, wait=min(int(timeout), _LONGEST_HOLD))
        requested = expect(ImportResponse, answer)
        return self._end_of(requested.id, deadline) if _is_open(requested) else _succeeded(requested)

    def import_submission(
        self, reference: str, *, datasets: Literal["none", "all"] | list[str] = "none", timeout: float = 3600
    ) -> list[ImportResponse]:
        """Requests the import of a submission, with datasets, and waits for the end of each import.

        Returns the import of the submission, then those of the datasets. Raises as `import_dataset` does, and
        `DatasetRefusedError` if the import of a dataset was refused. The other imports continue.
        """
        deadline = time.monotonic() + timeout
        body = ImportSubmission(reference=reference, datasets=datasets)
        requested = expect(SubmissionImportResponse, import_submission.sync(client=self.api, body=body))
        ids = [requested.id]
        for dataset in [] if isinstance(requested.datasets, Unset) else requested.datasets:
            if dataset.error is not None:
                raise DatasetRefusedError(dataset.dataset_id, dataset.error)
            if dataset.import_id is not None:
                ids.append(dataset.import_id)
        return [self._end_of(import_id, deadline) for import_id in ids]

    def wait(self, import_id: str, *, timeout: float = 3600) -> ImportResponse:
        """Waits for the end of an import. Raises as `import_dataset` does."""
        return self._end_of(import_id, time.monotonic() + timeout)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _end_of(self, import_id: str, deadline: float) -> ImportResponse:
        pause = _FIRST_POLL
        while True:
            read = expect(ImportResponse, get_import.sync(import_id, client=self.api))
            if not _is_open(read):
                return _succeeded(read)
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TimeoutError(f"The import {import_id} of {read.subject} has not ended: it is {read.state}.")
            time.sleep(min(remaining, pause * (1 + random.random() / 2)))
            pause = min(_LONGEST_POLL, pause * 1.5)


def _is_open(read: ImportResponse) -> bool:
    return read.state not in _ENDED


def _succeeded(ended: ImportResponse) -> ImportResponse:
    if ended.state != "finished":
        raise ImportEndedError(ended)
    return ended
