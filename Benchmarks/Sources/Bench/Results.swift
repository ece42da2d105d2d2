// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation
import Measuring

/// The contents of the JSON file.
struct Results: Codable {
  struct Machine: Codable {
    let cpu: String
    let cpus: Int
    let kernel: String
    let toolchain: String
    let peers: String
  }

  /// A peer that was not installed, with figures from another machine.
  struct NotMeasured: Codable {
    let peer: String
    let reason: String
    let reference: String
  }

  var format = 1
  let date: String
  let seed: UInt64
  let machine: Machine
  var rows: [Row] = []
  var notMeasured: [NotMeasured]

  init(_ options: Options) {
    let cpus = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = cpus.split(separator: "\n").first { $0.hasPrefix("model name") }
    var kernel = utsname()
    uname(&kernel)
    date = ISO8601DateFormatter().string(from: Date())
    seed = options.seed
    machine = Machine(
      cpu: model.map { String($0.drop { $0 != ":" }.dropFirst(2)) } ?? "unknown", cpus: Int(cm_cpu_count()),
      kernel: withUnsafeBytes(of: kernel.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
      toolchain: options.toolchain, peers: options.peers)
    notMeasured = options.sections.contains("recorder") ? NotMeasured.all : []
  }

  /// Adds rows, and removes from `notMeasured` what a row names.
  mutating func add(_ new: [Row]) {
    rows += new
    notMeasured.removeAll { absent in new.contains { $0.name.hasPrefix(absent.peer) } }
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

extension Results.NotMeasured {
  /// Reference figures: the same method on a two-core x86-64 virtual machine, divided by two rdtsc.
  static let all = [
    Self(peer: "Tracy", reason: "no Debian package", reference: "2.3 (C++ zone), 4.2 (C API); 64 and 133 bytes a pair"),
    Self(peer: "Perfetto SDK", reason: "no Debian package", reference: "15.8–16.5; 40 bytes a pair"),
    Self(peer: "spall.h", reason: "no Debian package", reference: "1.19; 41 bytes a pair; not crash-proof"),
    Self(
      peer: "LTTng-UST", reason: "liblttng-ust-dev or lttng-tools is not installed",
      reference: "10.6–11.8; 20 bytes a pair"),
    Self(peer: "microprofile", reason: "libmicroprofile-dev is not installed", reference: "2.6"),
  ]
}
