#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""zip.py ARCHIVE FOLDER NAME: packs FOLDER/NAME; the same bytes for the same content and SOURCE_DATE_EPOCH."""
import os
import pathlib
import sys
import time
import zipfile

archive, folder, name = sys.argv[1:]
moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
    for path in sorted(pathlib.Path(folder, name).rglob("*")):
        if path.is_file():
            entry = zipfile.ZipInfo(str(path.relative_to(folder)), moment)
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes())
