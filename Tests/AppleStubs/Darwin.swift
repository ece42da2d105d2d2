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
