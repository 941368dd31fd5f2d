"""Keeps a copy of all records that a key may read, by the change feed.

    pip install requests
    ORIGIN=https://data.example.org KEY=... python harvest.py

The first run reads every record, later runs read only changes. The program can be stopped at any time: the next run
continues at the cursor in catalog.json, which is replaced with the records in one step.
"""

import json
import os
import pathlib

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

origin = os.environ["ORIGIN"].rstrip("/")
store = pathlib.Path(os.environ.get("STORE", "catalog.json"))

session = requests.Session()
session.headers["X-API-Key"] = os.environ["KEY"]
# Retry waits for the time in Retry-After.
retries = Retry(total=5, backoff_factor=1, status_forcelist=[429, 503], raise_on_status=False)
session.mount(origin, HTTPAdapter(max_retries=retries))


def read(path, **parameters):
    return session.get(origin + path, params=parameters, timeout=60)


def save(state):
    complete = store.with_suffix(".new")
    complete.write_text(json.dumps(state))
    complete.replace(store)


def apply(change, records):
    """Reads the record of a change. A record that is missing was withdrawn later, and the feed will contain that."""
    name = f"{change['list']}/{change['id_at_source']}"
    answer = None if change["event"] == "withdrawn" else read(f"/api/{name}")
    if answer is None or answer.status_code == 404:
        records.pop(name, None)
        return
    answer.raise_for_status()
    records[name] = answer.json()


state = json.loads(store.read_text()) if store.exists() else {"cursor": None, "records": {}}
has_more = True
while has_more:
    answer = read("/api/changes", since=state["cursor"], limit=500)
    if answer.status_code == 410:  # The cursor is too old, or belongs to another key: begin again.
        state = {"cursor": None, "records": {}}
        continue
    answer.raise_for_status()
    page = answer.json()
    for change in page["items"]:
        apply(change, state["records"])
    state["cursor"] = page["cursor"]
    save(state)
    has_more = page["has_more"]
    print(f"{len(page['items'])} changes, {len(state['records'])} records")
