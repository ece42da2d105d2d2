internal import LaunchAnalysis

/// What the main thread waited for, in words: `read /srv/cold.dat`, `futex, held by worker (4720): rebuild index`.
struct CauseText {
  let text: String

  init(_ cause: WaitCause, timeline: LaunchTimeline, unit: TimeUnit) {
    var words: [String] = []
    if let call = cause.systemCall { words.append(call) }
    if let path = cause.path { words.append(path) }
    var text = words.joined(separator: " ")
    if let culprit = cause.culprit {
      let thread = timeline.trace.title(ofTrack: culprit, isMain: false)
      let link =
        switch cause.link {
        case .owner?: "held by"
        case .overlap?: "meanwhile"
        case .wakeup?, nil: "until woken by"
        }
      text += (text.isEmpty ? "" : ", ") + "\(link) \(thread)" + (cause.activity.map { ": \($0)" } ?? "")
    }
    self.text = cause.count > 1 ? "\(text) (\(cause.count) times, \(unit.number(cause.total)))" : text
  }
}
