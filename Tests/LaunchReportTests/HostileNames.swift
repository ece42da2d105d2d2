// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport

/// Names that no program should have, and launches that use them.
enum HostileNames {
  static let all: [String] = [
    "", " ", "\"", "\"\"", ",", "a,b\"c", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n", "\r\n", "a\nb", "a\tb",
    "'", "＝cmd", ";", "a;b", "\\", "a\\;b", "\u{0}", "\u{1B}[31mred\u{1B}[0m", "\u{7F}", "\u{85}", "\u{9B}31m",
    "\u{202E}drawkcab", "\u{2066}isolate\u{2069}", "שלום עולם", "مرحبا", "日本語の名前", "한국어", "👩‍👩‍👧‍👦", "🇩🇪",
    "e\u{301}\u{302}\u{303}", "z\u{300}\u{301}" + String(repeating: "\u{302}", count: 500), "\u{FEFF}", "\u{FE0F}x",
    "\u{300}y", "\u{200B}",
    "\u{E000}", "\u{FFFF}", "\u{10FFFF}", "\u{2028}", "\u{2029}", "```", "|", "<b>", "</details>", "*x*", "a b c",
    String(repeating: "x", count: 10_000), String(repeating: "長", count: 10_000), "%s%n", "$(rm)", "unattributed",
    "total",
  ]

  static func random(_ random: inout SeededGenerator) -> String {
    if Bool.random(using: &random) { return all.randomElement(using: &random) ?? "" }
    let scalars = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
      let limit: UInt32 = [0x80, 0x300, 0x3000, 0x11_0000].randomElement(using: &random) ?? 0x80
      return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// A launch in which every name, label and thread is hostile.
  static func launch(_ random: inout SeededGenerator) -> LaunchTimeline {
    func name() -> String { Self.random(&random) }
    var launch = SampleLaunch(program: name())
    if Bool.random(using: &random) { launch.recorder(preinit: 1000) }
    launch.metadata([
      ("version", .string(name())), ("reason", .string(name())), ("kind", .string(name())), (name(), .string(name())),
    ])
    launch.mark("main", at: 2000)
    var time: Int64 = 3000
    let worker = launch.thread(77, name: name())
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let end = time + .random(in: 0...40_000_000, using: &random)
      launch.phase(name(), from: time, to: end, cpu: Bool.random(using: &random) ? 17 : nil)
      launch.interval(name(), from: time, to: end, category: name())
      launch.interval(name(), from: time, to: time + (end - time) / 2)
      launch.interval(name(), from: time, to: Bool.random(using: &random) ? end : nil, on: worker)
      launch.async(name(), from: time, to: end, lane: launch.lane(name()), began: worker, ended: launch.main)
      time = end + 1
    }
    launch.initializer(name(), image: name(), from: time, to: time + 5_000_000)
    if Bool.random(using: &random) { launch.mark(name(), at: time + 6_000_000) }
    if Bool.random(using: &random) { launch.mark("ready", at: time + 7_000_000) }
    if Bool.random(using: &random) { launch.launcher(exit: time + 9_000_000, outcome: "signalled", signal: 6) }
    return LaunchTimeline(trace: launch.trace())
  }
}
