#!/usr/bin/env bash
# Checks the alert rules, tests the conditions under which each fires, and checks that Prometheus accepts every query of
# the dashboard. Requires Node and promtool. If promtool is not installed, the script extracts it from Debian's package
# `prometheus`.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH # the Node of this repository
cd charts/research-data-catalog
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=${TOOLS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/research-data-catalog}/prometheus

if command -v promtool > /dev/null; then
  promtool=promtool
else
  promtool=$tools/usr/bin/promtool
  if [ ! -x "$promtool" ]; then
    chmod a+rx "$work"
    (cd "$work" && apt-get download -qq prometheus)
    mkdir -p "$tools"
    dpkg --extract "$work"/prometheus_*.deb "$tools"
  fi
fi

"$promtool" check rules files/alerts.yaml
"$promtool" test rules tests/alerts.test.yaml

# Converts the queries to rules, which promtool can read, with values for the variables of Grafana.
node -e '
  const { panels } = JSON.parse(require("fs").readFileSync("files/dashboard.json", "utf8"));
  const rules = panels.flatMap(({ id, targets = [] }) =>
    targets.map(({ refId, expr }) => ({ record: `panel_${id}_${refId}`, expr: expr.replaceAll("$__rate_interval", "5m") })));
  console.log(JSON.stringify({ groups: [{ name: "dashboard", rules }] }));' > "$work/dashboard.yaml"
"$promtool" check rules "$work/dashboard.yaml"
