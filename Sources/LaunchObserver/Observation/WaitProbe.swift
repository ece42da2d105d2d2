internal import CLaunchObserver
import Glibc

/// Looks now and then at what the first thread of a process waits in: /proc/PID/task/TID/syscall and stat. The process
/// does not notice.
///
/// It looks every millisecond at first, and later every hundredth of the time that has passed: the longer a launch, the
/// longer are the waits that matter.
struct WaitProbe {
  /// The thread was off the CPU at two looks, at the same place.
  struct Finding {
    /// When it was seen there first. CLOCK_MONOTONIC ns.
    var time: Int64
    /// When it was seen there last.
    var lastTime: Int64
    /// `futex`, `read`, …; `page-fault` when it waits in none.
    var systemCall: String
    /// Of /proc/PID/stat: S or D.
    var state: String
    /// The file behind the descriptor or the path that the call is about, empty for none.
    var path: String
    /// The thread that holds the lock.
    var owner: Int32?
  }

  private let processID: Int32
  private let start: Int64
  private let call: Int32
  private(set) var nextTime: Int64?
  private(set) var findings: [Finding] = []
  private var last = Look()

  private struct Look {
    var time: Int64 = 0
    /// As /proc/PID/syscall has it; empty while the thread runs.
    var place = ""
    /// Its row in `findings`.
    var finding: Int?
  }

  private static let shortest: Int64 = 1_000_000
  private static let longest: Int64 = 1_000_000_000
  /// Waits that are kept.
  private static let most = 20_000

  init(processID: Int32, start: Int64) {
    self.processID = processID
    self.start = start
    call = open("/proc/\(processID)/task/\(processID)/syscall", O_RDONLY | O_CLOEXEC)
    nextTime = call >= 0 ? start + Self.shortest : nil
  }

  mutating func look(at now: Int64) {
    nextTime = now + max(Self.shortest, min(Self.longest, (now - start) / 100))
    guard let place = readPlace() else { return end() }
    if place.isEmpty || place != last.place {
      last = Look(time: now, place: place)
    } else if let row = last.finding {
      findings[row].lastTime = now
    } else if let finding = finding(place, since: last.time, now) {
      last.finding = findings.count
      findings.append(finding)
      if findings.count == Self.most { end() }
    }
  }

  /// What is found so far is kept; the descriptor goes.
  mutating func end() {
    if nextTime != nil { close(call) }
    nextTime = nil
  }

  /// Where the thread waits, empty while it runs; nil when it has ended.
  private func readPlace() -> String? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = pread(call, buffer.baseAddress, buffer.count, 0)
      if count <= 0 { return nil }
      let text = String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return text == "running" ? "" : text
    }
  }

  private func finding(_ place: String, since time: Int64, _ now: Int64) -> Finding? {
    guard let state = Descendants.Process(id: processID)?.state, state == "S" || state == "D" else { return nil }
    let fields = place.split(separator: " ")
    guard let number = fields.first.flatMap({ Int($0) }) else { return nil }
    var finding = Finding(
      time: time, lastTime: now, systemCall: "page-fault", state: String(state), path: "", owner: nil)
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
    if finding.systemCall == "futex" { finding.owner = FutexOwner.find(processID, arguments) }
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
