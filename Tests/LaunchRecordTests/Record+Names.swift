// SPDX-License-Identifier: Apache-2.0

import LaunchRecord

extension Record {
  private func value(_ name: String) -> Value? { fields.first { $0.key == name }?.value }

  /// A field by its whole name, for example `phase.main`.
  func number(_ name: String) -> Int64? { if case .number(let number)? = value(name) { number } else { nil } }
  func text(_ name: String) -> String? { if case .text(let text)? = value(name) { text } else { nil } }
}
