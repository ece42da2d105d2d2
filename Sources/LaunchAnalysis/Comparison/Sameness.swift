// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Why base and head cannot differ, whatever their times say.
package enum Sameness: String, Sendable, Equatable {
  /// Base and head are the same launches.
  case launches = "same-launches"
  /// Both sides launched the same file with the same arguments, and it needs the same libraries. Their names, sizes
  /// and relocations are equal, and so is the program's build ID. What it reads may have changed.
  case program = "same-program"

  /// - Parameters: counted launches, at least one a side.
  init?(_ base: [Measurement], _ head: [Measurement]) {
    if Self.isSame(base, head) {
      self = .launches
    } else if Self.haveOneProgram(base, head) {
      self = .program
    } else {
      return nil
    }
  }

  /// Whether an argument looks like the path of a file, which may have changed: of a script, an archive, a configuration. The
  /// program may be an interpreter, which is the same for ever (D366).
  static func mayReadOtherFiles(_ launches: [Measurement]) -> Bool {
    let marks = "./".utf8
    return launches.contains { launch in
      (launch.provenance.arguments ?? []).contains { $0.utf8.contains { marks.contains($0) } }
    }
  }

  private static func isSame(_ base: [Measurement], _ head: [Measurement]) -> Bool {
    base.count == head.count
      && zip(base, head).allSatisfy { old, new in
        // Traces of other tools have no session, but a file that is on both sides is the same.
        old.provenance.session == new.provenance.session
          && (!old.provenance.session.isEmpty || (!old.name.isEmpty && old.name == new.name))
          && old.provenance.side == new.provenance.side && old.provenance.round == new.provenance.round
          && old.values == new.values
      }
  }

  /// Whether all launches are of one program with the same arguments, as far as that is known.
  private static func haveOneProgram(_ base: [Measurement], _ head: [Measurement]) -> Bool {
    let first = base[0].provenance
    guard let image = first.image, !image.buildID.isEmpty, let arguments = first.arguments else { return false }
    // A program may do what its name says, as busybox does.
    return first.program == head[0].provenance.program
      && (base + head).allSatisfy { $0.provenance.image == image && $0.provenance.arguments == arguments }
  }
}
