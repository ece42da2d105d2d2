// SPDX-License-Identifier: Apache-2.0

// The part of MetricKit that the package uses, as Apple documents it.
public import Foundation

public struct MXLaunchTaskID: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

open class MXMetricManager: NSObject {
  open class func extendLaunchMeasurement(forTaskID taskID: MXLaunchTaskID) throws {}
  open class func finishExtendedLaunchMeasurement(forTaskID taskID: MXLaunchTaskID) throws {}
}
