import LaunchProfiler

LaunchProfiler.mark(.ready)
