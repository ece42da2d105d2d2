// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

struct FlatObjectScannerTests {
  @Test func valuesOfEachKindAreRead() {
    let line =
      #" { "a":"b", "c" : -12, "d":1.5e3,"e":true,"f":false,"g":null,"h":{"i":["}"]},"j":1234567890123456789 } "#
    let expected = [
      "a:b", "c:-12", "d:1500.0", "e:true", "f:false", "g:null", #"h:{"i":["}"]}"#, "j:1.2345678901234568e+18",
    ]
    #expect(members(of: line) == expected)
    #expect(members(of: "{}") == [])
  }

  /// A string is looked at in steps of eight bytes, which may hold its end and an escape at any place.
  @Test func stringsOfEachLengthEndAtTheirQuote() {
    for length in 0..<24 {
      let text = String(repeating: "!", count: length)
      for rest in ["", #"\""#, #"\\"#, #"\\é#"#] {
        #expect(members(of: #"{"\#(text)":"\#(text)\#(rest)","x":1}"#) == ["\(text):\(text)\(rest)", "x:1"])
      }
    }
  }

  @Test(arguments: [
    "", "1", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, #"{"a":1}}"#, #"{"a":"b\"#,
    #"{"a":[1"#,
    #"{"a":[@]}"#, #"{"a":truth}"#, #"{"a":nan}"#, #"{"a":-}"#, #"{"a":+1}"#, #"{"a":0x10}"#, #"{"a":12abc}"#,
    "{\u{1}\"a\":1}", "{\"a\":\u{0}1}",
  ])
  func whatIsNoObjectIsBroken(_ line: String) { #expect(members(of: line) == nil) }

  private func members(of line: String) -> [String]? {
    Array(line.utf8).withUnsafeBytes { bytes in
      guard var scanner = FlatObjectScanner(bytes) else { return nil }
      var members: [String] = []
      while true {
        switch scanner.next() {
        case .member: members.append(String(decoding: scanner.key, as: UTF8.self) + ":" + text(scanner.value))
        case .end: return members
        case .broken: return nil
        }
      }
    }
  }

  private func text(_ value: FlatObjectScanner.Value) -> String {
    switch value {
    case .text(let text, _), .nested(let text): String(decoding: text, as: UTF8.self)
    case .integer(let number, _): "\(number)"
    case .number(let number, _): "\(number)"
    case .flag(let flag): "\(flag)"
    case .null: "null"
    }
  }
}
