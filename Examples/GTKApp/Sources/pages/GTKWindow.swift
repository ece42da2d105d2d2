// SPDX-License-Identifier: Apache-2.0

import CGTK
import LaunchLifecycle

/// A GtkApplicationWindow that tells of its first frame and of its focus.
@MainActor
final class GTKWindow {
  enum Event {
    case frame(PresentedFrame)
    case active(Bool)
  }

  private let window: UnsafeMutablePointer<GtkWindow>
  private let tell: (Event) -> Void
  private var frameClock: OpaquePointer?
  private var paintHandler: gulong = 0
  private var timer: guint = 0
  /// The first frame: its number, when it was painted, and how often its presentation was asked for.
  private var frame: (counter: gint64, painted: UInt64, asked: Int)?

  /// A compositor says some frames later when a frame was on the screen; one that never says is not waited for for ever.
  private static let mostAsked = 40
  private static let interval: guint = 5
  /// Behind the paint, µs.
  private static let latest: UInt64 = 1_000_000

  init(
    _ shown: Window, of application: UnsafeMutablePointer<GtkApplication>, tell: @escaping @MainActor (Event) -> Void
  ) {
    self.tell = tell
    window = cast(gtk_application_window_new(application))
    gtk_window_set_title(window, shown.title)
    gtk_window_set_default_size(window, 480, 320)
    if let view = shown.rootViewController?.view as? WidgetView { gtk_window_set_child(window, view.widget) }
  }

  func present() {
    let widget: UnsafeMutablePointer<GtkWidget> = cast(window)
    gtk_widget_realize(widget)
    frameClock = gtk_widget_get_frame_clock(widget)
    let painted: @convention(c) (OpaquePointer?, gpointer?) -> Void = { clock, pointer in
      GTKWindow.from(pointer) { $0.painted(clock) }
    }
    paintHandler = g_signal_connect_data(
      UnsafeMutableRawPointer(frameClock), "after-paint", unsafeBitCast(painted, to: GCallback.self), pointer, nil,
      GConnectFlags(rawValue: 0))
    let focused: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, gpointer?) -> Void = { _, _, pointer in
      GTKWindow.from(pointer) { $0.tell(.active(gtk_window_is_active($0.window) != 0)) }
    }
    g_signal_connect_data(
      window, "notify::is-active", unsafeBitCast(focused, to: GCallback.self), pointer, nil,
      GConnectFlags(rawValue: 0))
    gtk_window_present(window)
  }

  /// Before the others, where the window manager agrees.
  func raise() { gtk_window_present(window) }

  /// What GTK would still call has no reference to this object.
  func close() {
    if timer != 0 { g_source_remove(timer) }
    if paintHandler != 0 { g_signal_handler_disconnect(UnsafeMutableRawPointer(frameClock), paintHandler) }
    gtk_window_destroy(window)
  }

  // MARK: The first frame

  private func painted(_ clock: OpaquePointer?) {
    let widget: UnsafeMutablePointer<GtkWidget> = cast(window)
    // Frames before the window is there have nothing in them.
    guard frame == nil, gtk_widget_get_mapped(widget) != 0 else { return }
    g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), paintHandler)
    paintHandler = 0
    // Both of CLOCK_MONOTONIC, in microseconds.
    frame = (gdk_frame_clock_get_frame_counter(clock), UInt64(g_get_monotonic_time()) * 1_000, 0)
    if askForPresentation() { return }
    timer = g_timeout_add(
      Self.interval,
      { pointer in
        var isDone = true
        GTKWindow.from(pointer) {
          isDone = $0.askForPresentation()
          if isDone { $0.timer = 0 }
        }
        return isDone ? 0 : 1
      }, pointer)
  }

  /// True when the frame was told of.
  private func askForPresentation() -> Bool {
    guard var frame else { return true }
    frame.asked += 1
    self.frame = frame
    let timings = gdk_frame_clock_get_timings(frameClock, frame.counter)
    let isComplete = timings.map { gdk_frame_timings_get_complete($0) != 0 } ?? true
    let presented = timings.flatMap { UInt64(exactly: gdk_frame_timings_get_presentation_time($0)) } ?? 0
    if isComplete, Self.isPlausible(presented, painted: frame.painted / 1_000) {
      // Some compositors say beforehand when it will be.
      guard UInt64(g_get_monotonic_time()) >= presented else { return false }
      tell(.frame(PresentedFrame(time: presented * 1_000, source: .presentation)))
    } else if isComplete || frame.asked >= Self.mostAsked {
      tell(.frame(PresentedFrame(time: frame.painted, source: .painted)))
    } else {
      return false
    }
    return true
  }

  /// GTK takes the times of Wayland compositors to be of CLOCK_MONOTONIC. Those of another clock are about right and say that
  /// a frame was seen before it was painted: they are none. µs.
  private static func isPlausible(_ presented: UInt64, painted: UInt64) -> Bool {
    (painted...painted + latest).contains(presented)
  }

  private var pointer: gpointer { Unmanaged.passUnretained(self).toOpaque() }

  private nonisolated static func from(_ pointer: gpointer?, _ body: @MainActor (GTKWindow) -> Void) {
    guard let pointer else { return }
    let window = Unmanaged<GTKWindow>.fromOpaque(pointer).takeUnretainedValue()
    MainActor.assumeIsolated { body(window) }
  }
}

/// A view that is a widget.
final class WidgetView: View {
  let widget: UnsafeMutablePointer<GtkWidget>

  init(_ widget: UnsafeMutablePointer<GtkWidget>) {
    self.widget = widget
    super.init()
  }
}
