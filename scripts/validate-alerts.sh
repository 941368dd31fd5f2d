#!/usr/bin/env bash
# Checks the alert rules, and that each fires when it should and only then. Needs promtool; where it is not installed it is
# taken out of Debian's package `prometheus`, without installing that.
set -euo pipefail
cd "$(dirname "$0")/../k8s/components/monitoring"
tools=${TOOLS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/research-data-catalog}/prometheus

if command -v promtool > /dev/null; then
  promtool=promtool
else
  promtool=$tools/usr/bin/promtool
  if [ ! -x "$promtool" ]; then
    package=$(mktemp -d)
    trap 'rm -rf "$package"' EXIT
    chmod a+rx "$package"
    (cd "$package" && apt-get download -qq prometheus)
    mkdir -p "$tools"
    dpkg --extract "$package"/prometheus_*.deb "$tools"
  fi
fi

"$promtool" check rules alerts.yaml
"$promtool" test rules alerts.test.yaml
