// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Files in their own temporary directory.
struct TemporaryFiles {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = directory.appending(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}
