"""A kind of body that schemathesis does not know by itself; scripts/fuzz.ts tells it to read this."""

import schemathesis

schemathesis.serializer.alias("application/x-ndjson", "text/plain")
