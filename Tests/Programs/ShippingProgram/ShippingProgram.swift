// SPDX-License-Identifier: Apache-2.0

import LaunchShipping

/// `launchprof ship` without the command around it, for tests that kill it: SPOOL ADDRESS.
@main
struct ShippingProgram {
  static func main() throws {
    let spool = Spool(path: CommandLine.arguments[1])
    let destination = try Destination("otlp=" + CommandLine.arguments[2], format: .json, headers: [])
    let shipper = Shipper(to: destination, patience: .seconds(30)) { print($0) }
    _ = try shipper.ship(
      try spool.contents().entries, record: \.record, delivered: spool.remove, refused: spool.refuse)
  }
}
