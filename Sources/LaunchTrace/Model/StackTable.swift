// SPDX-License-Identifier: Apache-2.0

/// Call stacks as a tree of frames: a row is a frame and its caller, which has a smaller row.
public struct StackTable: Sendable {
  /// Row of the caller, -1 for the outermost frame.
  public internal(set) var caller: [Int32] = []
  /// Function name, or `.empty` when only the address is known.
  public internal(set) var function: [UInt32] = []
  /// Path or name of the image, `.empty` if not known.
  public internal(set) var image: [UInt32] = []
  /// The image's build id, hexadecimal, `.empty` if not known.
  public internal(set) var buildID: [UInt32] = []
  /// Address in the image's file (address at run time − load bias); 0 if not known. For a caller, it is inside the call
  /// instruction.
  public internal(set) var address: [UInt64] = []
  /// Source file and line of the running code; `.empty` and 0 if not known.
  public internal(set) var file: [UInt32] = []
  public internal(set) var line: [UInt32] = []
  public init() {}
  public var count: Int { caller.count }
}

extension StackTable {
  /// The content of a row without the caller. Strings are ids of the trace's table.
  package struct Frame: Hashable, Sendable {
    package var function: UInt32
    package var image: UInt32
    package var buildID: UInt32
    package var address: UInt64
    package var file: UInt32
    package var line: UInt32

    package init(
      function: StringID, image: StringID = .empty, buildID: StringID = .empty, address: UInt64 = 0,
      file: StringID = .empty, line: UInt32 = 0
    ) {
      self.function = function.rawValue
      self.image = image.rawValue
      self.buildID = buildID.rawValue
      self.address = address
      self.file = file.rawValue
      self.line = line
    }
  }

  package subscript(row: Int32) -> Frame {
    let row = Int(row)
    return Frame(
      function: StringID(rawValue: function[row]), image: StringID(rawValue: image[row]),
      buildID: StringID(rawValue: buildID[row]), address: address[row], file: StringID(rawValue: file[row]),
      line: line[row])
  }

  /// Whether the row is that of a frame below `caller`. Two calls of one function on one line are the same.
  func isFrame(_ frame: Frame, _ caller: Int32, at row: Int) -> Bool {
    self.caller[row] == caller && self[Int32(truncatingIfNeeded: row)] == frame
  }

  /// Adds a row below `caller` (-1 for an outermost frame), which must already exist, and returns the new row.
  @discardableResult
  package mutating func append(caller: Int32, _ frame: Frame) -> Int32 {
    self.caller.append(caller)
    function.append(frame.function)
    image.append(frame.image)
    buildID.append(frame.buildID)
    address.append(frame.address)
    file.append(frame.file)
    line.append(frame.line)
    return Int32(truncatingIfNeeded: count - 1)
  }
}
