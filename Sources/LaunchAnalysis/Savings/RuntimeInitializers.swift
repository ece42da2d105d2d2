// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// The initialisers of Swift's runtime, which a program contains that is linked with `-static-stdlib`. No program can change them.
enum RuntimeInitializers {
  private static let functions: Set = [
    "swift_image_constructor()", "setupStandardConcurrencyDescriptors()", "_libdispatch_init", "__CFInitialize",
  ]
  /// Other files of a program may have these names, too.
  private static let files = Set(
    ["Actor", "Backtrace", "CommandLine", "GlobalObjects", "Linux", "MetadataLookup"].map { "static init of \($0).cpp" }
  )
  /// Two that are there together only if the file contains the runtime.
  private static let marks = ["swift_image_constructor()", "static init of GlobalObjects.cpp"]

  /// - Parameters:
  ///   - name: as in the trace: `<function> (<file>)`.
  ///   - image: the path of the program or library that has the initialiser.
  static func contain(_ name: String, of image: String, in trace: Trace) -> Bool {
    let suffix = " (\(fileName(image)))"
    guard name.hasSuffix(suffix) else { return false }
    let function = String(name.dropLast(suffix.count))
    return functions.contains(function)
      || files.contains(function) && marks.allSatisfy { trace.strings.id(of: $0 + suffix) != nil }
  }
}
