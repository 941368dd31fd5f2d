"""A DAG of Airflow 2.9 or later that imports a dataset and waits until the import has ended.

    pip install requests
    airflow connections add catalog --conn-type http --conn-host https://data.example.org --conn-password "$KEY"
    airflow dags trigger import_dataset --conf '{"dataset_id": "RDC_12"}'

Both tasks can be repeated: a second request for the same dataset returns the import that exists.
"""

from datetime import datetime, timedelta

import requests
from airflow.decorators import dag, task
from airflow.exceptions import AirflowFailException
from airflow.hooks.base import BaseHook

running = {"queued", "running", "waiting", "cancelling"}


def call(method, path, **options):
    catalog = BaseHook.get_connection("catalog")
    headers = {"X-API-Key": catalog.password}
    answer = requests.request(method, catalog.host + path, headers=headers, timeout=60, **options)
    if 400 <= answer.status_code < 500 and answer.status_code != 429:  # A repetition does not help.
        raise AirflowFailException(answer.json()["description"])
    answer.raise_for_status()
    return answer.json()


@dag(schedule=None, start_date=datetime(2026, 1, 1), catchup=False, params={"dataset_id": "RDC_12"})
def import_dataset():
    @task(retries=5, retry_delay=timedelta(minutes=1))
    def request(params=None):
        return call("POST", "/datasets/srcsys/import", json={"dataset_id": params["dataset_id"]})["id"]

    @task.sensor(poke_interval=60, timeout=timedelta(days=2).total_seconds(), mode="reschedule", retries=5)
    def has_ended(import_id):
        found = call("GET", f"/imports/{import_id}")
        if found["state"] in running:
            return False
        if found["state"] != "finished":
            raise AirflowFailException(f"import {import_id} is {found['state']}: {found['error']}")
        return True

    has_ended(request())


import_dataset()
