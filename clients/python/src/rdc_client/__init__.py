"""A client of the data catalog and the storage provisioner.

`Catalog` and `Provisioner` hold the generated clients in the member `api`. The packages `rdc_client.catalog_api` and
`rdc_client.provisioner_api` contain one generated function for each operation.
"""

from rdc_client.catalog import Catalog, expect
from rdc_client.errors import (
    ApiError,
    ConflictError,
    ErrorCode,
    InvalidRequestError,
    NotFoundError,
    PreconditionFailedError,
    RefusedError,
    UnavailableError,
)
from rdc_client.harvest import COHORTS, CONTRACTS, DATASETS, PARTNERS, PROJECTS, HarvestPage, RecordList
from rdc_client.provisioner import DatasetRefusedError, ImportEndedError, Provisioner
from rdc_client.retries import RetryPolicy

__all__ = [
    "COHORTS",
    "CONTRACTS",
    "DATASETS",
    "PARTNERS",
    "PROJECTS",
    "ApiError",
    "Catalog",
    "ConflictError",
    "DatasetRefusedError",
    "ErrorCode",
    "HarvestPage",
    "ImportEndedError",
    "InvalidRequestError",
    "NotFoundError",
    "PreconditionFailedError",
    "Provisioner",
    "RecordList",
    "RefusedError",
    "RetryPolicy",
    "UnavailableError",
    "expect",
]
