// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The program's own milestones, the deferred work, the work that could be deferred, the extended launch tasks, and the
/// critical path of the launch's tasks.
struct WorkSection {
  /// The largest number of rows in a list. The rest is summed up.
  private static let limit = 6

  /// The most milestones in the list.
  private static let mostMilestones = 12

  private let timeline: LaunchTimeline
  private let milestones: [Milestone]
  private let deferred: [WorkPiece]
  private let deferrable: [WorkPiece]
  private let extended: [WorkPiece]
  private let schedule: TaskSchedule?
  private let unit: TimeUnit

  /// nil if there is nothing to show.
  init?(_ timeline: LaunchTimeline, unit: TimeUnit) {
    milestones = Self.milestones(of: timeline)
    deferred = timeline.deferredWork
    deferrable = timeline.deferrableWork
    extended = timeline.extendedTasks
    schedule = timeline.taskSchedule
    self.timeline = timeline
    self.unit = unit
    if milestones.isEmpty, deferred.isEmpty, deferrable.isEmpty, extended.isEmpty, schedule == nil { return nil }
  }

  /// What the program marked; nothing if that is only what the header says, too.
  private static func milestones(of timeline: LaunchTimeline) -> [Milestone] {
    let marked = timeline.milestones.filter { $0.source == .api && $0.id != MilestoneName.main }
    let told: Set = [timeline.endMilestone, MilestoneName.fullyDrawn]
    return marked.allSatisfy { told.contains($0.id) } ? [] : marked
  }

  func write(to page: inout TextPage) {
    if !milestones.isEmpty { writeMilestones(to: &page) }
    if !deferred.isEmpty { write("Deferred until after \(timeline.endMilestone)", deferred, to: &page) }
    if !deferrable.isEmpty { write("Could be deferred, if the first screen does not need it", deferrable, to: &page) }
    if !extended.isEmpty { writeExtended(to: &page) }
    if let schedule { write(schedule, to: &page) }
  }

  private func writeMilestones(to page: inout TextPage) {
    writeHeading("Milestones", to: &page)
    for milestone in milestones.prefix(Self.mostMilestones) {
      let time = milestone.time - timeline.start
      let missed = milestone.budget.flatMap { time > $0 ? "  budget \(unit.brief($0))" : nil }
      let name = page.style.name(milestone.id, columns: page.width - 18 - (missed?.count ?? 0))
      writeRow(name + (missed ?? ""), time, to: &page, missed == nil ? .plain : .bad)
    }
    let rest = milestones.count - Self.mostMilestones
    if rest > 0 { page.paragraph("\(rest) more", indent: 4, .faint) }
  }

  private func writeExtended(to page: inout TextPage) {
    write("Extended launch tasks", extended, to: &page)
    guard let end = extended.map({ $0.start + $0.duration }).max(), !extended.contains(where: \.isOpen) else { return }
    writeRow("from the start of the process to the end of the last one", end - timeline.start, to: &page, .strong)
  }

  private func write(_ title: String, _ pieces: [WorkPiece], to page: inout TextPage) {
    writeHeading(title, to: &page)
    for piece in pieces.prefix(Self.limit) {
      writeRow(piece.name + (piece.isOpen ? " (open)" : ""), piece.duration, to: &page)
    }
    let rest = pieces.dropFirst(Self.limit)
    if !rest.isEmpty { writeRow("\(rest.count) more", rest.reduce(0) { $0 + $1.duration }, to: &page, .faint) }
  }

  private func write(_ schedule: TaskSchedule, to page: inout TextPage) {
    let count = schedule.tasks.count
    writeHeading("Launch tasks: the critical path", to: &page)
    for task in schedule.criticalPath.prefix(Self.limit) {
      writeRow(task.piece.name + (task.isOnMainThread ? " (main thread)" : ""), task.piece.duration, to: &page)
    }
    let rest = schedule.criticalPath.dropFirst(Self.limit)
    if !rest.isEmpty { writeRow("\(rest.count) more", rest.reduce(0) { $0 + $1.piece.duration }, to: &page, .faint) }
    writeRow("in all, of \(count) task\(count == 1 ? "" : "s")", schedule.critical, to: &page, .strong)
    page.paragraph(
      "\(unit.text(schedule.work)) of work in \(unit.text(schedule.wall)). With any number of threads, it takes at least as "
        + "long as the critical path.", indent: 4, .faint)
  }

  private func writeHeading(_ title: String, to page: inout TextPage) {
    var line = TextLine(page.style)
    line.add("  " + page.style.name(title, columns: page.width - 14), .strong)
    line.skip(to: page.width - 12)
    line.add(right: unit.symbol, width: 12, .strong)
    page.end(line)
  }

  private func writeRow(_ name: String, _ time: Int64, to page: inout TextPage, _ ink: TextStyle.Ink = .plain) {
    var line = TextLine(page.style)
    line.add("    " + page.style.name(name, columns: page.width - 18), ink)
    line.skip(to: page.width - 12)
    line.add(right: unit.number(time), width: 12, ink)
    page.end(line)
  }
}
