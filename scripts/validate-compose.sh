#!/usr/bin/env bash
# Checks docker-compose.yml against the schema and the rules of the Compose Specification, with the specification's own
# reference implementation, once without a profile and once with every profile. Requires Go. Starts no container.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/go-tools.sh
go_tool compose-spec github.com/compose-spec/compose-go/v2/cmd v2.16.2

profiles=$(sed -n 's/^ *profiles: \[\(.*\)\]/\1/p' docker-compose.yml | tr -d ' ' | sort -u | paste -sd,)
for chosen in '' "$profiles"; do
  COMPOSE_PROFILES=$chosen "$tool" docker-compose.yml > /dev/null
  echo "docker-compose.yml is valid with profiles: ${chosen:-none}"
done
