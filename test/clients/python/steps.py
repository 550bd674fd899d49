"""Runs a script's steps against a server and prints what each one got, as JSON: a step that raises shows the error that the client saw."""

import argparse
import json
import re
import sys


def main(run, ours):
    """`run` gets only what Elasticsearch's core has; `ours` also asks what its modules would do, and checks it itself."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--url", required=True)
    arguments.add_argument("--prefix", default="huiliu-clients")
    arguments.add_argument("--core", action="store_true", help="the server has Elasticsearch's core, but not its modules")
    options = arguments.parse_args()
    got = {}

    def step(name, work):
        assert name not in got, name
        try:
            got[name] = plain(work())
        except Exception as error:  # what a user of the client would see
            got[name] = failure(error)
        return got[name]

    run(step, options.url, options.prefix)
    if not options.core:
        ours(step, options.url, options.prefix)
    json.dump(got, sys.stdout, ensure_ascii=False, indent=1)


# What differs from run to run.
VOLATILE = {"took", "uuid", "creation_date", "index_uuid", "_scroll_id", "pit_id", "provided_name", "version"}


def plain(value):
    """As JSON, without what differs from run to run."""
    if hasattr(value, "body"):
        value = value.body
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in VOLATILE}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (int, float, bool)):
        return value
    return re.sub(r"(\[[^/\]]+)/[\w-]{22}\]", r"\1]", str(value))


def failure(error):
    status = getattr(error, "status_code", None)
    if status is not None:
        body = error.body
        cause = body.get("error", body) if isinstance(body, dict) else body
        return {"raised": type(error).__name__, "status": status, "error": plain(cause)}
    if hasattr(error, "errors") and not callable(error.errors):
        return {"raised": type(error).__name__, "errors": plain(error.errors)}
    return {"raised": type(error).__name__, "message": str(error)}
