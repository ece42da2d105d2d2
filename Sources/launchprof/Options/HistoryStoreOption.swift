// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Where the history of launches is kept.
struct HistoryStoreOption: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "File of the history (default: $LAUNCHPROF_HISTORY, else .launchprof/history.sqlite here).", valueName: "file"),
    completion: .file())
  var path: String?
}
