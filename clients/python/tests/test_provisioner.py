"""The imports, against the running system with the deliveries of the suite."""

import pytest

from rdc_client import DatasetRefusedError, ImportEndedError, NotFoundError, Provisioner, expect
from rdc_client.provisioner_api.api.datasets import list_source_datasets
from rdc_client.provisioner_api.models import DatasetListResponse


def test_should_import_a_dataset_and_return_the_same_import_again(provisioner: Provisioner) -> None:
    done = provisioner.import_dataset("PY-1")
    assert (done.state, done.subject) == ("finished", "PY-1")
    assert provisioner.import_dataset("PY-1").id == done.id
    assert provisioner.wait(done.id).id == done.id


def test_should_import_a_submission_with_its_datasets(provisioner: Provisioner) -> None:
    done = provisioner.import_submission("SUB-PY", datasets=["PY-2", "PY-3"])
    assert [each.subject for each in done] == ["SUB-PY", "PY-2", "PY-3"]


def test_should_raise_the_reason_when_a_delivery_is_rejected(provisioner: Provisioner) -> None:
    with pytest.raises(ImportEndedError) as rejected:
        provisioner.import_dataset("PY-BAD")
    assert (rejected.value.ended.state, rejected.value.code) == ("rejected", "checksum.mismatch")


def test_should_raise_when_a_selected_dataset_is_refused(provisioner: Provisioner) -> None:
    with pytest.raises(DatasetRefusedError) as refused:
        provisioner.import_submission("SUB-PY", datasets=["PY-BAD"])
    assert (refused.value.dataset_id, refused.value.code) == ("PY-BAD", "source.rejected")


def test_should_raise_when_the_import_has_not_ended_in_time(provisioner: Provisioner) -> None:
    with pytest.raises(TimeoutError, match="has not ended"):
        provisioner.import_dataset("PY-4", timeout=0)
    assert provisioner.import_dataset("PY-4").state == "finished"


def test_should_raise_when_the_dataset_is_unknown(provisioner: Provisioner) -> None:
    with pytest.raises(NotFoundError):
        provisioner.import_dataset("NONE-1")


def test_should_list_the_source(provisioner: Provisioner) -> None:
    listed = expect(DatasetListResponse, list_source_datasets.sync(client=provisioner.api, submission="SUB-PY"))
    assert {"PY-1", "PY-BAD"} <= {each.id for each in listed.items}
