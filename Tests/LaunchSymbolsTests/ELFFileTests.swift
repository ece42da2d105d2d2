import Testing

@testable import LaunchSymbols

struct ELFFileTests {
  @Test func readsItself() throws {
    let file = try ELFFile(path: "/tmp/tcpp")
    print(file.buildID, file.sections.count)
    print(file.symbols(at: [0x1139, 0x1145, 0x11c6, 0x1178, 0x1194, 0x1130, 0x9999999]).map { $0?.name as Any })
  }
}
