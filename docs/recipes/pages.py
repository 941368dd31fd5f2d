"""Reads a list in pages, with the time at which each record last changed.

    pip install requests
    ORIGIN=https://data.example.org KEY=... python pages.py
"""

import os

import requests

with requests.Session() as session:
    session.headers["X-API-Key"] = os.environ["KEY"]
    address = os.environ["ORIGIN"].rstrip("/") + "/api/datasets?limit=100&with=updated_at"
    while address:
        answer = session.get(address, timeout=60)
        answer.raise_for_status()
        for dataset in answer.json()["items"]:
            print(dataset["updated_at"], dataset["external_id"], dataset["name"])
        address = answer.links.get("next", {}).get("url")
