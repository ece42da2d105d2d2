// SPDX-License-Identifier: Apache-2.0

import CGTK
import LaunchLifecycle

/// Shows a program by GTK 4. A GApplication's signals are the application's events: `startup` comes while the backend
/// starts, before the delegate's first callback; `activate`, `open` and `command-line` connect the first scene, or reach the
/// one that is there; its shutdown is the application's end. A second launch hands what it is to open to the first one, and
/// ends.
@MainActor
final class GTKBackend: PresentationBackend {
  private let application: UnsafeMutablePointer<GtkApplication>
  private let handlesCommandLine: Bool
  private weak var host: (any PresentationHost)?
  private var windows: [(window: Window, shown: GTKWindow)] = []
  private(set) var hasStarted = false
  private var isAskedFor = false

  private var asGApplication: UnsafeMutablePointer<GApplication> { cast(application) }

  /// - Parameters:
  ///   - id: the application's, in the form of a reversed domain name.
  ///   - handlesCommandLine: takes the arguments of a second launch as they are (`command-line`), not only its files.
  init(id: String, handlesCommandLine: Bool = false) {
    let flags = handlesCommandLine ? G_APPLICATION_HANDLES_COMMAND_LINE : G_APPLICATION_HANDLES_OPEN
    application = gtk_application_new(id, flags)
    self.handlesCommandLine = handlesCommandLine
  }

  /// Registers: one process is the application, others hand their arguments to it and end.
  func start(_ host: any PresentationHost) throws -> PresentationStart {
    self.host = host
    connectSignals()
    var error: UnsafeMutablePointer<GError>?
    guard g_application_register(asGApplication, nil, &error) != 0 else { throw GTKError(error) }
    guard g_application_get_is_remote(asGApplication) == 0 else { return .finish(status: runApplication(host)) }
    // GTK's own startup has initialised it, if there is a display at all.
    guard gdk_display_get_default() != nil else { throw GTKError(message: "there is no display; set DISPLAY") }
    return .continue
  }

  func run(_ host: any PresentationHost) {
    if let descriptor = MainActorQueue.descriptor {
      _ = g_unix_fd_add(
        descriptor, G_IO_IN,
        { _, _, _ in
          MainActor.assumeIsolated { MainActorQueue.run() }
          return 1
        }, nil)
    }
    for signal in [SIGTERM, SIGINT, SIGHUP] {
      _ = g_unix_signal_add(
        signal,
        { backend in
          GTKBackend.from(backend) { $0.host?.terminate() }
          return 1
        }, pointer)
    }
    // A service of D-Bus that is not asked for a window was launched for nobody. Whatever asked for it comes first.
    if host.arguments.contains("--gapplication-service") {
      g_idle_add_full(
        G_PRIORITY_LOW,
        { backend in
          GTKBackend.from(backend) { if !$0.isAskedFor { _ = $0.host?.launched() } }
          return 0
        }, pointer, nil)
    }
    _ = runApplication(host)
    // The last window was closed.
    host.terminate()
  }

  func stop() { g_application_quit(asGApplication) }

  func show(_ window: Window) {
    let shown = GTKWindow(window, of: application) { [weak self, weak window] event in
      guard let self, let window else { return }
      switch event {
      case .frame(let frame): host?.framePresented(frame, in: window)
      case .active(true): host?.becomeActive()
      case .active(false): host?.resignActive()
      }
    }
    windows.append((window, shown))
    shown.present()
  }

  func hide(_ window: Window) {
    windows.removeAll { entry in
      guard entry.window === window else { return false }
      entry.shown.close()
      return true
    }
  }

  // MARK: GApplication

  private func runApplication(_ host: any PresentationHost) -> Int32 {
    var arguments = host.arguments.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return g_application_run(asGApplication, Int32(arguments.count - 1), &arguments)
  }

  private func connectSignals() {
    let started: @convention(c) (UnsafeMutableRawPointer?, gpointer?) -> Void = { _, backend in
      GTKBackend.from(backend) { $0.hasStarted = true }
    }
    connect("startup", unsafeBitCast(started, to: GCallback.self))
    let activated: @convention(c) (UnsafeMutableRawPointer?, gpointer?) -> Void = { _, backend in
      GTKBackend.from(backend) { $0.open([]) }
    }
    connect("activate", unsafeBitCast(activated, to: GCallback.self))
    let opened:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<OpaquePointer?>?, gint, UnsafePointer<CChar>?, gpointer?
      ) -> Void = { _, files, count, _, backend in
        let urls = (0..<Int(count)).compactMap { files?[$0].map(GTKBackend.uri) }
        GTKBackend.from(backend) { $0.open(urls) }
      }
    connect("open", unsafeBitCast(opened, to: GCallback.self))
    let commanded:
      @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<GApplicationCommandLine>?, gpointer?) -> gint = {
        _, line, backend in
        var urls: [String] = []
        var count: Int32 = 0
        let arguments = g_application_command_line_get_arguments(line, &count)
        for place in 1..<max(1, Int(count)) {
          guard let argument = arguments?[place], argument.pointee != CChar(UInt8(ascii: "-")) else { continue }
          let file = g_application_command_line_create_file_for_arg(line, argument)
          urls.append(GTKBackend.uri(file!))
          g_object_unref(UnsafeMutableRawPointer(file))
        }
        g_strfreev(arguments)
        GTKBackend.from(backend) { $0.open(urls) }
        return 0
      }
    if handlesCommandLine { connect("command-line", unsafeBitCast(commanded, to: GCallback.self)) }
  }

  /// Somebody wants the program: here, or in another process that has handed its launch to this one.
  private func open(_ urls: [String]) {
    isAskedFor = true
    let hadWindow = !windows.isEmpty
    var options = ConnectionOptions()
    options.urlContexts = urls.map { OpenURLContext(url: $0) }
    host?.connect(urls.isEmpty ? nil : options)
    if hadWindow { windows.last?.shown.raise() }
  }

  private func connect(_ signal: String, _ handler: @escaping GCallback) {
    g_signal_connect_data(application, signal, handler, pointer, nil, GConnectFlags(rawValue: 0))
  }

  private nonisolated static func uri(_ file: OpaquePointer) -> String {
    guard let uri = g_file_get_uri(file) else { return "" }
    defer { g_free(uri) }
    return String(cString: uri)
  }

  /// For callbacks: the backend lives as long as the program.
  private var pointer: gpointer { Unmanaged.passUnretained(self).toOpaque() }

  private nonisolated static func from(_ pointer: gpointer?, _ body: @MainActor (GTKBackend) -> Void) {
    guard let pointer else { return }
    let backend = Unmanaged<GTKBackend>.fromOpaque(pointer).takeUnretainedValue()
    MainActor.assumeIsolated { body(backend) }
  }
}

struct GTKError: Error, CustomStringConvertible {
  let description: String

  init(message: String) { description = message }

  init(_ error: UnsafeMutablePointer<GError>?) {
    description = error.map { String(cString: $0.pointee.message) } ?? "GTK cannot be started"
    if let error { g_error_free(error) }
  }
}

/// GObject's up- and downcasts.
func cast<From, To>(_ pointer: UnsafeMutablePointer<From>) -> UnsafeMutablePointer<To> {
  UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: To.self)
}
