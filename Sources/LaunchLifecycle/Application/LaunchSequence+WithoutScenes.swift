// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchProfiler

/// A program without scenes: its delegate gets what scenes would get.
extension LaunchSequence {
  /// Shows the interface, and passes on what the program was launched to open, or what the user wants after a launch in the
  /// background.
  ///
  /// - Parameter response: nil if the launch was for the notification: its payload is in the launch options.
  func showLegacyInterface(_ options: ConnectionOptions, response: NotificationResponse?) {
    if let storyboard = manifest.mainStoryboard {
      let controller = Self.phase(.loadMainInterface) { storyboard.instantiateInitialViewController() }
      let window = Window()
      application.delegate?.window = window
      window.rootViewController = controller
      window.makeKeyAndVisible()
    }
    // Does nothing if the launch was in the foreground.
    enterForeground()
    let launch = circumstances.options
    if wantsLaunchOptions || launch.url == nil { open(options.urlContexts) }
    if wantsLaunchOptions || launch.shortcutItem == nil { perform(options.shortcutItem) }
    if wantsLaunchOptions || launch.userActivity == nil { continueActivities(options) }
    accept(options.cloudKitShareMetadata)
    if let notification = launch.localNotification {
      call(.didReceiveNotification) { $0.application(application, didReceive: notification) }
    }
    if let response { receive(response) }
    becomeActive()
  }

  /// The user wants the program again.
  func bringForward(_ options: ConnectionOptions) {
    enterForeground()
    open(options.urlContexts)
    perform(options.shortcutItem)
    continueActivities(options)
    accept(options.cloudKitShareMetadata)
    if let response = options.notificationResponse { receive(response) }
    becomeActive()
  }

  private func open(_ contexts: [OpenURLContext]) {
    for context in contexts {
      call(.openURL) {
        _ = $0.application(application, open: context.url, sourceApplication: context.sourceApplication)
      }
    }
  }

  private func perform(_ item: ShortcutItem?) {
    guard let item else { return }
    call(.performAction) { _ = $0.application(application, performActionFor: item) }
  }

  /// Announces each activity before its data, which another device may have to send first.
  private func continueActivities(_ options: ConnectionOptions) {
    let announced = options.handoffUserActivityType
    if let announced { announce(announced) }
    for activity in options.userActivities {
      if activity.activityType != announced { announce(activity.activityType) }
      call(.continueActivity) { _ = $0.application(application, continue: activity) }
    }
  }

  private func announce(_ type: String) {
    if type.isEmpty { return }
    call(.continueActivity) { _ = $0.application(application, willContinueUserActivityWithType: type) }
  }

  private func accept(_ share: CloudKitShareMetadata?) {
    guard let share else { return }
    call(.acceptShare) { $0.application(application, userDidAcceptCloudKitShareWith: share) }
  }

  /// Calls the delegate, unless an earlier callback has ended the program.
  private func call(_ phase: LaunchPhase, _ body: (any ApplicationDelegate) -> Void) {
    guard !isTerminated, let delegate = application.delegate else { return }
    Self.phase(phase) { body(delegate) }
  }
}
#endif
