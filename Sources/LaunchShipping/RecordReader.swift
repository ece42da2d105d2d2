package import LaunchRecord

/// Reads launch records: one flat JSON object a line.
///
/// What is not known is kept; nested values, which no record has, are passed over. A line that is no such object gives nil.
package enum RecordReader {
  package static func read(_ line: some StringProtocol) -> Record? {
    var scanner = ObjectScanner(Array(line.utf8))
    guard let members = scanner.members(), scanner.isAtEnd else { return nil }
    let record = Record(
      fields: members.compactMap { if case .value(let value) = $0.member { Record.Field($0.key, value) } else { nil } })
    guard let format = record.number(RecordKey.record), format >= 1 else { return nil }
    return record.text(RecordKey.id).flatMap(LaunchID.init) == nil ? nil : record
  }
}
