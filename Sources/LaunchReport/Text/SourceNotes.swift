// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Where the phases of an observed launch come from, and what the observation or the trace lacks.
struct SourceNotes {
  let timeline: LaunchTimeline
  let unit: TimeUnit

  func write(to page: inout TextPage) {
    if timeline.observation != nil, let sources { page.paragraph(sources, indent: 2, .faint) }
    writeShortcomings(to: &page)
  }

  /// What the trace lacks, so that readers do not take it for complete.
  func writeShortcomings(to page: inout TextPage) {
    for note in shortcomings { page.paragraph(note, indent: 2, .faint) }
  }

  var shortcomings: [String] {
    timeline.losses + successor + (timeline.observation.map(shortcomings(of:)) ?? [])
  }

  private var successor: [String] {
    guard let (name, time) = timeline.successor else { return [] }
    let (program, other) = (PlainName.escaped(timeline.program), PlainName.escaped(name))
    return ["after \(unit.text(time - timeline.start)), \(program) executed \(other), whose time is in these phases"]
  }

  private func shortcomings(of observation: Observation) -> [String] {
    var notes: [String] = []
    if !observation.shortcoming.isEmpty { notes.append(observation.shortcoming) }
    if observation.heldUp > (timeline.end - timeline.start) / Self.noShare { notes.append(delay(by: observation)) }
    if observation.lostRecords > 0 {
      let samples = observation.lostSamples > 0 ? ", \(observation.lostSamples) of them stack samples" : ""
      notes.append("\(observation.lostRecords) records were lost\(samples), so states and stacks have gaps")
    }
    if let (cut, all) = timeline.cutSamples {
      notes.append("\(cut) of \(all) stacks lack their outer functions: \(causes(of: observation))")
    }
    if let until = observation.until {
      notes.append("observed for only \(unit.text(until - timeline.start)), because the data reached its limit")
    }
    if observation.untimedLibraries > 0 {
      let one = observation.untimedLibraries == 1
      notes.append(
        "the agent could not time \(observation.untimedLibraries) \(one ? "library" : "libraries"); "
          + "\(one ? "its" : "their") time is included in that of others")
    }
    if observation.lostAgentRecords > 0 {
      notes.append(
        "\(observation.lostAgentRecords) records of the agent were lost, so times of libraries and initialisers are missing"
      )
    }
    return notes
  }

  /// Why stacks are cut: all that may be, if the trace does not say.
  private func causes(of observation: Observation) -> String {
    // Copies by perf events have no limit of their own. Without perf events, `--stack-bytes 0` is the standard size.
    let hasLimit = observation.means != "perf"
    let mayBeFull = hasLimit && timeline.mayHaveFilledStacks
    let known = observation.cutStacks
    let causes = known.isEmpty ? [.shortCopy] + (mayBeFull ? [.noCopy] : []) + [.noTables] : known
    let texts = causes.map { cause in
      switch cause {
      case .shortCopy: "their copies were too short (--stack-bytes)"
      case .noCopy where hasLimit: "all copies together reached 64 MiB (--sample-rate)"
      case .noCopy: "they were not copied (--stack-bytes)"
      case .noTables: "code has no unwind tables"
      case .tooDeep: "they are very deep"
      }
    }
    return texts.joined(separator: ", or ")
  }

  private func delay(by observation: Observation) -> String {
    // With perf events there are no breakpoint instructions. A launched shell is still attached, and stops for each signal.
    let isPerf = observation.means == "perf"
    let tracer = isPerf ? "stops by launchprof" : "breakpoint instructions"
    let cause = observation.stopsForStacks ? "stops for stack samples" : tracer
    let others = observation.heldUpThreads
    let delay =
      others > 0
      ? "\(cause) delayed the main thread by \(unit.text(observation.heldUp)), and others by \(unit.text(others))"
      : "\(cause) delayed the program by \(unit.text(observation.heldUp))"
    let isLarge = observation.heldUp > (timeline.end - timeline.start) / Self.smallShare
    return delay + (isPerf && isLarge ? ": --no-observation avoids that" : "")
  }

  /// The launch divided by this: a shorter delay is not told.
  private static let noShare: Int64 = 1000
  /// The launch divided by this: a shorter delay does not matter.
  private static let smallShare: Int64 = 50

  /// `exec by the kernel; relocate, static-init by breakpoints`, in the order of the phases.
  private var sources: String? {
    let groups = timeline.phases.filter { !$0.isUnattributed }.grouped(by: \.source)
    guard groups.contains(where: { Self.fromOutside.contains($0.key) }) else { return nil }
    return groups.map { source, phases in
      phases.grouped(by: \.id).map(\.key).joined(separator: ", ") + " " + Self.name(source)
    }.joined(separator: "; ")
  }

  private static let fromOutside: Set<Source> = [.kernel, .breakpoint, .ptrace, .audit]

  private static func name(_ source: Source) -> String {
    switch source {
    case .launcher: "by the launcher"
    case .kernel: "by the kernel"
    case .breakpoint: "by hardware breakpoints"
    case .ptrace: "by breakpoint instructions"
    case .audit: "by the loader"
    case .preinit: "by the program's recorder"
    case .api: "by the program"
    case .estimated: "estimated"
    }
  }
}
