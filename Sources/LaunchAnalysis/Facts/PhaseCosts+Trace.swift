// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchTrace

extension PhaseCosts {
  /// What the recorder wrote at the end of a slice; nil if it wrote nothing.
  package init?(of slice: SliceIndex, in trace: Trace) {
    let row = trace.annotations(ofSlice: slice)
    guard let cpu = row.integer(LS_KEY_CPU_NS) else { return nil }
    self.init(
      cpu: cpu, minorFaults: row.number(LS_KEY_MINOR_FAULTS), majorFaults: row.number(LS_KEY_MAJOR_FAULTS),
      voluntarySwitches: row.number(LS_KEY_VOLUNTARY_SWITCHES),
      involuntarySwitches: row.number(LS_KEY_INVOLUNTARY_SWITCHES), readBytes: row.number(LS_KEY_READ_BYTES))
  }
}
