// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler

LaunchProfiler.mark(.ready)
