#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a symbol graph as text: one line per public declaration, sorted by name."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    graph = json.load(file)

names = {}
lines = []
for symbol in graph["symbols"]:
    name = ".".join(symbol["pathComponents"])
    names[symbol["identifier"]["precise"]] = name
    declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
    lines.append(f"{name}: {' '.join(declaration.split())}")
for relation in graph["relationships"]:
    protocol = relation.get("targetFallback", "").removeprefix("Swift.")
    # The compiler adds these to nearly every type, so they are not informative.
    if relation["kind"] == "conformsTo" and relation["source"] in names:
        protocol = names.get(relation["target"], protocol)
        if protocol not in ("Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"):
            lines.append(f"{names[relation['source']]}: conforms to {protocol}")
print("\n".join(sorted(set(lines))))
