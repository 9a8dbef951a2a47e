"""Checks tool schemas, and values against them, with an independent validator.

Reads {"schemas": {name: schema}, "values": [{schema, value, valid}]} and prints
one line for each complaint; no line means that all is well.
"""
import json
import re
import sys

from jsonschema import Draft202012Validator


def patterns(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        for member in schema.values():
            yield from patterns(member)
    if isinstance(schema, list):
        for item in schema:
            yield from patterns(item)


given = json.load(sys.stdin)
validators = {}
for name, schema in given["schemas"].items():
    try:
        Draft202012Validator.check_schema(schema)
        for pattern in patterns(schema):
            re.compile(pattern)
        validators[name] = Draft202012Validator(schema)
    except Exception as problem:  # every kind of problem is a complaint
        print(f"{name}: {type(problem).__name__}: {problem}".splitlines()[0])

for value in given["values"]:
    errors = [error.message for error in validators[value["schema"]].iter_errors(value["value"])]
    if value["valid"] and errors:
        print(f"{value['schema']} refuses {json.dumps(value['value'])[:200]}: {errors[0][:200]}")
    if not value["valid"] and not errors:
        print(f"{value['schema']} accepts {json.dumps(value['value'])[:200]}")
