// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols

/// A function of Swift's runtime whose calls can be watched.
enum RuntimeFunction: UInt64, CaseIterable {
  /// Initialises a lazy global, or waits until another thread has.
  case once
  /// Looks up how a type conforms to a protocol.
  case conformance
  /// Looks up a type by its mangled name.
  case typeName
  // These are called so often that only their number is recorded.
  case cast, witnessTable, associatedType, genericType

  /// Where they are in a file, as offsets; empty of a file without Swift's runtime.
  static func offsets(in file: ELFFile) -> [RuntimeFunction: UInt64] {
    // A file that has any of the functions has this one.
    guard let once = file.onceOffset else { return [:] }
    var offsets = [RuntimeFunction.once: once]
    let addresses = file.addresses(ofFunctions: allCases.flatMap(\.symbols))
    for function in allCases where function != .once {
      offsets[function] = function.symbols.lazy.compactMap { addresses[$0].flatMap(file.offset) }.first
    }
    return offsets
  }

  /// The function's symbols, the best first.
  private var symbols: [String] {
    switch self {
    case .once: []
    case .conformance: [Self.conformanceSymbol]
    case .typeName: ["swift_getTypeByMangledName"]
    case .cast: ["swift_dynamicCast"]
    case .witnessTable: ["swift_getWitnessTable"]
    case .associatedType: ["swift_getAssociatedTypeWitness"]
    case .genericType: [Self.genericTypeSymbol, "swift_getGenericMetadata"]
    }
  }

  /// Casts, generic types and the standard library's own requests meet here.
  private static let conformanceSymbol =
    "_ZL52swift_conformsToProtocolMaybeInstantiateSuperclassesPKN5swift14TargetMetadataINS_9InProcessEEEPKNS_"
    + "24TargetProtocolDescriptorIS1_EEb"
  private static let genericTypeSymbol =
    "_ZL25_swift_getGenericMetadataN5swift15MetadataRequestEPKPKvPKNS_27TargetTypeContextDescriptorINS_9InProcessEEE"

  /// Calls are only counted.
  var isCounted: Bool { detail == .calls }

  /// The detail for which it is watched.
  var detail: RuntimeDetail {
    switch self {
    case .once: .globals
    case .conformance, .typeName: .conformances
    case .cast, .witnessTable, .associatedType, .genericType: .calls
    }
  }

  /// The two arguments that identify what is looked up. On x86-64, the address of a result in memory is the first argument.
  func subject(_ arguments: PerfEvents.Arguments) -> (first: UInt64, second: UInt64) {
    switch self {
    case .typeName: return (arguments.second, arguments.third)
    case .conformance:
      #if arch(x86_64)
      return (arguments.second, arguments.third)
      #else
      return (arguments.first, arguments.second)
      #endif
    default: return (arguments.first, arguments.second)
    }
  }

  /// The function of a probe's place. Places also distinguish the files.
  init?(place: UInt64) {
    guard place != RuntimeProbes.calibration else { return nil }
    self.init(rawValue: place % Self.step)
  }

  /// - Parameter file: a number of its own, from 0.
  func place(inFile file: Int) -> UInt64 { UInt64(file) * Self.step + rawValue }

  private static let step: UInt64 = 16
}

/// A part of Swift's runtime that can be watched during a launch.
package enum RuntimeDetail: String, Sendable, CaseIterable {
  /// Each lazy global that is initialised.
  case globals
  /// The first look-ups of conformances, and of types by their names.
  case conformances
  /// How often it casts, and makes witness tables, associated types and generic types.
  case calls

  /// A launch may make thousands of such calls, and their records need room: D243.
  var isFrequent: Bool { self != .globals }
}
