// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

extension SampleLaunch {
  /// A first look-up, as the observer writes it.
  ///
  /// - Parameters:
  ///   - proto: nil for a type by its name.
  ///   - callers: innermost first.
  package mutating func lookup(
    _ type: String, _ proto: String?, from start: Int64, to end: Int64, on track: TrackID? = nil, repeats: UInt64 = 0,
    callsInside: UInt64 = 0,
    callers: [String] = ["swift_conformsToProtocolCommon", "swift_dynamicCast", "app.main() -> ()"]
  ) {
    let name = proto.map { "conformance \(type): \($0)" } ?? "type by name \(type)"
    interval(
      name, from: start, to: end, on: track, category: "launchprof.lookup",
      [
        ("kind", .string(proto == nil ? "type-name" : "conformance")), ("type", .string(type)),
        ("repeats", .uint(repeats)), ("calls_inside", .uint(callsInside)),
        ("callers", .array(callers.map { .string($0) })),
      ] + (proto.map { [("protocol", .string($0))] } ?? []))
  }
}
