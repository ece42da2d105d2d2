/// What every trace stays within, so that no sum over a launch overflows 64 bits.
///
/// `TraceBuilder.finish` leaves out and counts what lies beyond: nothing behind it has to check.
package enum TraceLimits {
  /// Times lie within ± this, ns: counted from 1970, until 2043.
  package static let time: Int64 = 1 << 61
  /// The weights of all samples together.
  package static let weight: Int64 = 1 << 52
  /// The durations of all slices together, ns.
  package static let work: Int64 = 1 << 60
  /// The largest number that an annotation gives to the analysis.
  package static let number: Int64 = 1 << 52

  /// How far apart two times of a trace may lie, ns: 52 days. Less with more than 512 tracks, each of which may last as
  /// long as the trace.
  static func span(tracks: Int) -> Int64 { min(1 << 52, (1 << 61) / Int64(max(1, tracks))) }
}
