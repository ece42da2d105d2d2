// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// `record --detail scheduling`: what threads wait for and who ends their waits, from the kernel's records. These
/// tests depend on time: on a busy machine a thread may start its wait too late.
struct SchedulingTruthTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try .observingInTime() }

  private var directory: TemporaryDirectory { launchprof.directory }
  private let millisecond: Int64 = 1_000_000
  private static let options = ["--detail", "scheduling", "--ready", "exit"]

  /// The finding main-thread-waiting in a recorded launch.
  private func waiting(_ trace: String) throws -> FoundReport.Found {
    let findings = try #require(try FoundReport(launchprof, trace).launches.first).findings
    return try #require(findings.first { $0.id == "main-thread-waiting" }, "\(findings)")
  }

  private func isAsked(_ trace: String) throws -> Bool {
    let states = try ObservedLaunch(launchprof, trace).fact("wait_states")
    #expect(states == .string(Scheduler.mayBeAsked ? "kernel" : "looks"))
    return states == .string("kernel")
  }

  /// In one launch, 77 ms passed from when the kernel's events saw the thread end until it woke the one that joined it. The
  /// longest wait was then that one.
  private func recordedCondition() throws -> String {
    var trace = ""
    let slow = try LaunchSeries.unseen {
      let recorded = try launchprof.record([HeldUp.program(), "condition"], options: Self.options)
      #expect(recorded.run.succeeded, "\(recorded.run.errorText)")
      trace = recorded.trace
      let total = try JSONReport(launchprof, trace).total
      return total < 100 * Int(millisecond) ? [] : ["the launch took \(total) ns"]
    }
    #expect(slow.isEmpty)
    return trace
  }

  @Test(.enabled(if: Scheduler.mayBeAsked, "the scheduler's tracepoints are not allowed here"))
  func aConditionAndWhoSignalledIt() throws {
    let trace = try recordedCondition()
    #expect(try isAsked(trace))
    let finding = try waiting(trace)
    #expect(finding.subject.hasPrefix("signaller ("), "\(finding)")
    #expect(finding.actual >= 40 * millisecond)
    #expect(finding.piece("system-call")?.text == "futex")
    // It slept before, in this function.
    #expect(finding.piece("thread")?.text.hasSuffix(") ended the wait, in signal_condition") == true, "\(finding)")
    // The critical path includes the thread that signals.
    let table = try launchprof.run(["report", trace, "--by", "thread", "--format", "csv"]).text
    let row = table.split(separator: "\r\n").first { $0.hasPrefix("thread,signaller (") } ?? ""
    let numbers = row.split(separator: ",", omittingEmptySubsequences: false).suffix(2).map { Int64($0) ?? -1 }
    #expect(numbers.first ?? 0 >= 40 * millisecond && numbers.last ?? -1 <= 0, "\(table)")
  }

  /// The process that writes to the FIFO does not belong to the launch.
  @Test func aWriterOfAnotherProgram() throws {
    let pipe = directory.appending("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // The shell's open succeeds when the FIFO is open for reading.
    let writer = try RunningProcess.start("/bin/sh", ["-c", "exec 3>\(pipe); sleep 0.1; printf x >&3"])
    let (run, trace) = try launchprof.record([HeldUp.program(), "writer", pipe], options: Self.options)
    let written = try writer.finish()
    #expect(run.succeeded && written.succeeded, "\(run.errorText)")
    let finding = try waiting(trace)
    guard try isAsked(trace), Scheduler.knowsOtherPrograms else {
      return #expect(finding.subject == "read (fifo)", "\(finding)")
    }
    #expect(finding.subject.hasPrefix("sh ("), "\(finding)")
    #expect(finding.piece("thread")?.text.hasSuffix(") ended the wait") == true, "\(finding)")
  }

  /// Page faults in scattered places, without a system call.
  @Test(arguments: [false, true]) func pagesOfAColdFile(isExact: Bool) throws {
    let source = """
      #include <fcntl.h>
      #include <sys/mman.h>
      int main(int count, char **arguments) {
        int file = open(arguments[count - 1], O_RDONLY);
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        volatile char *bytes = mmap(0, 30 << 20, PROT_READ, MAP_PRIVATE, file, 0);
        int sum = 0;
        madvise((void *)bytes, 30 << 20, MADV_RANDOM);
        for (long place = 0; place < 30 << 20; place += 1 << 19) sum += bytes[place];
        return sum == 1;
      }
      """
    let path = try Truth.coldFile(in: directory)
    let program = try CompiledProgram.c(source, "pages", in: directory)
    let (run, trace) = try launchprof.record(
      [program, path], options: isExact ? Self.options : ["--ready", "exit"])
    #expect(run.succeeded, "\(run.errorText)")
    let report = try launchprof.run(["report", "--full", trace]).text
    #expect(report.contains("blocked in I/O") && report.contains("page-fault \(path.prefix(10))"), "\(report)")
    let isAsked = try isExact && isAsked(trace)
    #expect(report.contains(isAsked ? "the kernel's scheduler reported" : "looks at /proc"), "\(report)")
    let json = try JSONReport(launchprof, trace)
    #expect((json.launch["states"] as? [String: Int])?.values.reduce(0, +) == json.total)
  }

  /// Every launch of a series has the detail.
  @Test func aSeries() throws {
    let series = directory.appending("series/")
    let run = try launchprof.run(
      ["record", "-q", "-n", "3", "-o", series] + Self.options + ["--", HeldUp.program(), "sleep"])
    #expect(run.succeeded, "\(run.errorText)")
    // The message appears once, also with -q.
    let refusals = run.errorText.split(separator: "\n").filter { $0.hasPrefix("--detail scheduling: ") }
    #expect(refusals.count == (Scheduler.mayBeAsked ? 0 : 1), "\(run.errorText)")
    let launches = try FoundReport(launchprof, series).launches
    #expect(launches.count == 3)
    for launch in launches {
      let finding = try #require(launch.finding("main-thread-waiting"), "\(launch.findings)")
      #expect(finding.actual >= 49 * millisecond)
      #expect(finding.subject.hasSuffix("nanosleep"), "\(finding)")
      // A timer has no culprit.
      #expect(finding.piece("thread") == nil)
    }
  }
}
