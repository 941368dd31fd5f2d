"""Verifies an event: `pip install standardwebhooks`. Raises WebhookVerificationError for a wrong signature."""

import os
import sys

from standardwebhooks import Webhook

# The headers and the body of the request, exactly as they arrived.
headers = {name: os.environ[name.upper().replace("-", "_")] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
event = Webhook(os.environ["SECRET"]).verify(sys.stdin.read(), headers)
print(event["type"], event["data"])
