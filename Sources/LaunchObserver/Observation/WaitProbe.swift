internal import CLaunchObserver
import Glibc

/// Looks now and then at what the first thread of a process waits in: /proc/PID/task/TID/syscall and stat. While it waits
/// for another thread, at that one, too, and so on. The process does not notice.
///
/// It looks every millisecond at first, and later every hundredth of the time that has passed: the longer a launch, the
/// longer are the waits that matter. Each look costs the program something, too: while no thread waits for anything, there
/// are fewer.
struct WaitProbe {
  /// The first thread was off the CPU at two looks, at the same place; others at one look meanwhile.
  struct Finding {
    var threadID: Int32
    /// When it was seen there first. CLOCK_MONOTONIC ns.
    var time: Int64
    /// When it was seen there last.
    var lastTime: Int64
    /// `futex`, `read`, …; `page-fault` when it waits in none.
    var systemCall: String
    /// Of /proc/PID/task/TID/stat: S or D.
    var state: String
    /// The file behind the descriptor or the path that the call is about, empty for none.
    var path: String
    var awaited: AwaitedThread?
  }

  private let processID: Int32
  private let start: Int64
  private let call: Int32
  private(set) var nextTime: Int64?
  private(set) var findings: [Finding] = []
  private var last = Look()
  private var interval = shortest
  /// Of the threads that the first one waits for.
  private var others: [Int32: Look] = [:]

  private struct Look {
    var time: Int64 = 0
    /// As /proc/PID/syscall has it; empty while the thread runs.
    var place = ""
    /// Its row in `findings`.
    var finding: Int?
  }

  private static let shortest: Int64 = 1_000_000
  private static let longest: Int64 = 1_000_000_000
  /// Between looks at a program that computes.
  private static let longestOfBusy: Int64 = 4_000_000
  /// Waits that are kept.
  private static let most = 20_000
  /// Threads that are followed, one waiting for the other.
  private static let deepest = 4

  init(processID: Int32, start: Int64) {
    self.processID = processID
    self.start = start
    call = open("/proc/\(processID)/task/\(processID)/syscall", O_RDONLY | O_CLOEXEC)
    nextTime = call >= 0 ? start + Self.shortest : nil
  }

  /// - Parameter hasWaited: a thread of the program has given up its processor since the last look.
  mutating func look(at now: Int64, hasWaited: Bool) {
    let isBusy = !hasWaited && last.place.isEmpty
    interval = isBusy ? min(interval * 2, Self.longestOfBusy) : Self.shortest
    nextTime = now + max(interval, min(Self.longest, (now - start) / 100))
    if isBusy { return }
    guard let place = Self.place(call) else { return end() }
    if place.isEmpty || place != last.place {
      last = Look(time: now, place: place)
    } else if let row = last.finding {
      findings[row].lastTime = now
    } else if let finding = finding(of: processID, place, since: last.time, now) {
      last.finding = findings.count
      findings.append(finding)
    }
    if let row = last.finding { lookFurther(from: findings[row].awaited, at: now) }
    if findings.count >= Self.most { end() }
  }

  /// What is found so far is kept; the descriptor goes.
  mutating func end() {
    if nextTime != nil { close(call) }
    nextTime = nil
  }

  /// What the thread waits in that another one waits for, and so on.
  private mutating func lookFurther(from first: AwaitedThread?, at now: Int64) {
    var awaited = first
    var seen: Set<Int32> = [processID]
    while let thread = awaited?.id, seen.insert(thread).inserted, seen.count <= Self.deepest + 1 {
      let file = open("/proc/\(processID)/task/\(thread)/syscall", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      defer { close(file) }
      guard let place = Self.place(file) else { return }
      if let row = others[thread]?.finding, others[thread]?.place == place {
        findings[row].lastTime = now
      } else {
        others[thread] = Look(time: now, place: place)
        guard let finding = finding(of: thread, place, since: now, now) else { return }
        others[thread]?.finding = findings.count
        findings.append(finding)
      }
      awaited = others[thread]?.finding.flatMap { findings[$0].awaited }
    }
  }

  /// Where a thread waits, empty while it runs; nil when it has ended.
  private static func place(_ file: Int32) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      if count <= 0 { return nil }
      let text = String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return text == "running" ? "" : text
    }
  }

  private func finding(of thread: Int32, _ place: String, since time: Int64, _ now: Int64) -> Finding? {
    guard let state = Descendants.Process(id: thread, of: processID)?.state, state == "S" || state == "D" else {
      return nil
    }
    let fields = place.split(separator: " ")
    guard let number = fields.first.flatMap({ Int($0) }) else { return nil }
    var finding = Finding(
      threadID: thread, time: time, lastTime: now, systemCall: "page-fault", state: String(state), path: "")
    guard number >= 0 else { return finding }
    let arguments = fields.dropFirst().prefix(6).map { UInt64($0.dropFirst(2), radix: 16) ?? 0 }
    guard let form = lo_system_call_named(number)?.pointee, arguments.count == 6 else {
      finding.systemCall = "system call \(number)"
      return finding
    }
    finding.systemCall = String(cString: form.name)
    if form.descriptor_argument >= 0 {
      finding.path = linkTarget(
        "/proc/\(processID)/fd/\(Int32(truncatingIfNeeded: arguments[Int(form.descriptor_argument)]))")
    } else if form.path_argument >= 0 {
      finding.path = string(at: arguments[Int(form.path_argument)])
    }
    finding.awaited = AwaitedThread(processID, finding.systemCall, arguments)
    return finding
  }

  private func string(at address: UInt64) -> String {
    // Up to the end of the page only: the next one may not be there.
    var bytes = [UInt8](repeating: 0, count: Int(min(256, 4096 - address % 4096)))
    guard lo_read_memory(processID, address, &bytes, bytes.count) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Where a symbolic link points to, empty when it cannot be read.
func linkTarget(_ path: String) -> String {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &buffer, buffer.count)
  return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
