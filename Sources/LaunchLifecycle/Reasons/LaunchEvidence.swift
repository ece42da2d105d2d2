// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform
#endif

/// What a process can know about why it was launched.
public struct LaunchEvidence: Sendable, Equatable {
  public var environment: [String: String]
  /// The arguments after the program's name.
  public var arguments: [String]
  public var processID: Int32
  public var parentProcessID: Int32
  /// Whether standard input is a terminal, and the process is in the terminal's foreground group.
  public var isOnTerminal: Bool

  public init(
    environment: [String: String] = [:], arguments: [String] = [], processID: Int32, parentProcessID: Int32 = 0,
    isOnTerminal: Bool = false
  ) {
    self.environment = environment
    self.arguments = arguments
    self.processID = processID
    self.parentProcessID = parentProcessID
    self.isOnTerminal = isOnTerminal
  }

  #if !canImport(os)
  /// The evidence of this process. It keeps only the variables that are evidence.
  ///
  /// - Parameter arguments: the program's name and its arguments.
  public static func current(arguments: [String] = CommandLine.arguments) -> LaunchEvidence {
    var environment: [String: String] = [:]
    for name in Self.variables {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return LaunchEvidence(
      environment: environment, arguments: Array(arguments.dropFirst()), processID: getpid(),
      parentProcessID: getppid(), isOnTerminal: isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp())
  }
  #endif

  private static let variables = [
    "ActivePrewarm", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "GIO_LAUNCHED_DESKTOP_FILE",
    "GIO_LAUNCHED_DESKTOP_FILE_PID", "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "INVOCATION_ID",
    "SYSTEMD_EXEC_PID", "NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "TRIGGER_UNIT",
    "TRIGGER_TIMER_REALTIME_USEC", "TRIGGER_PATH", "AWS_LAMBDA_RUNTIME_API", "AWS_LAMBDA_INITIALIZATION_TYPE", "CI",
    "GITHUB_ACTIONS",
  ]
}
