// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

extension LaunchReason {
  /// Determines from the evidence why a process was launched. docs/launch-reasons.md has the table.
  ///
  /// Evidence about this very process has precedence: its own arguments, and variables with its process id. The process
  /// may have inherited other variables: a shell in a terminal that D-Bus started has `DBUS_STARTER_ADDRESS`. So they
  /// count only if neither a terminal nor CI explains the launch.
  public init(_ evidence: LaunchEvidence) {
    self =
      evidence.sessionRestore ?? evidence.functionRuntime ?? evidence.triggeredUnit ?? evidence.socketActivation
      ?? evidence.dbusService ?? evidence.ownDesktopLaunch ?? evidence.systemdService
      ?? evidence.continuousIntegration ?? evidence.terminal ?? evidence.tokenDesktopLaunch ?? evidence.dbusStarter
      ?? evidence.operands ?? .unknown
  }
}

extension LaunchContext {
  /// Determines whether a person waits. If the system says that it prewarms the program, that has precedence over the
  /// reason.
  public init(_ evidence: LaunchEvidence, reason: LaunchReason) {
    self = evidence["ActivePrewarm"] == "1" ? .prewarming : reason.context
  }
}

extension LaunchEvidence {
  /// The variable's value; nil if it is empty.
  fileprivate subscript(name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

  private func namesThisProcess(_ variable: String) -> Bool { self[variable].flatMap { Int32($0) } == processID }

  // MARK: The process's own arguments

  fileprivate var sessionRestore: LaunchReason? {
    for (place, argument) in options.enumerated() {
      if argument == "--restore" { return .sessionRestore(clientID: nil) }
      if argument == "--sm-client-id" {
        return .sessionRestore(clientID: place + 1 < arguments.count ? arguments[place + 1] : nil)
      }
      if argument.hasPrefix("--sm-client-id=") {
        return .sessionRestore(clientID: String(argument.dropFirst("--sm-client-id=".count)))
      }
    }
    return nil
  }

  fileprivate var dbusService: LaunchReason? {
    options.contains("--gapplication-service") ? .dbusActivation(busType: self["DBUS_STARTER_BUS_TYPE"]) : nil
  }

  private var options: ArraySlice<String> { arguments.prefix { $0 != "--" } }

  /// The arguments that are URLs or absolute paths, as `%u` and `%f` of a desktop file pass them.
  var handedOverURLs: [OpenURLContext] { arguments.filter(\.isHandedOver).map { OpenURLContext(url: $0) } }

  /// Those that are not directly after an option. If nothing says who launched the program, they are rather the options'
  /// values, as in `--config /etc/app`, than what to open.
  fileprivate var operands: LaunchReason? {
    let end = options.endIndex
    let urls = arguments.indices.filter { place in
      arguments[place].isHandedOver && (place == 0 || place > end || !arguments[place - 1].takesValue)
    }
    return urls.isEmpty ? nil : .url(urls.map { OpenURLContext(url: arguments[$0]) })
  }

  // MARK: Variables with the process's id

  /// Whether systemd created this process. systemd before version 248 did not set the process id; then the parent
  /// process decides.
  private var isUnitProcess: Bool {
    guard self["INVOCATION_ID"] != nil else { return false }
    return self["SYSTEMD_EXEC_PID"] != nil ? namesThisProcess("SYSTEMD_EXEC_PID") : parentProcessID == 1
  }

  fileprivate var triggeredUnit: LaunchReason? {
    guard isUnitProcess else { return nil }
    if let path = self["TRIGGER_PATH"] { return .pathUnit(unit: self["TRIGGER_UNIT"], path: path) }
    if let time = self["TRIGGER_TIMER_REALTIME_USEC"] {
      return .timer(unit: self["TRIGGER_UNIT"], realtime: UInt64(time))
    }
    guard let unit = self["TRIGGER_UNIT"] else { return nil }
    if unit.hasSuffix(".path") { return .pathUnit(unit: unit, path: nil) }
    return unit.hasSuffix(".timer") ? .timer(unit: unit, realtime: nil) : nil
  }

  fileprivate var socketActivation: LaunchReason? {
    activatedSocketCount.map { _ in .socketActivation(names: activatedSocketNames) }
  }

  /// The number of sockets that this process got: at least one, and at most the limit of descriptors. nil if it got
  /// none.
  var activatedSocketCount: Int? {
    guard namesThisProcess("LISTEN_PID"), let count = self["LISTEN_FDS"].flatMap({ Int($0) }),
      (1...Self.mostSockets).contains(count)
    else { return nil }
    return count
  }

  /// The kernel's limit of descriptors (NR_OPEN).
  private static let mostSockets = 1 << 20

  /// Their names in order. There may be fewer or more names than sockets.
  var activatedSocketNames: [String] {
    self["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  fileprivate var ownDesktopLaunch: LaunchReason? {
    // Desktops that start applications as units of systemd pass them an activation token.
    namesThisProcess("GIO_LAUNCHED_DESKTOP_FILE_PID") || (isUnitProcess && hasToken) ? desktopLaunch : nil
  }

  fileprivate var systemdService: LaunchReason? {
    isUnitProcess ? .systemdService(invocationID: self["INVOCATION_ID"]) : nil
  }

  // MARK: Variables that the process may have inherited

  /// Ignores a token that came with the id of another process.
  private var hasToken: Bool {
    guard self["GIO_LAUNCHED_DESKTOP_FILE_PID"] == nil || namesThisProcess("GIO_LAUNCHED_DESKTOP_FILE_PID") else {
      return false
    }
    return self["XDG_ACTIVATION_TOKEN"] != nil || self["DESKTOP_STARTUP_ID"] != nil
  }

  private var desktopLaunch: LaunchReason {
    let urls = handedOverURLs
    return urls.isEmpty ? .desktopLauncher(desktopFile: self["GIO_LAUNCHED_DESKTOP_FILE"]) : .url(urls)
  }

  fileprivate var tokenDesktopLaunch: LaunchReason? { hasToken ? desktopLaunch : nil }

  fileprivate var dbusStarter: LaunchReason? {
    guard self["DBUS_STARTER_ADDRESS"] != nil || self["DBUS_STARTER_BUS_TYPE"] != nil else { return nil }
    return .dbusActivation(busType: self["DBUS_STARTER_BUS_TYPE"])
  }

  fileprivate var functionRuntime: LaunchReason? {
    guard self["AWS_LAMBDA_RUNTIME_API"] != nil else { return nil }
    return .functionRuntime(initializationType: self["AWS_LAMBDA_INITIALIZATION_TYPE"])
  }

  fileprivate var continuousIntegration: LaunchReason? {
    self["CI"] == "true" || self["GITHUB_ACTIONS"] != nil ? .continuousIntegration : nil
  }

  fileprivate var terminal: LaunchReason? { isOnTerminal ? .terminal : nil }
}

extension String {
  /// Whether the argument is a URL or an absolute path.
  fileprivate var isHandedOver: Bool { !hasPrefix("-") && (hasPrefix("/") || isURL) }

  /// Whether the argument is an option whose value may be the next argument. `-` is the standard input.
  fileprivate var takesValue: Bool { hasPrefix("-") && self != "-" && !contains("=") }

  /// Whether the text is a URL, as the recorder finds one in an argument.
  var isURL: Bool {
    var text = self
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ls_url_place($0.baseAddress, $0.count) == 0 && !$0.isEmpty }
    }
  }
}
