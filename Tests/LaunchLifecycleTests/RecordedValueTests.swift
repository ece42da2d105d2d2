// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchLifecycle

/// Private parts of a reason are recorded only as kind and size. RecordingTests/LaunchOptionsTests covers the options.
struct RecordedValueTests {
  private static let reasons: [(LaunchReason, redacted: String?, open: String?)] = [
    (.desktopLauncher(desktopFile: "/home/secret/a.desktop"), "a.desktop", "/home/secret/a.desktop"),
    (.desktopLauncher(desktopFile: nil), nil, nil),
    (.dbusActivation(busType: "session"), "session", "session"), (.dbusActivation(busType: nil), nil, nil),
    (.systemdService(invocationID: "b1a5"), "b1a5", "b1a5"),
    (.socketActivation(names: ["web", "admin"]), "web admin", "web admin"), (.socketActivation(names: []), nil, nil),
    (.timer(unit: "a.timer", realtime: 17), "a.timer 17", "a.timer 17"),
    (.pathUnit(unit: "a.path", path: "/home/secret"), "a.path path, 12 bytes", "a.path /home/secret"),
    (.functionRuntime(initializationType: "snap-start"), "snap-start", "snap-start"),
    (.sessionRestore(clientID: "secret"), "client id, 6 bytes", "secret"), (.sessionRestore(clientID: nil), nil, nil),
    (.terminal, nil, nil), (.continuousIntegration, nil, nil), (.unknown, nil, nil), (.icon, nil, nil),
  ]

  @Test func reasons() {
    for (reason, redacted, open) in Self.reasons {
      let values = LaunchCircumstances(reason: reason, context: .uncertain).recordedValues
      #expect(values.map(\.redacted) == [redacted].compactMap(\.self), "\(reason)")
      #expect(values.map(\.text) == [open].compactMap(\.self), "\(reason)")
      #expect(values.allSatisfy { $0.key == "reason.detail" && !$0.redacted.contains("secret") })
    }
  }

  /// Each connection option, including those without a launch option.
  @Test func connectionOptions() {
    var options = ConnectionOptions()
    options.urlContexts = [OpenURLContext(url: "https://secret/"), OpenURLContext(url: "/secret")]
    options.sourceApplication = "org.secret"
    options.handoffUserActivityType = "secret"
    options.userActivities = [
      UserActivity(
        activityType: "read-secret", title: "secret", webpageURL: "https://secret", userInfo: ["secret": 1])
    ]
    options.notificationResponse = NotificationResponse(actionIdentifier: "reply-secret", payload: ["secret": "x"])
    options.shortcutItem = ShortcutItem(type: "secret", localizedTitle: "secret", userInfo: ["secret": 2])
    options.cloudKitShareMetadata = CloudKitShareMetadata(containerIdentifier: "secret", shareURL: "https://secret")
    let values = LaunchCircumstances(
      reason: .unknown, context: .uncertain, connectionOptions: options
    ).recordedValues
    #expect(
      values.map(\.key)
        == [
          "urlContexts", "sourceApplication", "handoffUserActivityType", "userActivities", "notificationResponse",
          "shortcutItem", "cloudKitShareMetadata",
        ].map { "connection." + $0 })
    #expect(values.first?.redacted == "URL, 15 bytes; path, 7 bytes")
    for value in values {
      #expect(!value.redacted.contains("secret"), "\(value)")
      #expect(value.text.contains("secret"), "\(value)")
    }
  }
}
