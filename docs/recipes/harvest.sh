#!/bin/sh
# Downloads all datasets, and transfers nothing if no dataset has changed since the last run.
#
#   ORIGIN=https://data.example.org KEY=... sh harvest.sh
#
# curl waits for Retry-After after 429 and 503. The previous file stays until a complete one replaces it.
set -eu

curl --fail-with-body --silent --show-error --compressed --retry 5 \
  --header "X-API-Key: $KEY" \
  --etag-compare datasets.etag --etag-save datasets.etag.new \
  --output datasets.json.new "$ORIGIN/api/datasets"

if [ -s datasets.json.new ]; then
  mv datasets.json.new datasets.json
  mv datasets.etag.new datasets.etag
  echo "datasets.json is new"
else
  rm -f datasets.json.new datasets.etag.new
  echo "no dataset has changed"
fi
