// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A table with rows for each launch.
struct CSVTable: Sendable {
  /// The columns after the number of the launch.
  let columns: String
  /// Visits the rows one by one: a trace may have thousands of phases.
  let visit: @Sendable (LaunchSet.Launch, _ row: ([String]) -> Void) -> Void

  func write(_ launches: LaunchSet, to output: inout OutputBuffer) {
    output.append("launch," + columns + CSVField.lineEnd)
    for launch in launches.launches {
      visit(launch) { output.append(CSVField.row(["\(launch.number)"] + $0)) }
    }
  }
}

extension CSVTable {
  static let findings = CSVTable(
    columns:
      "id,unit,expected,actual,error,subject,phase,path,start_ns,occurrences,file,line,advice,evidence,others,sum"
  ) { launch, row in
    for finding in launch.findings {
      let evidence = finding.evidence.map { evidence in
        "\(evidence.kind.rawValue): \(evidence.text)" + (evidence.time.map { " \($0)" } ?? "")
      }
      row([
        finding.id, finding.unit.rawValue, "\(finding.expected)", "\(finding.actual)", CSVField.number(finding.error),
        CSVField.text(finding.subject), CSVField.text(finding.phase ?? ""), CSVField.path(finding.path),
        "\(finding.start - launch.timeline.start)", "\(finding.occurrences)", CSVField.text(finding.file ?? ""),
        CSVField.number(finding.line.map(Int64.init)), CSVField.text(finding.advice), CSVField.path(evidence),
        "\(finding.others)", finding.sum?.rawValue ?? "",
      ])
    }
  }

  static let libraries = CSVTable(
    columns:
      "library,path,size_bytes,loads,map_ns,relocation_ns,initialization_ns,initializers,total_ns,flags,held_up_ns"
  ) { launch, row in
    let table = launch.timeline.libraries
    for library in table.libraries {
      row([
        CSVField.text(library.name), CSVField.text(library.path), CSVField.number(library.size), "\(library.loads)",
        CSVField.number(library.map), CSVField.number(library.relocation), CSVField.number(library.initialization),
        CSVField.number(table.hasInitializers ? Int64(library.initializers) : nil), CSVField.number(library.knownTotal),
        library.isOpened ? "dlopen" : "", CSVField.number(library.heldUp),
      ])
    }
  }

  static let globals = CSVTable(
    columns: "global,module,owner,path,thread,main_thread,start_ns,total_ns,self_ns,asker,waiters,waited_ns,flags"
  ) { launch, row in
    for global in launch.timeline.lazyGlobals.globals {
      row([
        CSVField.text(global.name), CSVField.text(global.module ?? ""), global.owner.rawValue,
        CSVField.text(global.image), CSVField.text(global.thread), "\(global.isOnMainThread)",
        "\(global.start - launch.timeline.start)", "\(global.duration)", "\(global.selfTime)",
        CSVField.text(global.asker), "\(global.waiters.count)", "\(global.waiters.reduce(0) { $0 + $1.duration })",
        global.isUnfinished ? "unfinished" : "",
      ])
    }
  }

  /// One row for each first look-up.
  static let lookups = CSVTable(
    columns: "kind,type,protocol,cause,thread,main_thread,start_ns,total_ns,self_ns,repeats,asker"
  ) { launch, row in
    for lookup in launch.timeline.lookups.lookups {
      row([
        lookup.kind.rawValue, CSVField.text(lookup.type), CSVField.text(lookup.protocolName ?? ""),
        lookup.cause.rawValue, CSVField.text(lookup.thread), "\(lookup.isOnMainThread)",
        "\(lookup.start - launch.timeline.start)", "\(lookup.duration)", "\(lookup.selfTime)", "\(lookup.repeats)",
        CSVField.text(lookup.asker),
      ])
    }
  }
}
