// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row a finding a launch.
struct CSVFindings {
  static let header =
    "launch,id,unit,expected,actual,error,subject,phase,path,start_ns,occurrences,file,line,advice,evidence"
    + CSVField.lineEnd

  private let launch: LaunchSet.Launch

  init(_ launch: LaunchSet.Launch) { self.launch = launch }

  func write(to output: inout OutputBuffer) {
    for finding in launch.findings {
      var fields = ["\(launch.number)", finding.id, finding.unit.rawValue, "\(finding.expected)", "\(finding.actual)"]
      fields.append(finding.error.map(String.init) ?? "")
      fields += [CSVField.text(finding.subject), CSVField.text(finding.phase ?? ""), CSVField.path(finding.path)]
      fields += ["\(finding.start - launch.timeline.start)", "\(finding.occurrences)"]
      fields += [CSVField.text(finding.file ?? ""), finding.line.map(String.init) ?? "", CSVField.text(finding.advice)]
      fields.append(
        CSVField.path(
          finding.evidence.map { evidence in
            "\(evidence.kind.rawValue): \(evidence.text)" + (evidence.time.map { " \($0)" } ?? "")
          }))
      output.append(fields.joined(separator: ",") + CSVField.lineEnd)
    }
  }
}
