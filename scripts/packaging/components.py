#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists what is linked into the static command, with versions and licences, and the tools whose versions change the bytes.

  components.py notices             the licence texts of everything, for people
  components.py sbom VERSION DATE   a CycloneDX 1.5 document, for tools

Swift packages come from SwiftPM, libraries and tools of the system from Debian's database, and
the standard library from the toolchain. An unknown dependency is an error: add its licence here.
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
    "swift-argument-parser": "Apache-2.0 WITH Swift-exception",
    "swift-numerics": "Apache-2.0 WITH Swift-exception",
}
# Libraries of the system, by the file that is linked.
LIBRARIES = {
    "libc.a": "LGPL-2.1-or-later",
    "libstdc++.a": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc.a": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libsqlite3.a": "blessing",
    "libyaml.a": "MIT",
    "libz.a": "Zlib",
    "libzstd.a": "BSD-3-Clause",
    "libxcb.a": "X11",
    "libXau.a": "MIT-open-group",
    "libXdmcp.a": "MIT-open-group",
}
# Packages of Debian, with the compiler of the agent: what links, strips and compresses.
TOOLS = ["binutils", "dpkg", "gzip", "liblzma5"]


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def swift_packages():
    """(name, version, licence, purl, licence text) of each that the command needs.

    Package.resolved also has those of the tests, if they were built here.
    """
    described = output("swift", "package", "--traits", "Command", "--force-resolved-versions", "show-dependencies", "--format", "json")
    found = {}
    rest = json.loads(described)["dependencies"]
    while rest:
        package = rest.pop()
        found[package["identity"]] = package
        rest += package["dependencies"]
    for identity, package in sorted(found.items()):
        location = re.sub(r"^https://|\.git$", "", package["url"])
        text = next(pathlib.Path(package["path"]).glob("LICENSE*")).read_text(encoding="utf-8")
        version = package["version"]
        yield location.rsplit("/", 1)[1], version, PACKAGES[identity], f"pkg:swift/{location}@{version}", text


def package_of(path):
    # Debian's database lists files below /usr/lib under the name they were packed with.
    return output("dpkg-query", "-S", str(path.resolve())).split(":")[0]


def debian_version(package):
    """(source, version, purl)"""
    version, source = output("dpkg-query", "-W", "-f", "${Version} ${source:Package}", package).split()
    return source, version, f"pkg:deb/debian/{package}@{version.replace('+', '%2B')}"


def debian_libraries():
    for file, licence in LIBRARIES.items():
        # The command's linker: with several versions of GCC, clang takes another directory than gcc.
        path = pathlib.Path(output(toolchain_root() / "bin" / "clang", "-print-file-name=" + file))
        if not path.is_absolute():
            raise SystemExit(f"components: {file} is missing: scripts/build-command links it")
        package = package_of(path)
        source, version, purl = debian_version(package)
        text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8", errors="replace")
        yield source, version, licence, purl, text


def toolchain_root():
    return pathlib.Path(output("sh", "-c", "readlink -f $(command -v swift)")).parent.parent


def toolchain():
    text = (toolchain_root() / "share" / "swift" / "LICENSE.txt").read_text(encoding="utf-8")
    version = re.search(r"Swift version ([0-9.]+)", output("swift", "--version")).group(1)
    name = "Swift standard library and runtime, libdispatch"
    return name, version, "Apache-2.0 WITH Swift-exception", f"pkg:generic/swift@{version}", text


def tools():
    for package in [package_of(pathlib.Path(output("sh", "-c", "command -v gcc"))), *TOOLS]:
        _, version, purl = debian_version(package)
        yield {"type": "application", "name": package, "version": version, "purl": purl}


def components():
    return [toolchain(), *swift_packages(), *debian_libraries()]


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
        "formulation": [{"components": list(tools())}],
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
