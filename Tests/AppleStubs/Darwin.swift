// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The part of Darwin's C library that the package uses and that Linux's lacks.
@_exported import Glibc

public let CTL_KERN: Int32 = 1
public let KERN_PROC: Int32 = 14
public let KERN_PROC_PID: Int32 = 1

public struct kinfo_proc {
  public struct extern_proc {
    public struct p_un_union { public var __p_starttime = timeval() }
    public var p_un = p_un_union()
  }
  public var kp_proc = extern_proc()
  public init() {}
}

public func sysctl(
  _ name: UnsafeMutablePointer<Int32>, _ count: UInt32, _ old: UnsafeMutableRawPointer?,
  _ oldSize: UnsafeMutablePointer<Int>?, _ new: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { -1 }

// Pointers here, where Linux has structures.
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
public typealias Attributes = UnsafeMutablePointer<posix_spawnattr_t?>

@discardableResult public func posix_spawn_file_actions_init(_ actions: Actions!) -> Int32 { -1 }
@discardableResult public func posix_spawn_file_actions_destroy(_ actions: Actions!) -> Int32 { -1 }
@discardableResult public func posix_spawn_file_actions_addopen(
  _ actions: Actions!, _ descriptor: Int32, _ path: UnsafePointer<CChar>!, _ flags: Int32, _ mode: mode_t
) -> Int32 { -1 }
@discardableResult public func posix_spawn_file_actions_adddup2(_ actions: Actions!, _ from: Int32, _ to: Int32) -> Int32 { -1 }
@discardableResult public func posix_spawnattr_init(_ attributes: Attributes!) -> Int32 { -1 }
@discardableResult public func posix_spawnattr_destroy(_ attributes: Attributes!) -> Int32 { -1 }
@discardableResult public func posix_spawnattr_setsigmask(_ attributes: Attributes!, _ mask: UnsafePointer<sigset_t>!) -> Int32 { -1 }
@discardableResult public func posix_spawnattr_setflags(_ attributes: Attributes!, _ flags: Int16) -> Int32 { -1 }
public func _NSGetEnviron() -> UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>! { nil }
@discardableResult public func posix_spawnp(
  _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
  _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!, _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { -1 }
