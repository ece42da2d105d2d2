// SPDX-License-Identifier: Apache-2.0

import LaunchReport

/// The name of a file of launch records.
enum RecordFileName {
  /// What is wrong with it; nil if nothing is. Records are JSON Lines, whatever the name says (D331).
  ///
  /// - Parameter option: the one that names the file.
  static func mistake(_ path: String, option: String) -> String? {
    guard let format = ReportFormat(path: path), format != .json else { return nil }
    return
      "\(option) \(shown(path)): launch records are lines of JSON, not \(format.rawValue); name it .jsonl, .jsonl.zst or .jsonl.gz"
  }
}
