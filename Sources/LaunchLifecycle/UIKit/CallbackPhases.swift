// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
internal import LaunchProfiler
internal import ObjectiveC
internal import UIKit

/// Records the callbacks of delegates as phases. It replaces each callback that a class has with a method that runs the
/// original one as a phase.
@MainActor
enum CallbackPhases {
  // Methods as the runtime calls them: the object, the selector, the arguments.
  private typealias Launch = @convention(c) (AnyObject, OpaquePointer, AnyObject, AnyObject?) -> Bool
  private typealias Connect = @convention(c) (AnyObject, OpaquePointer, AnyObject, AnyObject, AnyObject) -> Void
  private typealias Notice = @convention(c) (AnyObject, OpaquePointer, AnyObject) -> Void

  static func observe(application type: AnyClass) {
    launch(type, "application:willFinishLaunchingWithOptions:", .willFinishLaunching)
    launch(type, "application:didFinishLaunchingWithOptions:", .didFinishLaunching)
    notice(type, "applicationDidBecomeActive:", .didBecomeActive)
  }

  static func observe(scene type: AnyClass) {
    connect(type, "scene:willConnectToSession:options:")
    notice(type, "sceneWillEnterForeground:", .willEnterForeground)
    notice(type, "sceneDidBecomeActive:", .didBecomeActive)
  }

  private static func launch(_ type: AnyClass, _ name: String, _ phase: LaunchPhase) {
    replace(type, name) { original, selector in
      let original = unsafeBitCast(original, to: Launch.self)
      let block: @convention(block) (AnyObject, AnyObject, AnyObject?) -> Bool = { object, application, options in
        MainActor.assumeIsolated { LaunchReason.record(options as? NSDictionary) }
        return LaunchProfiler.phase(phase) { original(object, selector, application, options) }
      }
      return unsafeBitCast(block, to: AnyObject.self)
    }
  }

  private static func connect(_ type: AnyClass, _ name: String) {
    replace(type, name) { original, selector in
      let original = unsafeBitCast(original, to: Connect.self)
      let block: @convention(block) (AnyObject, AnyObject, AnyObject, AnyObject) -> Void = {
        object, scene, session, options in
        MainActor.assumeIsolated { LaunchReason.record(options as? UIScene.ConnectionOptions) }
        LaunchProfiler.phase(.sceneConnect) { original(object, selector, scene, session, options) }
      }
      return unsafeBitCast(block, to: AnyObject.self)
    }
  }

  private static func notice(_ type: AnyClass, _ name: String, _ phase: LaunchPhase) {
    replace(type, name) { original, selector in
      let original = unsafeBitCast(original, to: Notice.self)
      let block: @convention(block) (AnyObject, AnyObject) -> Void = { object, sender in
        LaunchProfiler.phase(phase) { original(object, selector, sender) }
      }
      return unsafeBitCast(block, to: AnyObject.self)
    }
  }

  /// Does nothing if the class does not implement the method.
  private static func replace(_ type: AnyClass, _ name: String, _ make: (IMP, OpaquePointer) -> AnyObject) {
    let selector = Selector((name))
    guard let method = class_getInstanceMethod(type, selector) else { return }
    let block = make(method_getImplementation(method), unsafeBitCast(selector, to: OpaquePointer.self))
    method_setImplementation(method, imp_implementationWithBlock(block))
  }
}
#endif
