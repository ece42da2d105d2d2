// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import LaunchSymbols

/// A C program with a function that is inlined into another one.
struct KnownProgram {
  static let source = """
    volatile int sink;

    static inline __attribute__((always_inline)) int inner(int value) {
      sink = value * 3; // line 4
      return sink;
    }

    __attribute__((noinline)) int outer(int value) {
      return inner(value) + 1; // line 9
    }

    int main(int count, char **arguments) {
      (void)arguments;
      return outer(count) == 0;
    }

    """

  let directory: TemporaryDirectory
  let path: String
  /// Address of `outer`.
  let address: UInt64
  /// Addresses spread over `outer`.
  let addresses: [UInt64]
  let buildID: String

  /// What stands for the name of `outer` in a stripped file.
  var place: String { "known+0x" + String(address, radix: 16) }

  var image: Image { Image(path: path, buildID: buildID) }

  /// - Parameter arguments: compiler arguments after `-g -O1`.
  init(_ arguments: [String] = ["-Wl,--build-id"]) throws {
    directory = try TemporaryDirectory()
    path = try Compiler.c(Self.source, to: "known", in: directory, ["-g", "-O1"] + arguments)
    let function = try Compiler.function("outer", of: path, in: directory)
    address = function.address
    addresses = (function.address..<function.address + function.size).map { $0 }
    buildID = try ELFFile(path: path).buildID
  }
}

/// `inner:4 outer:9`, the innermost first.
func text(_ frames: [SourceFrame]) -> String {
  frames.map { $0.line > 0 ? "\($0.name):\($0.line)" : $0.name }.joined(separator: " ")
}

extension Symbolizer {
  /// `frames` for one image.
  mutating func frames(of image: Image, at addresses: [UInt64]) throws(SymbolError) -> [[SourceFrame]] {
    try frames(of: [(image, addresses)])[0].get()
  }
}
