// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring

/// Runs the benchmarks, prints one table and writes it as JSON, after every section so that a crash loses nothing.
@main
struct Bench {
  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      var results = Results(options)
      let sections: [(name: String, rows: (Options) throws -> [Row])] = [
        ("recorder", RecorderSection.rows), ("launch", LaunchSection.rows), ("sampler", SamplerSection.rows),
        (
          "observer",
          { options in
            let (rows, failures) = try ObserverSection.measured(options)
            results.notMeasured += failures
            return rows
          }
        ),
        ("reader", ReaderSection.rows),
      ]
      for section in sections where options.sections.contains(section.name) {
        say("measuring: \(section.name) …")
        results.add(try section.rows(options))
        try results.write(to: options.json)
      }
      FileHandle.standardOutput.write(Data(Table(results: results).text.utf8))
      say("written to \(options.json)")
    } catch {
      say("bench: \(error)")
      exit(1)
    }
  }

  private static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
