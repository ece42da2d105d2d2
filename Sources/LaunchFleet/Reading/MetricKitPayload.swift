// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A day of an app's launches, as MetricKit reports them: `MXMetricPayload.jsonRepresentation()`, histograms of times.
///
/// The launches of a bucket become records spread evenly over it: their times are known as well as the bucket is wide.
struct MetricKitPayload {
  static let key: StaticString = "applicationLaunchMetrics"
  /// The number of records that represent a bucket. If a bucket has more launches, the records have weights.
  private static let mostOfBucket = 100

  private let payload: JSONView
  private let histograms: JSONView

  /// nil if it is not such a payload, or not all of one.
  init?(_ bytes: UnsafeRawBufferPointer) {
    func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
    // Records may follow in the file: then the payload is not all of it.
    guard let payload = JSONView(bytes), let histograms = payload[Self.key],
      bytes.drop(while: isBlank).dropFirst(payload.bytes.count).allSatisfy(isBlank)
    else { return nil }
    (self.payload, self.histograms) = (payload, histograms)
  }

  func add(to builder: inout FleetTableBuilder) {
    histograms.forEachMember { name, histogram in
      guard let (kind, end) = Self.meaning(of: String(decoding: name, as: UTF8.self)) else { return }
      var buckets: [Bucket?] = []
      histogram["histogramValue"]?.forEachMember { buckets.append(Bucket($1)) }
      guard buckets.allSatisfy({ $0 != nil }) else {
        builder.census.unreadableHistograms += 1
        return
      }
      for bucket in buckets.compactMap(\.self) { add(bucket, kind: kind, end: end, to: &builder) }
    }
  }

  /// Names differ between systems: `histogrammedTimeToFirstDrawKey`, `histogrammedResumeTime`.
  private static func meaning(of name: String) -> (kind: String, end: String)? {
    if name.hasPrefix("histogrammedOptimizedTimeToFirstDraw") { return ("prewarmed", MilestoneName.firstFrame) }
    if name.hasPrefix("histogrammedTimeToFirstDraw") { return ("cold", MilestoneName.firstFrame) }
    if name.hasPrefix("histogrammedExtendedLaunch") { return ("cold", "extended-launch") }
    if name.hasPrefix("histogrammedResumeTime") || name.hasPrefix("histogrammedApplicationResumeTime") {
      return ("resume", MilestoneName.firstFrame)
    }
    return nil
  }

  private struct Bucket {
    var count: Int
    /// ns.
    var start: Double
    var end: Double

    init?(_ view: JSONView) {
      guard let count = view["bucketCount"]?.number, count >= 0, count < 1e9,
        let from = view["bucketStart"]?.string, let to = view["bucketEnd"]?.string,
        let start = LocalizedTime.nanoseconds(from), let end = LocalizedTime.nanoseconds(to), start >= 0, end >= start
      else { return nil }
      (self.count, self.start, self.end) = (Int(count), start, end)
    }
  }

  private func add(_ bucket: Bucket, kind: String, end: String, to builder: inout FleetTableBuilder) {
    let rows = min(bucket.count, Self.mostOfBucket)
    guard rows > 0, bucket.end > 0 else { return }
    builder.census.fromHistograms += bucket.count
    let meta = payload["metaData"]
    let labels: [(String, String?)] = [
      ("kind", kind), ("end", end), ("version", payload["appVersion"]?.string ?? meta?["appVersion"]?.string),
      ("build", meta?["appBuildVersion"]?.string), ("osVersion", meta?["osVersion"]?.string),
      ("machine", meta?["deviceType"]?.string), ("arch", meta?["platformArchitecture"]?.string),
    ]
    let time = payload["timeStampEnd"]?.string.flatMap { text in Self.time(text) }
    for row in 0..<rows {
      for (name, value) in labels {
        guard let value else { continue }
        let target = builder.target(ofKey: name)
        Array(value.utf8).withUnsafeBytes { builder.set(target, .text($0, hasEscapes: false)) }
      }
      let share = (Double(row) + 0.5) / Double(rows)
      builder.setMeasured(
        total: bucket.start + (bucket.end - bucket.start) * share, weight: Float(bucket.count) / Float(rows), time: time
      )
      builder.commitUnidentified()
    }
  }

  /// `2019-10-22 06:59:00 +0000` and RFC 3339.
  private static func time(_ text: String) -> Int64? {
    var bytes = Array(text.utf8)
    if bytes.count == 25, bytes[19] == UInt8(ascii: " ") {
      bytes.insert(UInt8(ascii: ":"), at: 23)
      bytes.remove(at: 19)
    }
    return bytes.withUnsafeBytes { RecordTime.seconds($0) }
  }
}

/// A time as MetricKit's formatter writes it in the language of the device: `1,530毫秒`, `1.000 ms`, `٢٬٠٠٠ ملي ث`.
enum LocalizedTime {
  private static let milliseconds: Set<String> = [
    "ms", "msec", "millisec", "milliseconds", "мс", "мсек", "毫秒", "ミリ秒", "밀리초", "msn", "มิลลิวินาที", "ملي ث", "मि॰से॰",
    "ms.",
    "χιλ. δευτ.", "mili giây",
  ]
  private static let seconds: Set<String> = ["s", "sec", "seconds", "с", "сек", "秒", "초", "sn", "ث", "giây", "วินาที"]

  /// ns; nil for a unit that is not known.
  static func nanoseconds(_ text: String) -> Double? {
    var number: [Character] = []
    var unit = ""
    for character in text where !Self.isInvisible(character) {
      if unit.isEmpty, character.wholeNumberValue != nil || ".,'’٫٬".contains(character) {
        number.append(character)
      } else if unit.isEmpty, character.isWhitespace {
        continue
      } else {
        unit.append(character)
      }
    }
    let name = unit.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let factor = milliseconds.contains(name) ? 1e6 : seconds.contains(name) ? 1e9 : nil
    guard let factor, let value = value(number) else { return nil }
    return value * factor
  }

  /// A separator before three digits groups them, unless only a zero is before it.
  private static func value(_ characters: [Character]) -> Double? {
    guard let last = characters.lastIndex(where: { $0.wholeNumberValue == nil }) else { return digits(characters) }
    let (before, after) = (characters[..<last], characters[(last + 1)...])
    guard let whole = before.isEmpty ? 0 : digits(before), let part = digits(after) else { return nil }
    if after.count == 3, whole != 0 { return digits(characters) }
    return whole + after.reduce(part) { value, _ in value / 10 }
  }

  private static func digits(_ characters: some Sequence<Character>) -> Double? {
    var (value, count) = (0.0, 0)
    for character in characters {
      guard let digit = character.wholeNumberValue, digit < 10 else { continue }
      value = value * 10 + Double(digit)
      count += 1
    }
    return count == 0 || count > 15 ? nil : value
  }

  private static func isInvisible(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .format }
  }
}
