// SPDX-License-Identifier: Apache-2.0

/// A viewer in a browser that reads a file from this machine, and shows it without sending it anywhere.
package enum Viewer: String, Sendable, CaseIterable {
  case perfetto, firefox, speedscope

  /// The only origin that may read the file.
  package var origin: String {
    switch self {
    case .perfetto: "https://ui.perfetto.dev"
    case .firefox: "https://profiler.firefox.com"
    case .speedscope: "https://www.speedscope.app"
    }
  }

  /// 0 for any. Perfetto's content security policy allows only this port.
  package var port: UInt16 { self == .perfetto ? 9001 : 0 }

  /// The address that opens the viewer with the file in it.
  ///
  /// - Parameters:
  ///   - file: the file's address on this machine.
  ///   - commands: what Perfetto runs when the trace is loaded.
  package func link(to file: String, title: String, commands: [PerfettoCommand] = []) -> String {
    let address = Self.escaped(file)
    switch self {
    case .perfetto:
      let list = "[" + commands.map(\.json).joined(separator: ",") + "]"
      return "\(origin)/#!/?url=\(address)" + (commands.isEmpty ? "" : "&startupCommands=\(Self.escaped(list))")
    case .firefox: return "\(origin)/from-url/\(address)/?profileName=\(Self.escaped(title))"
    case .speedscope: return "\(origin)/#profileURL=\(address)&title=\(Self.escaped(title))"
    }
  }

  /// The URL of a file (RFC 8089).
  ///
  /// - Parameter path: from the root of the file system.
  package static func link(toFile path: String) -> String {
    "file://"
      + path.split(separator: "/", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(separator: "/")
  }

  /// Percent-encoded (RFC 3986), except for characters that do not need it.
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }
}

/// A command of Perfetto's viewer. Those used here are stable (`startupCommands` of its deep links).
package struct PerfettoCommand: Sendable, Equatable {
  var id: String
  var arguments: [String]

  /// Pins the tracks whose name matches.
  package static func pinTracks(matching expression: String) -> PerfettoCommand {
    PerfettoCommand(id: "dev.perfetto.PinTracksByRegex", arguments: [expression])
  }

  /// Shows the rows of a query as a track. The rows have `ts`, `dur` and `name`.
  package static func sliceTrack(query: String, title: String) -> PerfettoCommand {
    PerfettoCommand(id: "dev.perfetto.AddDebugSliceTrack", arguments: [query, title])
  }

  var json: String {
    let list = arguments.map(Self.quoted).joined(separator: ",")
    return "{\"id\":\(Self.quoted(id)),\"args\":[\(list)]}"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20:
        result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// An expression that matches only `text`.
  package static func literal(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      "\\^$.|?*+()[]{}/".unicodeScalars.contains(scalar) ? "\\" + String(scalar) : String(scalar)
    }.joined()
  }
}
