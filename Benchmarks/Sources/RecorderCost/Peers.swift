// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Dispatch
import InMemoryTracing
import Measuring
import Metrics
import Tracing

#if PEER_LTTNG
import CLTTngPeer
#endif
#if PEER_MICROPROFILE
import CMicroprofilePeer
#endif

/// The same pair, recorded by other libraries.
enum Peers {
  static var candidates: [Candidate] {
    let tracer = InMemoryTracer()
    var candidates = [
      Candidate("swift-metrics Timer with two DispatchTime") { timer($0) },
      Candidate("swift-distributed-tracing withSpan, no tracer", burst: 500) { noTracer($0) },
      Candidate("swift-distributed-tracing withSpan, InMemoryTracer", burst: 200) { inMemory(tracer, $0) }
        .then { tracer.clearAll() },
    ]
    #if PEER_LTTNG
    candidates.append(Candidate("LTTng-UST, session active") { lttng($0) })
    #endif
    #if PEER_MICROPROFILE
    microprofile_peer_start()
    candidates.append(
      Candidate("microprofile, through C") { microprofile($0) }.then { microprofile_peer_flip() })
    #endif
    return candidates
  }

  @inline(never) private static func timer(_ count: Int) {
    let timer = Metrics.Timer(label: "work")
    for i in 0..<count {
      let start = DispatchTime.now()
      cm_keep(UInt64(i))
      timer.recordNanoseconds(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds)
    }
  }

  @inline(never) private static func noTracer(_ count: Int) {
    for i in 0..<count { withSpan("work") { _ in cm_keep(UInt64(i)) } }
  }

  @inline(never) private static func inMemory(_ tracer: InMemoryTracer, _ count: Int) {
    for i in 0..<count { tracer.withSpan("work") { _ in cm_keep(UInt64(i)) } }
  }

  #if PEER_LTTNG
  @inline(never) private static func lttng(_ count: Int) {
    for i in 0..<count {
      lttng_peer_begin(1)
      cm_keep(UInt64(i))
      lttng_peer_end(1)
    }
  }
  #endif

  #if PEER_MICROPROFILE
  @inline(never) private static func microprofile(_ count: Int) {
    for i in 0..<count {
      let start = microprofile_peer_begin()
      cm_keep(UInt64(i))
      microprofile_peer_end(start)
    }
  }
  #endif
}
