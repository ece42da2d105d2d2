// SPDX-License-Identifier: Apache-2.0

package import LaunchSymbols

/// How functions lie in a program.
package struct OrderedFunctions {
  /// Functions that come after the one before them in the list.
  package private(set) var inOrder = 0
  package private(set) var pages = 0
  private var count = 0

  private static let pageSize: UInt64 = 4096
  /// Functions that the linker moves, such as those of the C library's objects with one section, are fewer than this part.
  private static let leastShare = 0.6

  /// - Parameters:
  ///   - list: in the order that was asked for.
  ///   - functions: of the program.
  package init(_ list: [Symbol], in functions: [Symbol]) {
    let places = Dictionary(functions.map { ($0.mangledName, $0.address) }) { first, _ in first }
    let addresses = list.compactMap { places[$0.mangledName] }
    count = addresses.count
    inOrder = zip(addresses, addresses.dropFirst()).count { $0 < $1 } + (addresses.isEmpty ? 0 : 1)
    pages = Set(addresses.map { $0 / Self.pageSize }).count
  }

  /// By chance, half of them are.
  package var isOrdered: Bool { Double(inOrder) >= Self.leastShare * Double(max(1, count)) }
}
