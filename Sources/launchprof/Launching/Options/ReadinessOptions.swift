// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchObserver
import LaunchTrace

/// When a launched program is ready, when it is ended after that, and whether it succeeded.
struct ReadinessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When the program is ready: stdout (its first output), notify (READY=1 on NOTIFY_SOCKET), listen, listen:PORT or "
        + "listen:/PATH, an http:// URL (a GET of it is answered with 200 to 299), window, exit, or a regular expression that matches a line of its output.",
      valueName: "rule"),
    completion: .list(["stdout", "notify", "listen", "window", "exit"]), transform: Self.rule)
  var ready: ReadyRule?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End the program this long after it is ready: 2 (seconds), 500ms (default: 100ms for several runs with --ready, else never).",
      valueName: "time"))
  var settle: SettleTime?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Exit statuses that mean success, besides 0: --success 1 for grep or diff, which exit with 1 if they found nothing, or a difference.",
      valueName: "status,..."),
    transform: Self.statuses)
  var success: Set<Int32>?

  /// ns.
  private static let defaultSettle: Int64 = 100_000_000

  func validate() throws {
    guard settle != nil else { return }
    switch ready {
    case nil: throw ValidationError("--settle: add --ready to say when the program is ready.")
    case .exit:
      throw ValidationError("--settle: has no effect with --ready exit, because the program has already ended.")
    default: break
    }
  }

  /// - Parameter messages: what launchprof already told about launches.
  func apply(
    to request: inout LaunchRequest, runs: Int, isQuiet: Bool, telling messages: LaunchMessages = LaunchMessages()
  ) {
    let isAsked = ready != nil && ready != .exit
    request.ready = ready ?? .automatic
    request.successes = success ?? []
    request.settle = settle?.nanoseconds ?? (isAsked && runs > 1 ? Self.defaultSettle : nil)
    guard !isQuiet else { return }
    request.background = { Self.inform(of: $0, messages) }
    request.awaitingOwnEnd = { Self.inform(of: $0, messages) }
    request.unmet = { gap in messages.tellOnce(.unmetRule, UnmetRule.lines(gap)) }
    guard ready == nil, runs > 1 else { return }
    request.lingering = { signal in
      let what = signal.kind == .window ? "has a window" : "listens (\(signal.detail))"
      messages.tellOnce(
        .lingers,
        ["The program \(what) and keeps running. To end each run when the program is ready: --ready \(signal.rule)"])
    }
  }

  private static func inform(of state: LaunchRequest.Background, _ messages: LaunchMessages) {
    switch state {
    case .awaited(let patience):
      messages.tellOnce(
        .awaitsBackground,
        [
          "The program has ended, but processes that it started are running. Waiting up to \(seconds(patience)) for one to be ready"
        ])
    case .unwatched(let processes):
      let (one, names) = (processes.count == 1, processes.joined(separator: ", "))
      messages.tellOnce(
        .leavesProcesses,
        [
          "The program has ended, but \(one ? "a process" : "processes") that it started still run\(one ? "s" : ""): \(names). To record until \(one ? "it is" : "one is") ready: --ready listen"
        ])
    case .left(let processes):
      let names = processes.map(String.init).joined(separator: ", ")
      tell("The program is ready and keeps running in the background (process \(names)). To end it: --settle 0.1")
    case .unended(let processes):
      let names = processes.map(String.init).joined(separator: ", ")
      tell("launchprof cannot end all that the program started; it may run as another user. Still running: \(names)")
    case .unseen(let reason):
      tell("launchprof ended the program, but cannot see what the program started and left running: \(reason)")
    }
  }

  /// Whole seconds, rounded up: "0 s" would be no wait.
  private static func seconds(_ time: Int64) -> String { "\((time - 1) / 1_000_000_000 + 1) s" }

  private static func inform(of wait: OwnEnd.Wait, _ messages: LaunchMessages) {
    switch wait {
    case .awaited(let patience):
      messages.tellOnce(
        .awaitsOwnEnd,
        [
          "The program met --ready, but it contains LaunchProfiler and has not marked the end of its launch, as mark(.ready) does. Waiting up to \(seconds(patience)) for that"
        ])
    case .missed:
      messages.tellOnce(
        .missedOwnEnd, ["The program did not mark the end of its launch. So each launch ends when it meets --ready"])
    }
  }

  private static func statuses(_ text: String) throws -> Set<Int32> {
    let statuses = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt8($0) }
    guard statuses.allSatisfy({ $0 != nil }) else {
      throw ValidationError("expected exit statuses from 0 to 255, such as 1 or 1,2")
    }
    return Set(statuses.compactMap { $0.map(Int32.init) })
  }

  private static func rule(_ text: String) throws -> ReadyRule {
    do throws(ReadyRule.Mistake) { return try ReadyRule(text) } catch { throw ValidationError(error.message) }
  }
}

/// A time in seconds, or with a unit. It may be 0.
struct SettleTime: ExpressibleByArgument {
  let nanoseconds: Int64

  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  init?(argument: String) {
    guard let time = TimeText.nanoseconds(argument, defaultUnit: "s"), time >= 0 else { return nil }
    nanoseconds = time
  }
}
