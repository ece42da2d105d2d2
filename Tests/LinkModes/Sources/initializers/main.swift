// SPDX-License-Identifier: Apache-2.0

import CSlowObject
import LaunchProfiler

print("c \(slow_c().start) \(slow_c().end)")
print("c++ \(slow_cxx().start) \(slow_cxx().end)")
LaunchProfiler.mark(.ready)
