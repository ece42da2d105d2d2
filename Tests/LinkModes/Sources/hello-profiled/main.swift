// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler

let signposter = LaunchSignposter(subsystem: "org.example.hello", category: "Launch")
signposter.withIntervalSignpost("greet") { print("hello") }
signposter.emitEvent("greeted")
LaunchProfiler.mark(.ready)
