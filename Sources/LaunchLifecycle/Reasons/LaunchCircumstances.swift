// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchProfiler
#endif

/// The reason, context and options of a launch. The delegate's callbacks get the options, and the trace records the
/// rest.
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

  /// Determines the circumstances from the evidence. URLs and absolute paths among the arguments become options,
  /// whatever the reason is. If nothing else is known about the launch, those directly after an option do not.
  public init(_ evidence: LaunchEvidence) {
    let reason = LaunchReason(evidence)
    let urls =
      switch reason {
      case .url(let urls): urls
      case .unknown: [OpenURLContext]()
      default: evidence.handedOverURLs
      }
    var options = LaunchOptions()
    options.url = urls.first?.url
    var connectionOptions = ConnectionOptions(options)
    connectionOptions.urlContexts = urls
    self.init(
      reason: reason, context: LaunchContext(evidence, reason: reason), options: options,
      connectionOptions: connectionOptions)
  }

  /// Uses these options instead of the evidence. The system's information about prewarming stays.
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
    learn(reason.context)
  }

  mutating func learn(_ context: LaunchContext) { if self.context != .prewarming { self.context = context } }

  #if !canImport(os)
  /// The circumstances of this process.
  public static var current: LaunchCircumstances { LaunchCircumstances(LaunchEvidence.current()) }

  /// Writes the circumstances into the trace. Reports show them and group launches by them. `ApplicationMain` calls
  /// this. A program without the host calls it once, early in `main`.
  ///
  /// URLs, paths and payloads are private. The trace has only their kind and size, unless the user gave `launchprof
  /// record --unredacted`. Without a launcher, which would know the kind of the launch, `ImageResidency` determines the
  /// kind.
  public func record() {
    guard LaunchProfiler.isRecording else { return }
    let kind = LaunchProfiler.hasLauncher ? nil : ImageResidency.current.kind.rawValue
    LaunchProfiler.metadata(kind: kind)
    recordReason()
  }

  /// Writes everything except the kind, which may be known by now.
  func recordReason() {
    LaunchProfiler.metadata(reason: reason.id, context: context.rawValue)
    for value in recordedValues {
      LaunchProfiler.metadata(value.key, LaunchProfiler.recordsPrivateValues ? value.text : value.redacted)
    }
  }
  #endif
}
