// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

extension SampleLaunch {
  /// A lazy global, or a wait for one, as the observer writes it.
  package mutating func global(
    _ name: String, image: String = "/usr/bin/notes-server", from start: Int64, to end: Int64?,
    on track: TrackID? = nil, token: UInt64, isWait: Bool = false
  ) {
    interval(
      isWait ? "waiting for " + name : name, from: start, to: end, on: track, category: "launchprof.global",
      [
        ("name", .string(name)), ("image", .string(image)), ("offset", .pointer(0x12a0)), ("token", .pointer(token)),
        ("callers", .array([.string("\(name).unsafeMutableAddressor : Swift.Int"), .string("app.main() -> ()")])),
        ("is_wait", .bool(isWait)),
      ])
  }
}
