// SPDX-License-Identifier: Apache-2.0

/// Call stacks as a tree of frames: a row is a frame and its caller, which has a smaller row.
public struct StackTable: Sendable {
  /// Row of the caller, -1 for the outermost frame.
  public package(set) var caller: [Int32] = []
  /// The place of the row's frame in `frames`.
  public package(set) var frame: [Int32] = []
  /// Frames without their callers. Many rows have the same one.
  public package(set) var frames: [Frame] = []

  public init() {}
  public var count: Int { caller.count }

  /// The content of a row without the caller. Strings are ids of the trace's table.
  public struct Frame: Hashable, Sendable {
    /// Function name, or `.empty` when only the address is known.
    public package(set) var function: UInt32
    /// Path or name of the image, `.empty` if not known.
    public package(set) var image: UInt32
    /// The image's build id, hexadecimal, `.empty` if not known.
    public package(set) var buildID: UInt32
    /// Address in the image's file (address at run time − load bias); 0 if not known. For a caller, it is inside the
    /// call instruction.
    public package(set) var address: UInt64
    /// Source file and line of the running code; `.empty` and 0 if not known.
    public package(set) var file: UInt32
    public package(set) var line: UInt32

    /// Where the code is from: its image, or its source file if it has none, as in scripts.
    package var origin: UInt32 { image != StringID.empty.rawValue ? image : file }

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

  /// The frame of a row.
  public subscript(row: Int) -> Frame { frames[Int(frame[row])] }

  /// Adds a row below `caller` (-1 for an outermost frame), which must already exist, and returns the new row.
  @discardableResult
  package mutating func append(caller: Int32, frame: Int32) -> Int32 {
    self.caller.append(caller)
    self.frame.append(frame)
    return Int32(truncatingIfNeeded: count - 1)
  }
}
