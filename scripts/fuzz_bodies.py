"""A media type that schemathesis does not support by default. scripts/fuzz.ts loads this file."""

import schemathesis

schemathesis.serializer.alias("application/x-ndjson", "text/plain")
