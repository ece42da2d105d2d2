// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchComparison
import LaunchObserver
import LaunchSymbols

struct OrderCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// For people: what ran, first to last.
    case list
    /// For `--symbol-ordering-file`.
    case lld
    /// For `--section-ordering-file`.
    case gold
  }

  static let configuration = CommandConfiguration(
    commandName: "order",
    abstract: "List the functions that a launch touches, in the order in which it first touches them.",
    usage: """
      launchprof order [<options>] -- <program> [<arguments> ...]
      launchprof order --apply <build> [<options>] -- <program> [<arguments> ...]
      """,
    discussion: """
      order sets a breakpoint on each function of the program, in all its threads and children, and removes it when the \
      function is reached. The program must have symbols and be for x86-64. order also launches the program without \
      breakpoints. If it then ends differently or writes something else, there is no list. A linker can put the listed \
      functions next to each other, which helps cold launches only (docs/faster.md).

      --apply builds the program twice in scratch copies of this folder: with a section for each function, and in the order \
      of the list, which is kept in launch-order.txt. It checks that the linker used the order, compares cold launches of \
      both, and prints the readahead.

      Exit status 0: success. 1: the program behaves differently with breakpoints or cannot have any, a build failed, or \
      the linker did not use the order. 3: a cold launch failed. 64: wrong options.
      """)

  @Option(help: "Format of the list: list (for people, the default), lld or gold (a file for that linker).")
  var format: Format?

  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("Number of launches. Functions that only a later one touches come last.", valueName: "runs"))
  var runs = 1

  @Option(
    help: ArgumentHelp(
      "Build the program with this command in the order of the list, and compare cold launches. The command is one call of swift build or swiftc.",
      valueName: "build"))
  var apply: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --apply: rounds of cold launches (default: 40).", valueName: "n"))
  var rounds: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End the program after this time (default: 30 s).", valueName: "seconds"),
    transform: TimeLimit.init(text:))
  var timeout: TimeLimit?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("Write the list to a file (default: standard output).", valueName: "file"), completion: .file())
  var output: String?

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The program to launch, and its arguments.", valueName: "program"), completion: .file())
  var command: [String]

  private static let standardRounds = 40
  private static let pageSize: UInt64 = 4096

  func validate() throws {
    try PassedCommand.validate(command, help: Self.self, verb: "order")
    try RunCount.validate(runs, option: "-n")
    try RunCount.validate(rounds, option: "--rounds")
    if apply != nil, format != nil { throw ValidationError("--format: --apply writes the list for lld; leave it out.") }
    if apply == nil, rounds != nil { throw ValidationError("--rounds compares builds: add --apply.") }
    if apply != nil { try PassedCommand(command).validateIsInFolder(option: "--apply") }
    if let apply, BuildCommand(apply) == nil {
      throw ValidationError(
        "--apply \(shown(apply)): expected a single call of swift build or swiftc; docs/faster.md has the options for other builds."
      )
    }
  }

  func run() throws {
    let passed = PassedCommand(command)
    if let program = ProgramSearch(passed.program).firstExecutable {
      try FileOutput.check(output, isNoneOf: [program], kind: "one of the programs")
    }
    try FileOutput.checkPlace(output)
    if let build = apply.flatMap(BuildCommand.init) {
      let proof = OrderProof(
        build: build, list: output ?? "launch-order.txt", rounds: rounds ?? Self.standardRounds, timeout: limit)
      return try proof.run(passed) { program in try touched(program, passed.arguments).functions }
    }
    let (functions, count) = try touched(passed.program, passed.arguments)
    try write(functions, of: count)
  }

  private var limit: Int64 { timeout?.nanoseconds ?? 30_000_000_000 }

  /// What the launches touch, in order, and how many functions the program has.
  private func touched(_ program: String, _ arguments: [[UInt8]]) throws -> (functions: [Symbol], of: Int) {
    do throws(LaunchError) {
      let order = try FunctionOrder(program: program, arguments: arguments)
      var (touched, known): ([Int], Set<Int>) = ([], [])
      var (timedOut, leftRunning) = (false, false)
      if RepeatedInput.replacePipe() {
        tell("The program's standard input is empty, because a pipe can be read only once. To give it input: < file")
      }
      for _ in 0..<runs {
        let launch = try launch(order)
        touched += launch.touched.filter { known.insert($0).inserted }
        timedOut = timedOut || launch.timedOut
        leftRunning = leftRunning || launch.leftRunning
      }
      if timedOut { try tellTimeOut(isEmpty: touched.isEmpty, program) }
      if leftRunning {
        tell(
          "The program left a process running, which order has ended: functions that it reaches later are missing. To list them, launch the program in the foreground"
        )
      }
      return (touched.map { order.functions[$0] }, order.functions.count)
    } catch { throw fail(error) }
  }

  /// A launch that went as it goes without breakpoints.
  private func launch(_ order: FunctionOrder) throws(LaunchError) -> FunctionOrder.Launch {
    func launch(recording: Bool) throws(LaunchError) -> FunctionOrder.Launch {
      RepeatedInput.rewind()
      return try order.launch(recording: recording, timeout: limit)
    }
    let plain = try launch(recording: false)
    let watched = try launch(recording: true)
    var isSame = plain.status == watched.status
    if isSame, plain.output != watched.output {
      // What differs from launch to launch anyway says nothing.
      isSame = try launch(recording: false).output != plain.output
      if isSame { tell("The program's output differs from launch to launch: only its exit status was compared") }
    }
    guard isSame else {
      throw LaunchError(
        .cannotLaunch, path: shown(PassedCommand(command).program),
        message:
          "the program behaves differently with breakpoints: one of its symbols points to data, or it handles SIGTRAP itself"
      )
    }
    return watched
  }

  private func tellTimeOut(isEmpty: Bool, _ program: String) throws(LaunchError) {
    let message = "the program ran out of time (--timeout \(TimeLimit(nanoseconds: limit).seconds))"
    if isEmpty {
      throw LaunchError(.cannotLaunch, path: shown(program), message: "\(message) before it reached a function")
    }
    tell("launchprof: \(message): functions that it reaches later are missing")
  }

  private func write(_ functions: [Symbol], of count: Int) throws {
    var text = OutputText()
    let page = { (function: Symbol) in function.address / Self.pageSize }
    let format = format ?? .list
    if format == .list {
      let pages = Set(functions.map(page)).count
      text.line(
        "\(functions.count) of \(count) functions, on \(pages) page\(pages == 1 ? "" : "s"); first to last, with the pages so far:"
      )
    }
    var pages: Set<UInt64> = []
    for (place, function) in functions.enumerated() {
      pages.insert(page(function))
      switch format {
      case .lld: text.line(function.mangledName)
      case .gold: text.line(".text." + function.mangledName)
      case .list:
        text.line("\(Self.right(place + 1, 6))\(Self.right(pages.count, 7))  \(function.name)")
      }
    }
    try text.write(to: output)
  }

  private static func right(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
