import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

@Test func look() {
  for (launch) in [SampleLaunch.server(), .crash()] {
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    print(ReportFormat.text.string(set))
  }
}
