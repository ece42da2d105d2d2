// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The part of the Objective-C runtime that the package uses, as Apple documents it.

public struct Selector: @unchecked Sendable {
  let pointer: OpaquePointer
  public init(_ name: String) { fatalError() }
}
public typealias IMP = OpaquePointer
public typealias Method = OpaquePointer
public func class_getInstanceMethod(_ type: AnyClass?, _ name: Selector) -> Method? { nil }
public func method_getImplementation(_ method: Method) -> IMP { fatalError() }
@discardableResult
public func method_setImplementation(_ method: Method, _ implementation: IMP) -> IMP { fatalError() }
public func imp_implementationWithBlock(_ block: Any) -> IMP { fatalError() }
