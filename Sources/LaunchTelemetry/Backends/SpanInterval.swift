// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
internal import CLaunchRecorder
import Synchronization

/// A span as an interval of the launch trace. It has its own track, because it may suspend or end on another thread.
struct SpanInterval: Sendable {
  /// The recorder never frees names, and user input may be part of a name. So their number is limited.
  private static let mostNames = 512
  private static let names = Mutex<[String: Name]>([:])

  /// A name that the recorder keeps for ever.
  private struct Name: @unchecked Sendable {
    let text: UnsafePointer<CChar>
    let category: OpaquePointer
  }

  private let name: Name
  private let interval: lr_async

  /// nil if nothing is recorded.
  init?(_ name: String, module: String) {
    guard lr_is_recording(), let name = Self.permanent(name, module) else { return nil }
    self.name = name
    interval = lr_async_begin(name.category, name.text, 0, nil, 0)
  }

  func end() { lr_async_end(name.category, name.text, 0, interval, nil, 0) }

  private static func permanent(_ name: String, _ module: String) -> Name? {
    names.withLock { names in
      let key = names.count < mostNames ? module + "/" + name : module + "/(more spans)"
      if let known = names[module + "/" + name] ?? names[key] { return known }
      var (text, subsystem, category) = (names.count < mostNames ? name : "(more spans)", "tracing", module)
      let made = text.withUTF8 { text in
        text.withMemoryRebound(to: CChar.self) { lr_permanent_string($0.baseAddress, min($0.count, 128)) }
      }
      let kept = subsystem.withUTF8 { subsystem in
        category.withUTF8 { category in
          subsystem.withMemoryRebound(to: CChar.self) { subsystem in
            category.withMemoryRebound(to: CChar.self) { category in
              lr_category_make(subsystem.baseAddress, subsystem.count, category.baseAddress, category.count)
            }
          }
        }
      }
      guard let made, let kept else { return nil }
      names[key] = Name(text: made, category: kept)
      return names[key]
    }
  }
}
#endif
