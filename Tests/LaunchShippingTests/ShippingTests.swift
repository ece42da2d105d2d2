// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchRecord
import LaunchShipping
import TestSupport
import Testing

struct ShippingTests {
  /// Ships a spool and returns what was told.
  func ship(
    _ spool: FilledSpool, to address: String, patience: Duration = .seconds(30), compresses: Bool = true
  ) throws -> (result: Shipper.Result, told: [String]) {
    var told: [String] = []
    let place = Spool(path: spool.path)
    var shipper = Shipper(
      to: try Destination(
        "otlp=" + address, format: .json, headers: [(name: "X-Key", value: "secret")], compresses: compresses),
      patience: patience, firstPause: 0.02
    ) { told.append($0) }
    let result = try shipper.ship(
      try place.contents().entries, line: \.line, delivered: place.remove, refused: place.refuse)
    return (result, told)
  }

  @Test(arguments: ["200", "chunked"])
  func whatArrivesLeavesTheSpool(answer: String) throws {
    let (receiver, spool) = (try Receiver([answer]), try FilledSpool(150))
    let (result, _) = try ship(spool, to: receiver.address)
    #expect(result == .init(delivered: 150, refused: 0, left: 0))
    #expect(spool.left.isEmpty)
    #expect(Set(receiver.launches) == Set(spool.ids))
    #expect(receiver.taken.count == 3, "in batches")
    #expect(
      receiver.taken.allSatisfy { $0.hasPrefix("POST /v1/traces HTTP/1.1\r\n") && $0.contains("\r\nX-Key: secret\r\n") }
    )
  }

  @Test func requestsAreCompressed() throws {
    let (receiver, spool) = (try Receiver(["200"]), try FilledSpool(64))
    #expect(try ship(spool, to: receiver.address).result.delivered == 64)
    try #require(receiver.taken.count == 1)
    let request = receiver.taken[0]
    #expect(request.contains("\r\nContent-Encoding: gzip\r\n"))
    let (head, body) = (request.split(separator: "\r\n"), request.split(separator: "\r\n\r\n")[1])
    let length = try #require(head.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) })
    #expect(length > 0 && length < body.utf8.count / 4)
  }

  /// The receiver says 415, and is not asked another time. Or the user knows that it would answer something else.
  @Test(arguments: [["415", "200"], ["200"]])
  func whoDoesNotKnowGzipGetsPlainRequests(answers: [String]) throws {
    let (receiver, spool) = (try Receiver(answers), try FilledSpool(150))
    let (result, told) = try ship(spool, to: receiver.address, compresses: answers.count > 1)
    #expect(result == .init(delivered: 150, refused: 0, left: 0))
    #expect(told.isEmpty)
    #expect(receiver.taken.count == 3 && !receiver.taken.contains { $0.contains("Content-Encoding") })
    #expect(receiver.launches.count > 0 && Set(receiver.launches) == Set(spool.ids))
  }

  /// Two answers with 415 are about something else, such as JSON.
  @Test func whoDoesNotKnowTheFormatIsNamed() throws {
    let (receiver, spool) = (try Receiver(["415"]), try FilledSpool(3))
    let error = #expect(throws: ShippingError.self) { try ship(spool, to: receiver.address) }
    #expect(error?.code == .refused && error?.message.contains("status 415") == true)
    #expect(spool.left.count == 3)
  }

  @Test(arguments: ["429", "503", "500", "408", "garbage", "half", "close", "lost", "retry=0"])
  func whatDoesNotArriveIsSentAgain(trouble: String) throws {
    let (receiver, spool) = (try Receiver([trouble, trouble, "200"]), try FilledSpool(3))
    let (result, _) = try ship(spool, to: receiver.address)
    #expect(result.delivered == 3)
    #expect(spool.left.isEmpty)
    #expect(Set(receiver.launches) == Set(spool.ids))
    // What came three times is the same launch, span by span.
    let bodies = Set(receiver.taken.compactMap { $0.split(separator: "\r\n\r\n").last })
    #expect(bodies.count == 1)
    #expect(receiver.taken.count == (trouble == "lost" ? 3 : 1))
  }

  @Test func clickHouseGetsTheLinesAsTheyAre() throws {
    let (receiver, spool) = (try Receiver(["lost", "200"]), try FilledSpool(3))
    let place = Spool(path: spool.path)
    var shipper = Shipper(
      to: try Destination("clickhouse=\(receiver.address)/?database=fleet", format: .json, headers: []),
      patience: .seconds(30), firstPause: 0.02
    ) { _ in }
    let records = try place.contents().entries
    let result = try shipper.ship(records, line: \.line, delivered: place.remove, refused: place.refuse)
    #expect(result.delivered == 3)
    try #require(receiver.taken.count == 2)
    #expect(receiver.taken[0] == receiver.taken[1], "the token, too")
    let request = receiver.taken[0]
    #expect(
      request.hasPrefix(
        "POST /?database=fleet&query=INSERT%20INTO%20records%20FORMAT%20LineAsString&insert_deduplication_token="))
    #expect(request.hasSuffix("\r\n\r\n" + records.map { $0.line + "\n" }.joined()))
  }

  @Test func theOtherSideSaysWhenToComeBack() throws {
    let (receiver, spool) = (try Receiver(["retry=2", "200"]), try FilledSpool(1))
    let before = ContinuousClock.now
    #expect(try ship(spool, to: receiver.address).result.delivered == 1)
    #expect(ContinuousClock.now - before >= .seconds(2))
    let impatient = try FilledSpool(1)
    let busy = try Receiver(["retry=3600"])
    let (result, told) = try ship(impatient, to: busy.address, patience: .seconds(1))
    #expect(result == .init(delivered: 0, refused: 0, left: 1))
    #expect(told.contains { $0.contains("status 429") && $0.contains("a pause of 3600 s; the records stay") })
    #expect(impatient.left.count == 1)
  }

  @Test func whatIsRefusedIsPutAside() throws {
    let spool = try FilledSpool(20)
    let receiver = try Receiver(["reject=" + spool.ids[7]])
    let (result, told) = try ship(spool, to: receiver.address)
    #expect(result == .init(delivered: 19, refused: 1, left: 0))
    #expect(Set(receiver.launches) == Set(spool.ids).subtracting([spool.ids[7]]))
    let refused = names(in: spool.path + "/refused")
    #expect(refused.count == 1 && refused.first?.contains(spool.ids[7]) == true, "\(refused)")
    #expect(told.count == 1)
  }

  /// A server that expects TLS answers each plain request with 400: nothing may be put aside, where the oldest are deleted.
  @Test func whoRefusesEverythingGetsNothing() throws {
    for count in [1, 3, 200] {
      let (receiver, spool) = (try Receiver(["said=400"]), try FilledSpool(count))
      let error = #expect(throws: ShippingError.self) { try ship(spool, to: receiver.address) }
      #expect(error?.code == .refused && error?.message.contains("status 400: Use <https>") == true)
      #expect(spool.left.count == count && names(in: spool.path + "/refused").isEmpty)
    }
  }

  /// The log-in of a network answers with a page and status 200.
  @Test func aPageConfirmsNothing() throws {
    let (receiver, spool) = (try Receiver(["page"]), try FilledSpool(3))
    let error = #expect(throws: ShippingError.self) { try ship(spool, to: receiver.address) }
    #expect(error?.code == .refused && error?.message.contains("is a web page") == true)
    #expect(spool.left.count == 3 && names(in: spool.path + "/refused").isEmpty)
  }

  /// The oldest records are of a version that this receiver does not want, and it wants the newest.
  @Test func manyRefusedRecordsDoNotHideTheOthers() throws {
    let spool = try FilledSpool(30)
    let receiver = try Receiver(["reject=" + spool.ids[..<20].joined(separator: ",")])
    let (result, told) = try ship(spool, to: receiver.address)
    #expect(result == .init(delivered: 10, refused: 20, left: 0))
    #expect(spool.left.isEmpty && names(in: spool.path + "/refused").count == 20)
    #expect(told.allSatisfy { $0.contains("refused: ") } && !told.isEmpty && told.count <= 20, "\(told)")
  }

  /// What cannot become a span is the record's fault, whoever receives.
  @Test func whatCannotBeSentIsPutAsideAtOnce() throws {
    let spool = try FilledSpool(0)
    let id = String(repeating: "b", count: 32)
    try LineFile(path: spool.directory.appending("1795341600000-\(id).json")).replace(
      with: [#"{"record":1,"id":"\#(id)"}"#])
    let receiver = try Receiver(["400"])
    #expect(try ship(spool, to: receiver.address).result == .init(delivered: 0, refused: 1, left: 0))
    #expect(spool.left.isEmpty && names(in: spool.path + "/refused").count == 1)
  }

  /// A large spool is shipped in parts. Whether the receiver takes records is known from the part before.
  @Test func partsOfASpoolAreShippedOneAfterTheOther() throws {
    let spool = try FilledSpool(9)
    let place = Spool(path: spool.path)
    let receiver = try Receiver(["reject=" + spool.ids[6...].joined(separator: ",")])
    var shipper = Shipper(
      to: try Destination("otlp=" + receiver.address, format: .json, headers: []), patience: .seconds(30)
    ) { _ in }
    let names = try place.recordNames().names
    var results: [Shipper.Result] = []
    for start in stride(from: 0, to: 9, by: 3) {
      let part = place.contents(of: names[start..<start + 3])
      #expect(part.entries.map(\.name) == Array(names[start..<start + 3]))
      results.append(
        try shipper.ship(part.entries, line: \.line, delivered: place.remove, refused: place.refuse))
    }
    #expect(results.map(\.delivered) == [3, 3, 0] && results.map(\.refused) == [0, 0, 3])
    #expect(spool.left.isEmpty && place.contents(of: names).entries.isEmpty)
  }

  @Test func aPartialSuccessIsNotSentAgain() throws {
    let (receiver, spool) = (try Receiver(["partial", "200"]), try FilledSpool(2))
    let (result, told) = try ship(spool, to: receiver.address)
    #expect(result.refused == 2)
    #expect(told == ["\(receiver.address)/v1/traces: 1 spans were refused: too old"])
    #expect(names(in: spool.path + "/refused").count == 2)
    #expect(receiver.taken.count == 1)
  }

  /// A part of the first batch has arrived. Only after that, nothing arrives for a while.
  @Test func aPartialSuccessRenewsThePatience() throws {
    let (receiver, spool) = (try Receiver(["partial", "503", "200"]), try FilledSpool(65))
    let place = Spool(path: spool.path)
    let patience = 5
    var shipper = Shipper(
      to: try Destination("otlp=" + receiver.address, format: .json, headers: []), patience: .seconds(patience),
      firstPause: 0.02
    ) { _ in }
    var refused = 0
    let result = try shipper.ship(try place.contents().entries, line: \.line, delivered: place.remove) {
      (entry) throws(ShippingError) in
      if refused == 0 { sleep(UInt32(patience)) }
      refused += 1
      try place.refuse(entry)
    }
    #expect(result == .init(delivered: 1, refused: 64, left: 0))
  }

  /// With a full quota, 64 records at once would leave their spool.
  @Test func whoTakesNothingGetsOnlyTheFirstAndTheNewest() throws {
    let (receiver, spool) = (try Receiver(["none"]), try FilledSpool(200))
    let error = #expect(throws: ShippingError.self) { try ship(spool, to: receiver.address) }
    #expect(error?.code == .refused && error?.message.contains("quota exceeded") == true, "\(error?.message ?? "none")")
    #expect(spool.left.count == 200 && receiver.taken.count == 2)
    // Of one that takes others, they are put aside.
    let sometimes = try Receiver(["200", "none"])
    let (result, told) = try ship(spool, to: sometimes.address)
    #expect(result == .init(delivered: 64, refused: 136, left: 0))
    #expect(
      told.last == "\(sometimes.address)/v1/traces: 8 records were refused: all spans were refused: quota exceeded")
  }

  @Test(arguments: ["401", "404", "302"])
  func aWrongAddressLosesNothing(answer: String) throws {
    let (receiver, spool) = (try Receiver([answer]), try FilledSpool(2))
    let error = #expect(throws: ShippingError.self) { try ship(spool, to: receiver.address) }
    #expect(error?.code == .refused)
    #expect(spool.left.count == 2)
  }

  @Test func whatWasSentIsKnownAfterAnError() throws {
    let (receiver, spool) = (try Receiver(["200", "401"]), try FilledSpool(100))
    let place = Spool(path: spool.path)
    var shipper = Shipper(
      to: try Destination("otlp=" + receiver.address, format: .json, headers: []), patience: .seconds(30)
    ) { _ in }
    let entries = try place.contents().entries
    #expect(throws: ShippingError.self) {
      try shipper.ship(entries, line: \.line, delivered: place.remove, refused: place.refuse)
    }
    #expect(shipper.total == .init(delivered: 64) && spool.left.count == 36)
  }

  @Test func whereNobodyListensNothingIsLost() throws {
    let spool = try FilledSpool(2)
    let (result, told) = try ship(spool, to: "http://127.0.0.1:1", patience: .milliseconds(10))
    #expect(result.left == 2)
    #expect(told.contains { $0.contains("cannot connect: Connection refused") })
    #expect(spool.left.count == 2)
  }

  @Test func filesAreTornAndMixed() throws {
    let directory = try TemporaryDirectory()
    for ending in ["", ".gz", ".zst"] {
      var file = LineFile(path: directory.appending("launches.jsonl" + ending))
      try file.append([sampleRecord(1).line, "{\"record\":1,\"id\""])
      try file.append(["", sampleRecord(2).line, "[]", "{\"record\":1}"])
      let (lines, broken) = try file.records()
      #expect(lines == [sampleRecord(1).line, sampleRecord(2).line])
      #expect(broken == 3)
    }
  }

  @Test func brokenFilesOfASpoolAreNamed() throws {
    let spool = try FilledSpool(1)
    // One that a program left, and one that no program did.
    let files = ["1795341600000-00000000000000000000000000000001.json", "torn.json"]
    for name in files { try LineFile(path: spool.directory.appending(name)).replace(with: ["{\"record\":1,"]) }
    let place = Spool(path: spool.path)
    let contents = try place.contents()
    #expect(contents.entries.count == 1 && contents.broken == [files[0]])
    #expect(contents.unreadable.map(\.name) == [files[1]])
    try place.putAside(files[0])
    #expect(names(in: spool.path + "/refused") == [files[0]])
    #expect(throws: ShippingError.self) { try Spool(path: "/nowhere").contents() }
  }

  /// A record stays as its program wrote it: it may be of a newer version, with keys and values that are not known here.
  @Test func whatIsNotKnownIsShippedAsItIs() throws {
    let directory = try TemporaryDirectory()
    let spool = try FilledSpool(0)
    let id = String(repeating: "a", count: 32)
    let line = #"{"record":1, "id":"\#(id)","new":0.5,"big":18446744073709551615,"list":[1,{"x":null}],"none":null}"#
    let name = "1795341600000-\(id).json"
    try LineFile(path: spool.directory.appending(name)).replace(with: [line.replacing(", ", with: ",\n")])
    let place = Spool(path: spool.path)
    let file = LineFile(path: directory.appending("launches.jsonl"))
    var shipper = Shipper(to: .file(file), patience: .seconds(1)) { _ in }
    let result = try shipper.ship(
      try place.contents().entries, line: \.line, delivered: place.remove, refused: place.refuse)
    #expect(result.delivered == 1 && spool.left.isEmpty)
    #expect(try file.records().lines == [line])
    // A span has only what it can say.
    #expect(RecordReader.read(line)?.fields.map(\.key) == ["record", "id"])
  }

  /// What cannot be removed would be sent again each time: nothing more is sent.
  @Test func aSpoolThatCannotBeWrittenIsAnError() throws {
    let spool = try FilledSpool(3)
    let place = Spool(path: spool.path)
    try place.checkWritable()
    let entries = try place.contents().entries
    // A directory in the place of a file cannot be unlinked, also by root.
    for entry in entries.prefix(2) {
      unlink(spool.path + "/" + entry.name)
      mkdir(spool.path + "/" + entry.name, 0o700)
    }
    let file = LineFile(path: spool.directory.appending("all"))
    var shipper = Shipper(to: .file(file), patience: .seconds(1)) { _ in }
    let error = #expect(throws: ShippingError.self) {
      try shipper.ship(entries, line: \.line, delivered: place.remove, refused: place.refuse)
    }
    #expect(error?.code == .cannotWrite && error?.place == spool.path + "/" + entries[0].name)
    #expect(spool.left == entries.prefix(2).map(\.name), "the others of the batch are gone")
    #expect(throws: ShippingError.self) { try Spool(path: "/proc/self").checkWritable() }
  }

  @Test func filesThatCannotBeReadAreNamed() throws {
    let spool = try FilledSpool(2)
    let names = ["1795341600000-00000000000000000000000000000002.json", ".open-1795341600000-3.json"]
    for name in names { symlink(name, spool.directory.appending(name)) }
    let contents = try Spool(path: spool.path).contents()
    #expect(contents.entries.count == 2 && contents.broken.isEmpty)
    #expect(Set(contents.unreadable.map(\.name)) == Set(names))
    #expect(contents.unreadable.allSatisfy { $0.reason == "cannot be read: Too many levels of symbolic links" })
  }

  @Test func theOldestRefusedRecordsAreDeleted() throws {
    let spool = try FilledSpool(Spool.mostRefused + 5)
    let place = Spool(path: spool.path)
    for entry in try place.contents().entries { try place.refuse(entry) }
    #expect(place.deleteOldRefused() == 5 && place.deleteOldRefused() == 0)
    let left = names(in: spool.path + "/refused")
    #expect(left.count == Spool.mostRefused && !left.contains { $0.contains(spool.ids[4]) })
    #expect(left.contains { $0.contains(spool.ids[5]) })
  }

  /// A timer may send before the first launch.
  @Test func aSpoolThatDoesNotExistYetIsAwaited() throws {
    let directory = try TemporaryDirectory()
    for name in ["spool", "spool//"] { #expect(Spool(path: directory.appending(name)).isAwaited) }
    #expect(Spool(path: "no-such-spool").isAwaited)
    symlink("nowhere", directory.appending("link"))
    for name in ["no/spool", "link", "", "/"] { #expect(!Spool(path: directory.appending(name)).isAwaited, "\(name)") }
  }

  @Test func onlyOneShipsASpool() throws {
    let spool = try FilledSpool(1)
    let place = Spool(path: spool.path)
    let outer = try place.alone { () throws(ShippingError) in
      #expect(try place.alone { () throws(ShippingError) in 1 } == nil)
      return 2
    }
    #expect(outer == 2)
    #expect(try place.alone { () throws(ShippingError) in 3 } == 3, "it is free again")
    #expect(throws: ShippingError.self) { try Spool(path: "/nowhere").alone {} }
  }
}
