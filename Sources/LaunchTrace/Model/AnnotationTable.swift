/// The value of a debug annotation.
public enum AnnotationValue: Sendable, Equatable {
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case pointer(UInt64)
  case array([AnnotationValue])
  case dictionary([String: AnnotationValue])
}

/// Debug annotations by event. Row 0 is empty; an event's row holds all keys of its begin and end packets.
public struct AnnotationTable: Sendable {
  public internal(set) var rows: [[(key: StringID, value: AnnotationValue)]] = [[]]
  public init() {}
}
