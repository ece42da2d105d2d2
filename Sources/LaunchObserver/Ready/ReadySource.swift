/// Something that tells of one kind of `ReadySignal`. Used from one thread at a time.
protocol ReadySource: AnyObject {
  /// Readable when there is news; empty for a source that must look by itself.
  var descriptors: [Int32] { get }
  /// Whether there is more to do after the signal (a relay passes on what the program writes).
  var goesOn: Bool { get }
  /// The program was launched. Sources are made before, so that they miss nothing.
  func begin(processID: Int32, at time: Int64)
  /// Takes the news, if there is any.
  func look() -> ReadySignal?
  /// The program has ended: what is left is to be passed on.
  func finish() -> ReadySignal?
}

extension ReadySource {
  var goesOn: Bool { false }
  func begin(processID: Int32, at time: Int64) {}
  func finish() -> ReadySignal? { look() }
}
