// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchTrace

/// The messages that a program gave its intervals and events.
package struct RecordedMessages: Sendable {
  private let annotations: AnnotationTable
  /// nil if no event has one.
  private let key: StringID?

  /// Of a crafted file, one event may have a million annotations.
  private static let most = 1000

  package init(_ trace: Trace) {
    annotations = trace.annotations
    key = trace.strings.id(of: LS_KEY_MESSAGE)
  }

  /// The message of the beginning, and that of the end after `; `; nil if there is none.
  ///
  /// - Parameter row: of `Trace.annotations`.
  package subscript(row: UInt32) -> String? {
    guard let key, row != 0 else { return nil }
    let texts = annotations.first(Self.most, of: row).filter { $0.key == key }.map(\.value.plainText)
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }
}
