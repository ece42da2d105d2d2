public import LaunchTrace

extension PhaseCosts {
  /// What the recorder wrote at the end of a slice; nil when it did not.
  public init?(of slice: SliceIndex, in trace: Trace) {
    let row = AnnotationRow(trace, row: trace.slices.annotation[slice])
    guard let cpu = row.integer("cpu_ns") else { return nil }
    self.init(
      cpu: cpu, minorFaults: row.integer("minor_faults") ?? 0, majorFaults: row.integer("major_faults") ?? 0,
      voluntarySwitches: row.integer("voluntary_switches") ?? 0,
      involuntarySwitches: row.integer("involuntary_switches") ?? 0, readBytes: row.integer("read_bytes") ?? 0)
  }
}
