// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `gate` as completions know it. Without a verb below it, it has the options of `gate check`, and ArgumentParser does not
/// complete those of a default verb.
struct CompletedGate: ParsableCommand {
  static let configuration = {
    var configuration = GateCommand.configuration
    configuration.defaultSubcommand = nil
    return configuration
  }()

  @OptionGroup var file: GateFileOption
  @OptionGroup var own: GateCheckOptions
  @OptionGroup var live: LiveOptions
  @OptionGroup var store: HistoryStoreOption
  @OptionGroup var comparison: ComparisonOptionGroup
}
