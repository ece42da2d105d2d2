// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Which part of a command line is private.
enum Redaction {
  /// An argument as it is recorded. A note of its length replaces a URL in it, as in the program's recorder.
  static func argument(_ argument: String) -> String {
    let bytes = Array(argument.utf8)
    let place = bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ls_url_place($0.baseAddress, $0.count) }
    }
    guard place < bytes.count else { return argument }
    return String(decoding: bytes[..<place], as: UTF8.self) + "<URL, \(bytes.count - place) bytes>"
  }
}
