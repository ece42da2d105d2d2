// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row for each library of each launch.
struct CSVLibraries {
  static let header =
    "launch,library,path,size_bytes,loads,map_ns,relocation_ns,initialization_ns,initializers,total_ns,flags"
    + CSVField.lineEnd

  private let launch: LaunchSet.Launch

  init(_ launch: LaunchSet.Launch) { self.launch = launch }

  func write(to output: inout OutputBuffer) {
    for library in launch.timeline.libraries.libraries {
      output.append(Int64(launch.number))
      for field in [library.name, library.path] { output.append("," + CSVField.text(field)) }
      let numbers: [Int64?] = [
        library.size, Int64(library.loads), library.map, library.relocation, library.initialization,
        Int64(library.initializers), library.total,
      ]
      for number in numbers {
        output.append(UInt8(ascii: ","))
        if let number { output.append(number) }
      }
      output.append("," + (library.isOpened ? "dlopen" : "") + CSVField.lineEnd)
    }
  }
}
