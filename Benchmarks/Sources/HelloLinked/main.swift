// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler

let signposter = LaunchSignposter(subsystem: "hello", category: "launch")
signposter.withIntervalSignpost("hello") { print("hello") }
