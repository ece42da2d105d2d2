#!/usr/bin/env python3
"""Lists what is linked into the static command, with versions and licences.

  components.py notices             the licence texts of everything, for people
  components.py sbom VERSION DATE   a CycloneDX 1.5 document, for tools

Swift packages come from Package.resolved and .build/checkouts, libraries of the system from Debian's database, and the
standard library from the toolchain. An unknown dependency is an error: add its licence here.
"""
import json
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# SPDX expressions.
PACKAGES = {
    "grdb.swift": "MIT",
    "swift-argument-parser": "Apache-2.0 WITH Swift-exception",
    "swift-numerics": "Apache-2.0 WITH Swift-exception",
    "yams": "MIT",
}
# Libraries of the system, by the file that is linked.
LIBRARIES = {
    "libc.a": "LGPL-2.1-or-later",
    "libstdc++.a": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc.a": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libsqlite3.a": "blessing",
    "libz.a": "Zlib",
    "libzstd.a": "BSD-3-Clause",
    "libxcb.a": "X11",
    "libXau.a": "MIT-open-group",
    "libXdmcp.a": "MIT-open-group",
}
# Parts of the toolchain's static libraries by other authors.
TOOLCHAIN = [
    ("Swift standard library and runtime, Foundation, libdispatch", "Apache-2.0 WITH Swift-exception"),
    ("ICU (in Foundation)", "Unicode-3.0"),
]
ICU = """UNICODE LICENSE V3

COPYRIGHT AND PERMISSION NOTICE

Copyright © 2016-2025 Unicode, Inc.

NOTICE TO USER: Carefully read the following legal agreement. BY DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA FILES,
AND/OR SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO
NOT AGREE, DO NOT DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.

Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated documentation (the
"Data Files") or software and any associated documentation (the "Software") to deal in the Data Files or Software without
restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, and/or sell copies of the
Data Files or Software, and to permit persons to whom the Data Files or Software are furnished to do so, provided that either (a)
this copyright and permission notice appear with all copies of the Data Files or Software, or (b) this copyright and permission
notice appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR
CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to promote the
sale, use or other dealings in these Data Files or Software without prior written authorization of the copyright holder.
"""


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def swift_packages():
    """(name, version, licence, purl, licence text) of each."""
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        location = re.sub(r"^https://|\.git$", "", pin["location"])
        checkout = ROOT / ".build" / "checkouts" / location.rsplit("/", 1)[1]
        text = next(checkout.glob("LICENSE*")).read_text(encoding="utf-8")
        version = pin["state"]["version"]
        yield location.rsplit("/", 1)[1], version, PACKAGES[pin["identity"]], f"pkg:swift/{location}@{version}", text


def debian_libraries():
    for file, licence in LIBRARIES.items():
        path = pathlib.Path(output("gcc", "-print-file-name=" + file))
        if not path.is_absolute():
            raise SystemExit(f"components: {file} is missing: scripts/build-command links it")
        # Debian's database lists files below /usr/lib under the name they were packed with.
        package = output("dpkg-query", "-S", str(path.resolve())).split(":")[0]
        version, source = output("dpkg-query", "-W", "-f", "${Version} ${source:Package}", package).split()
        text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8", errors="replace")
        yield source, version, licence, f"pkg:deb/debian/{package}@{version.replace('+', '%2B')}", text


def toolchain():
    swift = pathlib.Path(output("sh", "-c", "readlink -f $(command -v swift)")).parent.parent
    text = (swift / "share" / "swift" / "LICENSE.txt").read_text(encoding="utf-8")
    version = re.search(r"Swift version ([0-9.]+)", output("swift", "--version")).group(1)
    for (name, licence), words in zip(TOOLCHAIN, (text, ICU)):
        yield name, version, licence, f"pkg:generic/swift@{version}", words


def components():
    return [*toolchain(), *swift_packages(), *debian_libraries()]


def notices():
    """Same texts are printed once."""
    texts = {}
    for name, version, licence, _, text in components():
        texts.setdefault(text.strip(), []).append(f"{name} {version} ({licence})")
    print("launchprof is linked statically with the works below. Their licences ask that these notices come with it.\n"
          "launchprof itself is under the Apache License 2.0; its complete source allows it to be linked with another\n"
          "glibc, as the LGPL asks.\n")
    for text, names in texts.items():
        print("=" * 100, *names, "-" * 100, text, "", sep="\n")


def sbom(version, date):
    listed = []
    for name, number, licence, purl, _ in components():
        licences = [{"expression": licence}] if " " in licence else [{"license": {"id": licence}}]
        listed.append({"type": "library", "bom-ref": f"{purl}#{name}", "name": name, "version": number, "licenses": licences,
                       "purl": purl})
    command = {"type": "application", "bom-ref": "launchprof", "name": "launchprof", "version": version,
               "licenses": [{"license": {"id": "Apache-2.0"}}]}
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"timestamp": date, "component": command},
        "components": listed,
        "dependencies": [{"ref": "launchprof", "dependsOn": [one["bom-ref"] for one in listed]}],
    }
    # The same content gets the same number.
    content = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}"
    print(json.dumps(document, indent=2, ensure_ascii=False))


match sys.argv[1:]:
    case ["notices"]:
        notices()
    case ["sbom", version, date]:
        sbom(version, date)
    case _:
        raise SystemExit(__doc__)
