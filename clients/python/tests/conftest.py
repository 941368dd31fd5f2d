"""The running system of the tests. `npm run test:python -- clients` starts it."""

import os
from collections.abc import Iterator

import pytest

from rdc_client import Catalog, Provisioner


@pytest.fixture(scope="session")
def catalog() -> Iterator[Catalog]:
    with Catalog(os.environ["RDC_URL"], os.environ["RDC_KEY"]) as opened:
        yield opened


@pytest.fixture(scope="session")
def provisioner() -> Iterator[Provisioner]:
    with Provisioner(os.environ["RDC_URL"], os.environ["RDC_KEY"]) as opened:
        yield opened
