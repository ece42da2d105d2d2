// SPDX-License-Identifier: Apache-2.0

import Foundation

#if !WITHOUT_NETWORK && canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Note: Codable {
  struct Author: Codable {
    var name: String
    var mail: String?
  }
  var title: String
  var author: Author
  var tags: [String]
  var ratings: [String: Double]
}

private let json = Data(
  #"{"title":"a","author":{"name":"b"},"tags":["c","d"],"ratings":{"e":1.5}}"#.utf8)
private let date = Date(timeIntervalSince1970: 1_800_000_000)

/// What Foundation does.
@MainActor let foundationUses: [Use] =
  [
    Use(name: "`Date()`") { Date() },
    Use(name: "`UUID()`") { UUID() },
    Use(name: "`URL(string:)`") { URL(string: "https://example.org/a?b=c") as Any },
    Use(name: "`ProcessInfo.processInfo.environment`") { ProcessInfo.processInfo.environment },
    Use(name: "`FileManager.default.fileExists`") { FileManager.default.fileExists(atPath: "/etc/hostname") },
    Use(name: "`Data(contentsOf:)` of a small file") {
      (try? Data(contentsOf: URL(fileURLWithPath: "/etc/passwd"))) as Any
    },
    Use(name: "`JSONDecoder`, nested types") { (try? JSONDecoder().decode(Note.self, from: json)) as Any },
    Use(name: "`JSONEncoder`, a dictionary") { (try? JSONEncoder().encode(["a": 1])) as Any },
    Use(name: "`JSONSerialization`") { (try? JSONSerialization.jsonObject(with: json)) as Any },
    Use(name: "`String(format:)`") { String(format: "%.2f", 1.5) },
    Use(name: "`replacingOccurrences(of:with:)`") { "a-b".replacingOccurrences(of: "-", with: "+") },
    Use(name: "`NSRegularExpression`") {
      (try? NSRegularExpression(pattern: "(\\d+)"))?.firstMatch(in: "a12", range: NSRange(location: 0, length: 3))
        as Any
    },
    Use(name: "`Locale.current`") { Locale.current.identifier },
    Use(name: "`TimeZone.current`") { TimeZone.current.secondsFromGMT(for: date) },
    Use(name: "`Calendar.current`") { Calendar.current.component(.year, from: date) },
    Use(name: "`ISO8601DateFormatter`") { ISO8601DateFormatter().string(from: date) },
    Use(name: "`date.ISO8601Format()`") { date.ISO8601Format() },
    Use(name: "`DateFormatter`") {
      let formatter = DateFormatter()
      formatter.dateFormat = "yyyy-MM-dd"
      return formatter.string(from: date)
    },
    Use(name: "`date.formatted()`") { date.formatted() },
    Use(name: "`NumberFormatter`") { NumberFormatter().string(from: 1234.5) as Any },
    Use(name: "`1234.formatted()`") { 1234.formatted() },
    Use(name: "`UserDefaults.standard`") { UserDefaults.standard.integer(forKey: "a") },
    Use(name: "`Bundle.main`") { Bundle.main.bundlePath },
    Use(name: "`NotificationCenter.default`") { NotificationCenter.default },
    Use(name: "`OperationQueue`, one operation") {
      let queue = OperationQueue()
      queue.addOperation {}
      queue.waitUntilAllOperationsAreFinished()
      return queue
    },
  ] + networkUses

/// The static library asks for libcurl's development package.
#if WITHOUT_NETWORK
@MainActor private let networkUses: [Use] = []
#else
@MainActor private let networkUses = [Use(name: "`URLSession.shared`") { URLSession.shared }]
#endif
