#if !canImport(os)
internal import LaunchProfiler
#endif

/// Why the program was launched, for whom, and with what: what a delegate's callbacks get, and what the trace says.
public struct LaunchCircumstances: Sendable, Equatable {
  public var reason: LaunchReason
  public var context: LaunchContext
  /// For the application delegate.
  public var options: LaunchOptions
  /// For the delegate of the first scene.
  public var connectionOptions: ConnectionOptions

  public init(
    reason: LaunchReason, context: LaunchContext, options: LaunchOptions = LaunchOptions(),
    connectionOptions: ConnectionOptions? = nil
  ) {
    self.reason = reason
    self.context = context
    self.options = options
    self.connectionOptions = connectionOptions ?? ConnectionOptions(options)
  }

  /// What the evidence says. URLs and absolute paths among the arguments are handed over as options, whoever launched.
  public init(_ evidence: LaunchEvidence) {
    let reason = LaunchReason(evidence)
    let urls = evidence.handedOverURLs
    var options = LaunchOptions()
    options.url = urls.first?.url
    var connectionOptions = ConnectionOptions(options)
    connectionOptions.urlContexts = urls
    self.init(
      reason: reason, context: LaunchContext(evidence, reason: reason), options: options,
      connectionOptions: connectionOptions)
  }

  /// The launch is for what these say. What the system says of prewarming stays.
  mutating func learn(_ options: LaunchOptions) {
    self.options = options
    connectionOptions = ConnectionOptions(options)
    learn(LaunchReason(options))
  }

  mutating func learn(_ options: ConnectionOptions) {
    connectionOptions = options
    learn(LaunchReason(options))
  }

  private mutating func learn(_ reason: LaunchReason) {
    self.reason = reason
    if context != .prewarming { context = reason.context }
  }

  #if !canImport(os)
  /// Those of this process.
  public static var current: LaunchCircumstances { LaunchCircumstances(LaunchEvidence.current()) }

  /// Writes them into the trace, where reports show them and group launches by them. `ApplicationMain` does it; a program
  /// without the host calls it once, early in `main`.
  ///
  /// URLs, paths and payloads are private: their kind and size are recorded, unless the person who records wants more
  /// (`launchprof record --unredacted`). With no launcher around that knows better, the kind is what the program can see of it
  /// (`ImageResidency`).
  public func record() {
    guard LaunchProfiler.isRecording else { return }
    let kind = LaunchProfiler.hasLauncher ? nil : ImageResidency.current.kind.rawValue
    LaunchProfiler.metadata(kind: kind)
    recordReason()
  }

  /// Without the kind, which may have become known meanwhile.
  func recordReason() {
    LaunchProfiler.metadata(reason: reason.id, context: context.rawValue)
    for value in recordedValues {
      LaunchProfiler.metadata(value.key, LaunchProfiler.recordsPrivateValues ? value.text : value.redacted)
    }
  }
  #endif
}
