import Foundation
import LaunchTrace
import Testing

@Suite struct PerfettoTraceWriterTests {
  @Test(arguments: [(0, 1), (1, 1), (125, 1), (126, 2), (127, 2), (20_000, 3)])
  func messageLengthIsMinimalVarint(length: Int, width: Int) {
    var writer = ProtobufWriter()
    writer.message(1) { $0.bytes(2, UnsafeRawBufferPointer(start: nil, count: 0)) }
    #expect(writer.bytes == [0x0a, 2, 0x12, 0])
    writer.removeAll()
    writer.message(1) { $0.string(2, String(repeating: "x", count: length)) }
    let inner = length + (length < 128 ? 2 : length < 16_384 ? 3 : 4)
    #expect(writer.bytes.count == 1 + width + inner)
    #expect(writer.bytes.first == 0x0a)
  }

  @Test func writesSampleTrace() throws {
    let bytes = SampleTrace.writer().bytes
    #expect(bytes.count > 500)
    if let path = ProcessInfo.processInfo.environment["SAMPLE_TRACE"] {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }
}
