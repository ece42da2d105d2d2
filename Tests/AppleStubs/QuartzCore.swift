// SPDX-License-Identifier: Apache-2.0

// The part of QuartzCore that the package uses, as Apple documents it.
public import Foundation
public import ObjectiveC

open class CADisplayLink: NSObject {
  public init(target: Any, selector: Selector) {}
  open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {}
  open func invalidate() {}
}

// CoreFoundation, which QuartzCore exports.
public final class CFAllocator {}
public final class CFRunLoop {}
public final class CFRunLoopObserver {}

public struct CFRunLoopActivity: OptionSet, Sendable {
  public var rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let beforeWaiting = CFRunLoopActivity(rawValue: 1 << 5)
}

public struct CFRunLoopMode: Sendable {
  public static let commonModes = CFRunLoopMode()
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFRunLoopGetMain() -> CFRunLoop! { nil }
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFRunLoopAddObserver(_ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!) {}
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFRunLoopObserverCreateWithHandler(
  _ allocator: CFAllocator!, _ activities: UInt, _ repeats: Bool, _ order: Int,
  _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! { nil }
