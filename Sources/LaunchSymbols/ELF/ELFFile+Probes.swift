// SPDX-License-Identifier: Apache-2.0

extension ELFFile {
  /// Whether the file has static tracing probes of this provider. They are notes in SystemTap's layout, also in
  /// stripped files (https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation).
  package func hasProbes(of provider: String) -> Bool {
    guard let notes = section(named: ".note.stapsdt").flatMap({ content(of: $0) }) else { return false }
    let wanted = Array(provider.utf8) + [0]
    return notes.bytes.firstRange(of: wanted) != nil
  }
}
