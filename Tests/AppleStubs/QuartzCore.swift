// SPDX-License-Identifier: Apache-2.0

// The part of QuartzCore that the package uses, as Apple documents it.
public import Foundation
public import ObjectiveC

open class CADisplayLink: NSObject {
  public init(target: Any, selector: Selector) {}
  open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {}
  open func invalidate() {}
}

open class CATransaction: NSObject {
  open class func setCompletionBlock(_ block: (() -> Void)?) {}
}
