// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchReport
import LaunchSystem
import LaunchViewer

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open recorded launches in a browser, or in the viewer that you know.",
    usage: "launchprof open [<trace> ...] [--in browser|perfetto|firefox|speedscope] [--print] [--timeout <seconds>]",
    discussion: """
      Without a trace, open uses the latest one in the current directory. 'browser' shows launchprof's own page, \
      which needs no network. The other viewers are web pages: they fetch the trace from this machine \
      (127.0.0.1), and nothing is sent anywhere. launchprof serves it to that viewer only, and ends when the viewer has it.

      Exit status: 0; 1 if a trace cannot be read or served, or no viewer fetched it in time; 64 for wrong options.
      """)

  enum ViewerChoice: String, ExpressibleByArgument, CaseIterable {
    case browser, perfetto, firefox, speedscope
  }

  @Argument(
    help: ArgumentHelp(
      "Traces: files, directories of .pftrace files, or patterns such as 'app-*.pftrace'.", valueName: "trace"),
    completion: .file())
  var traces: [String] = []

  @Option(name: .customLong("in"), help: "Where to open it.")
  var place = ViewerChoice.browser

  @Flag(
    name: .customLong("print"), help: "Print the link instead of opening it. Without a display, this is the default.")
  var prints = false

  @Option(help: ArgumentHelp("How long to wait until the viewer has the trace.", valueName: "seconds"))
  var timeout = TimeLimit(nanoseconds: 300_000_000_000)

  func validate() throws {
    guard timeout.nanoseconds <= 86_400_000_000_000 else {
      throw ValidationError("--timeout \(timeout.seconds): expected at most 86400 seconds.")
    }
  }

  func run() throws {
    let paths = try TraceArguments.files(traces, orRecent: true)
    switch place {
    case .browser: try openPage(paths)
    case .perfetto:
      let (file, commands) = try PerfettoFile.make(paths)
      try serve(file, commands, to: .perfetto)
    case .firefox: try serve(report(paths, .firefox), to: .firefox)
    case .speedscope: try serve(report(paths, .speedscope), to: .speedscope)
    }
  }

  // MARK: The page

  private func openPage(_ paths: [String]) throws {
    let page = try PrivateFile.kept(name: "launch.html")
    defer { close(page.descriptor) }
    do { try Reporting.write(paths, as: .html, to: page.descriptor, name: page.path) } catch {
      PrivateFile.remove(page.path)
      throw error
    }
    let link = try Viewer.link(toFile: absolutePath(page.path))
    if try ask(for: link)?.hasOpened(waits: true) == false { try print(link) }
  }

  // MARK: Viewers

  /// A report in a file that is gone when launchprof ends.
  private func report(_ paths: [String], _ format: ReportFormat) throws -> ServedFile {
    let descriptor = try PrivateFile.nameless()
    try Reporting.write(paths, as: format, to: descriptor, name: "the report")
    return try ServedFile(
      descriptor: descriptor, name: "launch.\(format.rawValue).json", contentType: "application/json")
  }

  private func serve(_ file: ServedFile, _ commands: [PerfettoCommand] = [], to viewer: Viewer) throws {
    let server = try TraceServer(file, origin: viewer.origin, port: viewer.port)
    let title = traces.first.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "launch"
    let link = viewer.link(to: server.address, title: title, commands: commands)
    let desktop = try ask(for: link)
    tell("Serving the trace to \(viewer.origin) until the viewer has it. To stop: Ctrl-C")
    let outcome = try server.serve(seconds: Double(timeout.nanoseconds) / 1e9) {
      guard let desktop else { return false }
      let hasOpened = desktop.hasOpened(waits: false)
      if hasOpened == false { try print(link) }
      return hasOpened == nil
    }
    if outcome == .fetched { return }
    let refusal = outcome == .refused ? ": a program of another user asked for it; run the viewer as the same user" : ""
    throw fail("no viewer fetched the trace in \(timeout.seconds) s\(refusal)")
  }

  /// Asks the desktop to open a link; where it cannot be asked, prints the link and returns nil.
  private func ask(for link: String) throws -> Desktop? {
    let asks = !prints && Desktop.isThere
    if asks { tell("Opening \(link)") }
    if asks, let desktop = Desktop(opening: link) { return desktop }
    try print(link, isAsked: asks)
    return nil
  }

  /// - Parameter isAsked: whether the desktop should have opened it.
  private func print(_ link: String, isAsked: Bool = true) throws {
    if isAsked { tell("No browser can be opened from here (is xdg-open installed?). Open this link yourself:") }
    let error = StandardStream.output.write(link + "\n")
    if error == EPIPE { throw ExitCode(CommandStatus.brokenPipe) }
    if error != 0 { throw fail("the link cannot be printed: \(systemMessage(error))") }
  }
}
