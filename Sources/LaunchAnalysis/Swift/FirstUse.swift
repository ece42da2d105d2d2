// SPDX-License-Identifier: Apache-2.0

/// Something of Foundation or the standard library whose first use is expensive, and what to use in its place:
/// docs/swift-at-launch.md, "What to use instead".
package struct FirstUse: Sendable {
  /// In Markdown, as the page has it.
  package let thing: String
  package let instead: String
  /// A function whose name contains one of these belongs to it.
  private let marks: [String]

  private init(_ thing: String, _ instead: String, _ marks: [String]) {
    (self.thing, self.instead, self.marks) = (thing, instead, marks)
  }

  /// For text without Markdown.
  package var plainThing: String { thing.filter { $0 != "`" } }
  package var plainInstead: String { instead.filter { $0 != "`" } }

  /// The use that a function belongs to; nil for other code.
  ///
  /// - Parameter function: demangled.
  static func of(_ function: String) -> FirstUse? {
    // Most names have none of these words.
    guard modules.contains(where: function.contains) else { return nil }
    // The name of other code has the types of its parameters.
    if let module = CodeNames.module(of: function), !LanguageCode.modules.contains(module) { return nil }
    return all.first { use in use.marks.contains { function.contains($0) } }
  }

  private static let modules = ["Foundation", "_StringProcessing.", "_typeName("]

  /// In the order of the page.
  package static let all = [
    FirstUse(
      "`date.formatted()`", "`date.ISO8601Format()`",
      [":FoundationEssentials.Date.formatted(", ".Date.FormatStyle.format("]),
    FirstUse(
      "`URLSession.shared` before the first request", "the same, with the first request",
      ["FoundationNetworking.URLSession."]),
    FirstUse("`ISO8601DateFormatter`", "`date.ISO8601Format()`", ["Foundation.ISO8601DateFormatter."]),
    FirstUse(
      "`DateFormatter`",
      "`date.ISO8601Format()` for time stamps, or the formatter in a `static let` that the launch does not ask for",
      ["Foundation.DateFormatter."]),
    FirstUse(
      "`Calendar.current` to compare dates", "`Date` and its intervals",
      ["FoundationEssentials.Calendar.current.getter", "FoundationEssentials.Calendar.autoupdatingCurrent.getter"]),
    FirstUse("`NSRegularExpression`", "a `Regex` literal", ["Foundation.NSRegularExpression."]),
    FirstUse(
      "`1234.formatted()`", "`description`, which needs no locale",
      [
        "IntegerFormatStyle.format(", "FloatingPointFormatStyle.format(", "Swift.BinaryInteger.formatted(",
        "Swift.BinaryFloatingPoint.formatted(",
      ]),
    FirstUse("`NumberFormatter`", "`description`, which needs no locale", ["Foundation.NumberFormatter."]),
    FirstUse("`UserDefaults.standard` for one setting", "the environment", ["Foundation.UserDefaults."]),
    FirstUse("`TimeZone.current` for time stamps", "`TimeZone.gmt`", ["FoundationEssentials.TimeZone.current.getter"]),
    FirstUse(
      "`Locale.current` for text that programs read", "`description`, or `Locale(identifier: \"en_US_POSIX\")`",
      ["FoundationEssentials.Locale.current.getter"]),
    FirstUse(
      "a `Regex` literal for a fixed text", "`split`, `hasPrefix`, `firstRange(of:)`", ["_StringProcessing.Regex."]),
    FirstUse("`String(describing: Type.self)` as a key", "`ObjectIdentifier(Type.self)`", ["_typeName("]),
  ]
}
