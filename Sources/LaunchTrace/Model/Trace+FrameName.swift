// SPDX-License-Identifier: Apache-2.0

extension Trace {
  /// The name of a row of `stacks`: the function, or its address if the name is unknown.
  package func name(ofFrame row: Int) -> String {
    let frame = stacks[row]
    let function = strings[StringID(rawValue: frame.function)]
    if !function.isEmpty { return function }
    let image = strings[StringID(rawValue: frame.image)]
    let file = image.split(separator: "/").last.map(String.init) ?? "unknown"
    return file + "+0x" + String(frame.address, radix: 16)
  }
}
