// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What speedscope's schema and its importer require of a file, compared by hand with version 1.25. Required members
/// and their types, existing frames, and events in order of time that close what they opened.
enum SpeedscopeCheck {
  static func violations(_ text: String) throws -> [String] {
    guard let file = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
      return ["not an object"]
    }
    var found: [String] = []
    if file["$schema"] as? String != "https://www.speedscope.app/file-format-schema.json" { found.append("$schema") }
    guard let frames = (file["shared"] as? [String: Any])?["frames"] as? [[String: Any]] else {
      return found + ["shared.frames"]
    }
    for (place, frame) in frames.enumerated() {
      let isLine = frame["line"] == nil || (frame["line"] as? NSNumber).map { $0.intValue >= 1 } == true
      if !(frame["name"] is String) || !isLine { found.append("frame \(place)") }
    }
    guard let profiles = file["profiles"] as? [[String: Any]], !profiles.isEmpty else { return found + ["profiles"] }
    let active = file["activeProfileIndex"] as? Int ?? 0
    if !profiles.indices.contains(active) { found.append("activeProfileIndex") }
    for (place, profile) in profiles.enumerated() {
      found += violations(profile, frames: frames.count).map { "profile \(place): \($0)" }
    }
    return found
  }

  private static let units = ["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"]

  private static func violations(_ profile: [String: Any], frames: Int) -> [String] {
    var found: [String] = []
    if !(profile["name"] is String) { found.append("name") }
    if !units.contains(profile["unit"] as? String ?? "") { found.append("unit") }
    guard let start = profile["startValue"] as? Double, let end = profile["endValue"] as? Double, start <= end else {
      return found + ["startValue or endValue"]
    }
    switch profile["type"] as? String {
    case "evented"?: found += violations(events: profile["events"], from: start, to: end, frames: frames)
    case "sampled"?:
      guard let samples = profile["samples"] as? [[Int]], let weights = profile["weights"] as? [Double],
        samples.count == weights.count
      else { return found + ["samples or weights"] }
      if samples.contains(where: { $0.contains { !(0..<frames).contains($0) } }) { found.append("a frame of a sample") }
    default: found.append("type")
    }
    return found
  }

  private static func violations(events: Any?, from start: Double, to end: Double, frames: Int) -> [String] {
    guard let events = events as? [[String: Any]] else { return ["events"] }
    var (open, time): ([Int], Double) = ([], start)
    for (place, event) in events.enumerated() {
      guard let at = event["at"] as? Double, let frame = event["frame"] as? Int, (0..<frames).contains(frame),
        at >= time, at <= end
      else { return ["event \(place)"] }
      time = at
      switch event["type"] as? String {
      case "O"?: open.append(frame)
      case "C"? where open.last == frame: open.removeLast()
      default: return ["event \(place) closes what is not open"]
      }
    }
    return open.isEmpty ? [] : ["\(open.count) frames stay open"]
  }
}
