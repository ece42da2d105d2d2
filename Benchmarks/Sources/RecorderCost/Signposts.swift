// SPDX-License-Identifier: Apache-2.0

import CMeasure
import LaunchProfiler
import Measuring

/// A signposter as a static property, as in real programs.
enum Log { static let signposter = LaunchSignposter(subsystem: "org.example.bench", category: "global") }

enum Failure: Error { case expected }

/// The call sites of this library. Each is a loop. The work inside the interval keeps the optimiser from removing it.
enum Signposts {
  static let pair = "withIntervalSignpost"
  static let sustained = "withIntervalSignpost, 10,000 in a row"
  static let global = "withIntervalSignpost, signposter in a static let"
  static let awaited = "async withIntervalSignpost"
  static let bareAwait = "bare await"
  static let returningAwait = "bare await that returns to its actor"

  /// Cheap enough to run also while nothing is recorded.
  static func candidates(_ signposter: LaunchSignposter) -> [Candidate] {
    [
      Candidate(pair) { scoped(signposter, $0) },
      Candidate(global) { scopedGlobal($0) },
      Candidate("withIntervalSignpost, typed throws") { typedThrows(signposter, $0) },
      Candidate("withIntervalSignpost, body throws") { throwing(signposter, $0) },
      Candidate("withIntervalSignpost, 16 names in turn") { manyNames(signposter, $0) },
      Candidate("withIntervalSignpost, literal message", burst: 500) { message(signposter, $0) },
      Candidate("withIntervalSignpost, interpolated message", burst: 500) { interpolated(signposter, $0) },
      Candidate("beginInterval + endInterval") { beginEnd(signposter, $0) },
      Candidate("emitEvent (one event)") { event(signposter, $0) },
      Candidate("emitEvent, literal message (one event)", burst: 500) { eventMessage(signposter, $0) },
      Candidate("counter (one value)", burst: 500) { counter($0) },
      Candidate("phase", burst: 200) { phase($0) },
      Candidate(async: bareAwait) { await bare($0) },
      Candidate(async: returningAwait) { await returning($0) },
      Candidate(async: awaited) { await awaited(signposter, $0) },
    ]
  }

  @inline(never) static func scoped(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count { signposter.withIntervalSignpost("work") { cm_keep(UInt64(i)) } }
  }

  @inline(never) private static func scopedGlobal(_ count: Int) {
    for i in 0..<count { Log.signposter.withIntervalSignpost("work") { cm_keep(UInt64(i)) } }
  }

  @inline(never) private static func typedThrows(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count {
      do throws(Failure) {
        try signposter.withIntervalSignpost("typed") { () throws(Failure) in
          cm_keep(UInt64(i))
          if i < 0 { throw Failure.expected }
        }
      } catch { cm_keep(1) }
    }
  }

  @inline(never) private static func throwing(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count {
      do throws(Failure) {
        try signposter.withIntervalSignpost("throws") { () throws(Failure) in
          cm_keep(UInt64(i))
          if i >= 0 { throw Failure.expected }
        }
      } catch { cm_keep(1) }
    }
  }

  @inline(never) private static func manyNames(_ signposter: LaunchSignposter, _ count: Int) {
    let names: [StaticString] = [
      "configuration", "database", "cache", "network", "localization", "fonts", "theme", "session", "account",
      "analytics", "preferences", "migration", "index", "routes", "templates", "plugins",
    ]
    for i in 0..<count { signposter.withIntervalSignpost(names[i & 15]) { cm_keep(UInt64(i)) } }
  }

  @inline(never) private static func message(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count { signposter.withIntervalSignpost("message", "settings.json") { cm_keep(UInt64(i)) } }
  }

  @inline(never) private static func interpolated(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count {
      signposter.withIntervalSignpost("interpolated", "file \(i) of \(count)") { cm_keep(UInt64(i)) }
    }
  }

  @inline(never) private static func beginEnd(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count {
      let state = signposter.beginInterval("interval")
      cm_keep(UInt64(i))
      signposter.endInterval("interval", state)
    }
  }

  @inline(never) private static func event(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count {
      cm_keep(UInt64(i))
      signposter.emitEvent("event")
    }
  }

  @inline(never) private static func eventMessage(_ signposter: LaunchSignposter, _ count: Int) {
    for i in 0..<count {
      cm_keep(UInt64(i))
      signposter.emitEvent("event", "settings.json")
    }
  }

  @inline(never) private static func counter(_ count: Int) {
    for i in 0..<count { LaunchProfiler.counter("files", value: Double(i)) }
  }

  @inline(never) private static func phase(_ count: Int) {
    for i in 0..<count { LaunchProfiler.phase(.didFinishLaunching) { cm_keep(UInt64(i)) } }
  }

  @inline(never) private static func leaf(_ value: Int) async { cm_keep(UInt64(value)) }

  @inline(never) private static func bare(_ count: Int) async {
    for i in 0..<count { await leaf(i) }
  }

  /// Code of an actor goes back to it after each await, as the end of an interval does.
  @inline(never) private static func returning(_ count: Int, isolation: isolated (any Actor)? = #isolation) async {
    for i in 0..<count {
      await leaf(i)
      cm_keep(UInt64(i))
    }
  }

  @inline(never) private static func awaited(_ signposter: LaunchSignposter, _ count: Int) async {
    for i in 0..<count { await signposter.withIntervalSignpost("awaited") { await leaf(i) } }
  }
}
