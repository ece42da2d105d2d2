// SPDX-License-Identifier: Apache-2.0

/// Random events in Chrome's JSON: nested, async, instants and counters of several processes, unsorted.
enum RandomChromeTrace {
  static func json(using random: inout some RandomNumberGenerator, events: Int) -> String {
    var lines: [String] = []
    var time = 1000
    var open: [String: [String]] = [:]
    for _ in 0..<events {
      // Every event has a different time, because sorters may order events of the same time differently.
      time += Int.random(in: 1...40, using: &random)
      let process = Int.random(in: 1...3, using: &random)
      let thread = process * 10 + Int.random(in: 0...2, using: &random)
      let name = "n\(Int.random(in: 0..<5, using: &random))"
      let category = "c\(Int.random(in: 0..<2, using: &random))"
      let place = "\"pid\":\(process),\"tid\":\(thread),\"ts\":\(time).\(Int.random(in: 0...999, using: &random))"
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4: lines.append("{\"ph\":\"B\",\"name\":\"\(name)\",\"cat\":\"\(category)\",\(place)}")
      case 4..<6: lines.append("{\"ph\":\"E\",\(place)}")
      case 6: lines.append("{\"ph\":\"E\",\"name\":\"\(name)\",\(place)}")
      case 7: lines.append("{\"ph\":\"i\",\"s\":\"t\",\"name\":\"instant \(name)\",\(place)}")
      case 8: lines.append("{\"ph\":\"C\",\"name\":\"counter\",\(place),\"args\":{\"a\":\(time),\"b\":1.5}}")
      case 9:
        lines.append(
          "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":\(process),\"tid\":\(thread),\"args\":{\"name\":\"t\(thread)\"}}"
        )
      default:
        let id = "\(Int.random(in: 0..<3, using: &random))"
        if let name = open[id]?.popLast() {
          lines.append("{\"ph\":\"e\",\"name\":\"\(name)\",\"cat\":\"a\",\"id\":\"\(id)\",\(place)}")
        } else {
          open[id, default: []].append(name)
          lines.append("{\"ph\":\"b\",\"name\":\"\(name)\",\"cat\":\"a\",\"id\":\"\(id)\",\(place)}")
        }
      }
    }
    lines.shuffle(using: &random)
    return "[" + lines.joined(separator: ",\n") + "]"
  }
}
