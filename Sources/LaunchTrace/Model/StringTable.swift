/// Index of a string in a trace's `StringTable`. 0 is the empty string.
public struct StringID: Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let empty = StringID(rawValue: 0)
}

/// The distinct strings of a trace, each stored once.
public struct StringTable: Sendable {
  private var strings: [String] = [""]
  private var ids: [String: UInt32] = ["": 0]

  public init() {}

  public var count: Int { strings.count }

  public subscript(id: StringID) -> String { strings[Int(id.rawValue)] }

  /// The id of `string`, which is added if it is new.
  public mutating func intern(_ string: String) -> StringID {
    if let id = ids[string] { return StringID(rawValue: id) }
    let id = UInt32(strings.count)
    strings.append(string)
    ids[string] = id
    return StringID(rawValue: id)
  }

  /// The id of `string` if the trace has it.
  public func id(of string: String) -> StringID? { ids[string].map(StringID.init(rawValue:)) }
}
