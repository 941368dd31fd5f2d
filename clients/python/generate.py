"""Generates the packages of the two services from their OpenAPI documents, before hatchling builds a distribution."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = {"catalog-api": "catalog_api", "provisioner": "provisioner_api"}


class GenerateHook(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook. In a source distribution, which has no documents, the packages exist already."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        repository = root.parent.parent
        documents = repository / "docs" / "openapi"
        if not documents.is_dir():
            return
        shutil.copyfile(repository / "LICENSE", root / "LICENSE")
        for service, package in PACKAGES.items():
            generate(documents / f"{service}.json", root / "src" / "rdc_client" / package, root / "generator.yml")


def generate(document: Path, package: Path, options: Path) -> None:
    """Writes the package of a service."""
    call = "from openapi_python_client.cli import app; app()"
    paths = ["--path", str(document), "--output-path", str(package), "--config", str(options)]
    command = [sys.executable, "-c", call, "generate", "--meta", "none", "--overwrite", *paths]
    subprocess.run(command, check=True)
    support_python_310(package / "client.py")


def support_python_310(module: Path) -> None:
    """Replaces the import of `Self`, which Python 3.10 does not have."""
    generated = "from typing import Any, Self\n"
    text = module.read_text()
    if text.count(generated) != 1:
        raise ValueError(f"{module} does not import Self as expected: change generate.py for this generator.")
    module.write_text(text.replace(generated, "from typing import Any\n\nfrom typing_extensions import Self\n"))
