// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The sampler's own thread, in C programs.
struct SamplerThreadTests {
  private func run(_ source: String) throws -> TestProcess {
    let directory = try TemporaryDirectory()
    let sampler = PackageRoot.appending("Sources/CLaunchSampler")
    let files = try FileManager.default.contentsOfDirectory(atPath: sampler).filter { $0.hasSuffix(".c") }
    let main = try directory.write(source, to: "main.c")
    let options = ["-I\(sampler)/include"] + files.map { "\(sampler)/\($0)" } + ["-lunwind-generic"]
    return try TestProcess.run(RecorderProgram.compile(main, options, in: directory))
  }

  /// glibc puts them onto the stack of each thread. A thread with a smaller stack than others could not begin.
  @Test func aProgramWithManyThreadLocalVariablesIsSampled() throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      #include <CLaunchSampler.h>
      #include <string.h>
      static _Thread_local char large[300 << 10];
      int main(void) {
        lr_options options = {.limit = 1 << 20};
        lr_sampler_options sampler = {.period = 1000000, .busy_budget = UINT64_MAX, .most_samples = 3, .whole_launch = true};
        memset(large, 1, sizeof large);
        if (lr_start(&options) != LR_STARTED) return 1;
        if (lr_sampler_start(&sampler) != 0) return 2;
        while (lr_sampler_statistics_get().samples < 3) {}
        lr_sampler_stop();
        return 0;
      }
      """)
    #expect(run.outcome == .exited(0))
  }

  /// The parent's thread that stopped the sampler held a lock. The child waited for it for ever.
  @Test func aForkWaitsForNoThreadOfItsParent() throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      #include <CLaunchSampler.h>
      #include <errno.h>
      #include <pthread.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static void *stop(void *unused) {
        lr_sampler_stop();
        return unused;
      }
      int main(void) {
        lr_options options = {.limit = 1 << 20};
        // The watchdog ends after a period, and whoever stops it waits for that.
        lr_sampler_options sampler = {.period = 1500000000, .busy_budget = UINT64_MAX, .most_samples = 9, .whole_launch = true};
        pthread_t thread;
        int status = 0;
        if (lr_start(&options) != LR_STARTED || lr_sampler_start(&sampler) != 0) return 1;
        usleep(200000);
        if (pthread_create(&thread, NULL, stop, NULL) != 0) return 2;
        usleep(200000);
        pid_t child = fork();
        if (child == 0) {
          alarm(20);
          lr_sampler_stop();
          _exit(lr_sampler_start(&sampler) == EPERM ? 0 : 5);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) return 3;
        pthread_join(thread, NULL);
        return status == 0 ? 0 : 4;
      }
      """)
    #expect(run.outcome == .exited(0))
  }

  /// Nothing is recorded in it, whether or not its parent is sampled.
  @Test func theStartInAForkSaysThatNothingIsRecorded() throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      #include <CLaunchSampler.h>
      #include <errno.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static bool is_refused_in_a_fork(const lr_sampler_options *sampler) {
        int status = 1;
        pid_t child = fork();
        if (child == 0) _exit(lr_sampler_start(sampler) == EPERM ? 0 : 1);
        return child > 0 && waitpid(child, &status, 0) == child && status == 0;
      }
      int main(void) {
        lr_options options = {.limit = 1 << 20};
        lr_sampler_options sampler = {.period = 1000000, .busy_budget = UINT64_MAX, .most_samples = 9};
        if (lr_start(&options) != LR_STARTED) return 1;
        if (!is_refused_in_a_fork(&sampler)) return 2;
        if (lr_sampler_start(&sampler) != 0) return 3;
        return is_refused_in_a_fork(&sampler) ? 0 : 4;
      }
      """)
    #expect(run.outcome == .exited(0))
  }

  /// Such a program ran the watchdog for its whole life. The alarm ends one that still does.
  @Test func theDeadlineOfALaunchEndsTheWatchdog() throws {
    let run = try run(
      """
      #include <CLaunchRecorder.h>
      #include <CLaunchSampler.h>
      #include <lr_facts.h>
      #include <unistd.h>
      int main(void) {
        lr_options options = {.limit = 1 << 20, .deadline = 1000000000};
        lr_sampler_options sampler = {.period = 1000000, .busy_budget = UINT64_MAX, .most_samples = 1000000};
        alarm(60);
        if (lr_start(&options) != LR_STARTED) return 1;
        if (lr_sampler_start(&sampler) != 0) return 2;
        while (!lr_summary_get().timed_out || lr_usage_get().threads > 1) usleep(1000);
        return 0;
      }
      """)
    #expect(run.outcome == .exited(0))
  }
}
