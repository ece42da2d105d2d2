// SPDX-License-Identifier: Apache-2.0

/// Declarations that the Swift examples of README and docs assume. scripts/check-examples compiles both together.
@_exported import LaunchLifecycle
@_exported import LaunchProfiler
@_exported import LaunchSampler
@_exported import LaunchTelemetry

public let signposter = LaunchSignposter(subsystem: "org.example.app", category: "Launch")

public struct Configuration: Sendable { public init() throws {} }

public struct Index: Sendable {
  public init() throws {}
  public init(_ configuration: Configuration) throws {}
  public func answer(_ arguments: [String]) throws {}
  public func update() async {}
}

public let index = try! Index()

public func writeTemplates() throws {}
public func countWords() {}
public func send(_ summary: LaunchSummary) {}

// MARK: A server

public struct Metrics: Sendable { public func record(_ time: Duration) {} }
public let metrics = Metrics()

public struct Server: Sendable { public func waitUntilListening() async throws {} }
public let server = Server()

public struct Half: Sendable {}
public func load(half: Int) async throws -> Half { Half() }

public struct Catalogue: Sendable {
  public init(halves: [Half]) throws {}
  public func warmUp() {}
}
public let catalogue = try! Catalogue(halves: [])

// MARK: An application

public final class MainSceneDelegate: SceneDelegate {
  public var window: Window?
  public init() {}
}

public final class PagesScene: SceneDelegate {
  public var window: Window?
  public init() {}
}

public final class PageController: ViewController {
  public convenience init(url: String?) { self.init() }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@MainActor public func GTKBackend(id: String) -> any PresentationBackend { HeadlessBackend() }
