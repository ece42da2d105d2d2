// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchShipping

/// `launchprof ship` without the command around it, for tests that kill it or limit it: SPOOL DESTINATION [SECONDS].
@main
struct ShippingProgram {
  static func main() {
    let arguments = CommandLine.arguments
    let (spool, patience) = (Spool(path: arguments[1]), arguments.count > 3 ? Int(arguments[3]) ?? 30 : 30)
    do throws(ShippingError) {
      let destination = try Destination(arguments[2], format: .json, headers: [])
      var shipper = Shipper(to: destination, patience: .seconds(patience)) { print($0) }
      let result = try shipper.ship(
        try spool.contents().entries, line: \.line, delivered: spool.remove, refused: spool.refuse)
      exit(result.left == 0 ? 0 : 75)
    } catch {
      print(error)
      exit(1)
    }
  }
}
