#!/usr/bin/env bash
# Fuzzes the built services from their OpenAPI descriptions. Installs schemathesis in a separate folder first.
set -euo pipefail
cd "$(dirname "$0")/.."
version=4.32.5
tools=.cache/schemathesis-$version
if [ ! -x "$tools/bin/schemathesis" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi
exec node scripts/fuzz.ts "$PWD/$tools/bin/schemathesis"
