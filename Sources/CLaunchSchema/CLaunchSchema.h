// SPDX-License-Identifier: Apache-2.0

// The words of our traces, for all code that writes or reads them. docs/trace-format.md explains each one.
//
// A header only: the recorder includes it by its path, Swift imports it as the module CLaunchSchema, and there is no library
// to link. Swift sees each word as a String.
#ifndef C_LAUNCH_SCHEMA_H
#define C_LAUNCH_SCHEMA_H

#include <stdbool.h>
#include <string.h>

#include "ls_url.h"

/// The version of the package, defined only here: semantic versioning, docs/compatibility.md.
#define LAUNCHPROF_VERSION "0.1.0"

/// The version of the format. Readers refuse a trace with a newer one.
#define LS_FORMAT 1

/// The version of the flat form of budgets, one digit. Who reads a newer one uses none of them.
#define LS_BUDGETS_FORMAT 1

// Categories of our own events.
#define LS_CATEGORY_RECORDER "launchprof.recorder"
#define LS_CATEGORY_PHASE "launchprof.phase"
#define LS_CATEGORY_INITIALIZER "launchprof.initializer"
#define LS_CATEGORY_MARK "launchprof.mark"
#define LS_CATEGORY_BUDGET "launchprof.budget"
#define LS_CATEGORY_METADATA "launchprof.metadata"
#define LS_CATEGORY_EXTENDED_TASK "launchprof.task"
#define LS_CATEGORY_DEFERRED "launchprof.deferred"
#define LS_CATEGORY_LAUNCH_TASK "launchprof.launch-task"
#define LS_CATEGORY_LAUNCH_TASK_WAIT "launchprof/launch-task-wait"
#define LS_CATEGORY_SCREEN "launchprof.screen"
#define LS_CATEGORY_SAMPLER "launchprof.sampler"
#define LS_CATEGORY_LAUNCHER "launchprof.launcher"
#define LS_CATEGORY_POINT "launchprof.point"
#define LS_CATEGORY_LIBRARY "launchprof.library"
#define LS_CATEGORY_FAULT "launchprof.fault"
#define LS_CATEGORY_WAIT "launchprof.wait"
#define LS_CATEGORY_GLOBAL "launchprof.global"
#define LS_CATEGORY_LOOKUP "launchprof.lookup"

// Spans that libraries report: the category is tracing/<module>.
#define LS_SUBSYSTEM_TRACING "tracing"

// Names of events.
#define LS_EVENT_RECORDER "recorder"
#define LS_EVENT_LAUNCHER "launcher"
#define LS_EVENT_BUDGET "budget"
#define LS_EVENT_OVER_BUDGET "over-budget"
#define LS_EVENT_METADATA "metadata"
#define LS_EVENT_SAMPLER "sampler"
#define LS_EVENT_LAUNCH_SCREEN "launch screen"
#define LS_EVENT_MAP "map"
#define LS_EVENT_RELOCATE "relocate"
#define LS_EVENT_DLOPEN "dlopen"
#define LS_EVENT_MAJOR_FAULT "major-fault"

// Stages of loading (category point).
#define LS_POINT_EXEC "exec"
#define LS_POINT_LOADER_STARTED "loader-started"
#define LS_POINT_RELOCATED "relocated"
#define LS_POINT_ENTRY "entry"
#define LS_POINT_MAIN "main"

// Phases. LaunchPhase.swift repeats the public ones, and the public milestones: there they must be literals.
#define LS_PHASE_BEFORE_RECORDER "before-recorder"
#define LS_PHASE_EXEC "exec"
#define LS_PHASE_LOAD "load"
#define LS_PHASE_RELOCATE "relocate"
#define LS_PHASE_RECORDER "recorder"
#define LS_PHASE_STATIC_INIT "static-init"
#define LS_PHASE_MAIN "main"
#define LS_PHASE_FIRST_FRAME "first-frame"
#define LS_PHASE_READY "ready"
#define LS_PHASE_ONE_TIME_SETUP "one-time-setup"
#define LS_PHASE_EXTENDED "extended"
#define LS_PHASE_EXIT "exit"
#define LS_PHASE_CREATE_APPLICATION "create-application"
#define LS_PHASE_CREATE_DELEGATE "create-delegate"
#define LS_PHASE_START_PRESENTATION "start-presentation"
#define LS_PHASE_WILL_FINISH_LAUNCHING "will-finish-launching"
#define LS_PHASE_DID_FINISH_LAUNCHING "did-finish-launching"
#define LS_PHASE_SCENE_CONFIGURATION "scene-configuration"
#define LS_PHASE_CREATE_SCENE_DELEGATE "create-scene-delegate"
#define LS_PHASE_LOAD_MAIN_INTERFACE "load-main-interface"
#define LS_PHASE_SCENE_CONNECT "scene-connect"
#define LS_PHASE_STATE_RESTORATION "state-restoration"
#define LS_PHASE_WILL_ENTER_FOREGROUND "will-enter-foreground"
#define LS_PHASE_DID_BECOME_ACTIVE "did-become-active"
#define LS_PHASE_OPEN_URL "open-url"
#define LS_PHASE_PERFORM_ACTION "perform-action"
#define LS_PHASE_CONTINUE_ACTIVITY "continue-activity"
#define LS_PHASE_ACCEPT_SHARE "accept-share"
#define LS_PHASE_DID_RECEIVE_NOTIFICATION "did-receive-notification"
#define LS_PHASE_DISCARD_SESSIONS "discard-sessions"
#define LS_PHASE_LOAD_VIEW "load-view"
#define LS_PHASE_VIEW_DID_LOAD "view-did-load"
#define LS_PHASE_VIEW_WILL_APPEAR "view-will-appear"
#define LS_PHASE_LAYOUT "layout"
#define LS_PHASE_VIEW_DID_APPEAR "view-did-appear"

// Milestones.
#define LS_MILESTONE_PROCESS_START "process-start"
#define LS_MILESTONE_PREINIT "preinit"
#define LS_MILESTONE_MAIN "main"
#define LS_MILESTONE_FIRST_FRAME "first-frame"
#define LS_MILESTONE_READY "ready"
#define LS_MILESTONE_FULLY_DRAWN "fully-drawn"
#define LS_MILESTONE_HANDED_OVER "handed-over"
#define LS_MILESTONE_WINDOW_MAPPED "window-mapped"
#define LS_MILESTONE_LISTENING "listening"
#define LS_MILESTONE_FIRST_OUTPUT "first-output"
#define LS_MILESTONE_NOTIFIED "notified"
#define LS_MILESTONE_OUTPUT_MATCHED "output-matched"
#define LS_MILESTONE_ANSWERED "answered"

// Where a time comes from (LS_KEY_SOURCE).
#define LS_SOURCE_LAUNCHER "launcher"
#define LS_SOURCE_KERNEL "kernel"
#define LS_SOURCE_BREAKPOINT "breakpoint"
#define LS_SOURCE_PTRACE "ptrace"
#define LS_SOURCE_AUDIT "audit"
#define LS_SOURCE_PREINIT "preinit"
#define LS_SOURCE_API "api"
#define LS_SOURCE_ESTIMATED "estimated"

// How the program ended (LS_KEY_OUTCOME).
#define LS_OUTCOME_EXITED "exited"
#define LS_OUTCOME_SIGNALLED "signalled"
#define LS_OUTCOME_TIMED_OUT "timed-out"
#define LS_OUTCOME_FAILED_TO_START "failed-to-start"

// What existed of the program before its launch (LS_KEY_KIND of metadata and of the launcher). Programs may add their own.
#define LS_LAUNCH_KIND_FIRST "first"
#define LS_LAUNCH_KIND_COLD "cold"
#define LS_LAUNCH_KIND_WARM "warm"
#define LS_LAUNCH_KIND_RESUME "resume"
#define LS_LAUNCH_KIND_UNCERTAIN "uncertain"
// Only the launcher says this one.
#define LS_LAUNCH_KIND_PAGE_CACHE_COLD "page-cache cold"

// Whether a person waits for the launch (LS_KEY_CONTEXT).
#define LS_CONTEXT_USER_LAUNCH "userLaunch"
#define LS_CONTEXT_BACKGROUND_LAUNCH "backgroundLaunch"
#define LS_CONTEXT_PREWARMING "prewarming"
#define LS_CONTEXT_UNCERTAIN "uncertain"

// What a budget applies to (LS_KEY_KIND of a budget), and the words of the flat form.
#define LS_BUDGET_INTERVAL "interval"
#define LS_BUDGET_PHASE "phase"
#define LS_BUDGET_MILESTONE "milestone"

// Who set a budget (LS_KEY_SET_BY).
#define LS_SET_BY_HOST "host"
#define LS_SET_BY_PROGRAM "program"
#define LS_SET_BY_FILE "file"

// Where work over its budget ran (LS_KEY_PLACE); absent for the main thread.
#define LS_PLACE_ELSEWHERE "elsewhere"
#define LS_PLACE_AWAITED "awaited"

// How the program's readiness was detected (LS_KEY_READY_RULE).
#define LS_READY_PROGRAM "program"
#define LS_READY_WINDOW "window"
#define LS_READY_LISTEN "listen"
#define LS_READY_STDOUT "stdout"
#define LS_READY_NOTIFY "notify"
#define LS_READY_PATTERN "pattern"
#define LS_READY_HTTP "http"
#define LS_READY_EXIT "exit"

// How it is known whether a wait was interruptible (LS_KEY_WAIT_STATES).
#define LS_WAIT_STATES_KERNEL "kernel"
#define LS_WAIT_STATES_LOOKS "looks"
#define LS_WAIT_STATES_TIMES "times"

// Why stacks lack their outer functions (LS_KEY_STACKS_CUT_BY).
#define LS_STACKS_SHORT_COPY "short-copy"
#define LS_STACKS_NO_COPY "no-copy"
#define LS_STACKS_NO_TABLES "no-tables"
#define LS_STACKS_TOO_DEEP "too-deep"

// How Swift's runtime was watched (LS_KEY_GLOBALS, LS_KEY_LOOKUPS).
#define LS_GLOBALS_PROBES "uprobes"
#define LS_GLOBALS_PTRACE "ptrace"

// What was looked up (LS_KEY_KIND).
#define LS_LOOKUP_CONFORMANCE "conformance"
#define LS_LOOKUP_TYPE_NAME "type-name"

// What a sampler's stacks measure (LS_KEY_CLOCK of the sampler's event).
#define LS_CLOCK_CPU "cpu"
#define LS_CLOCK_MONOTONIC "monotonic"

// Keys that several events have.
#define LS_KEY_FORMAT "format"
#define LS_KEY_SOURCE "source"
#define LS_KEY_PATH "path"
#define LS_KEY_NAME "name"
#define LS_KEY_KIND "kind"
#define LS_KEY_MESSAGE "message"
#define LS_KEY_SIGNPOST_ID "signpost_id"

// Keys of phases.
#define LS_KEY_CPU_NS "cpu_ns"
#define LS_KEY_MINOR_FAULTS "minor_faults"
#define LS_KEY_MAJOR_FAULTS "major_faults"
#define LS_KEY_VOLUNTARY_SWITCHES "voluntary_switches"
#define LS_KEY_INVOLUNTARY_SWITCHES "involuntary_switches"
#define LS_KEY_READ_BYTES "read_bytes"
#define LS_KEY_MAIN_ACTOR "main_actor"

// Keys of initialisers.
#define LS_KEY_IMAGE "image"
#define LS_KEY_OFFSET "offset"
#define LS_KEY_FUNCTION "function"
#define LS_KEY_FUNCTIONS "functions"

// Keys of milestones.
#define LS_KEY_ERROR_NS "error_ns"
#define LS_KEY_DETAIL "detail"

// Keys of budgets.
#define LS_KEY_INTERVAL "interval"
#define LS_KEY_START_NS "start_ns"
#define LS_KEY_DURATION_NS "duration_ns"
#define LS_KEY_BUDGET_NS "budget_ns"
#define LS_KEY_OVER_NS "over_ns"
#define LS_KEY_LAUNCH_KIND "launch_kind"
#define LS_KEY_SET_BY "set_by"
#define LS_KEY_PLACE "place"

// Keys of metadata.
#define LS_KEY_VERSION "version"
#define LS_KEY_BUILD "build"
#define LS_KEY_REASON "reason"
#define LS_KEY_CONTEXT "context"
#define LS_KEY_STATE "state"
#define LS_KEY_LAUNCH_ID "launch_id"
/// LS_DEADLINE_PASSED in a launch that was not complete at its deadline.
#define LS_KEY_DEADLINE "launch_deadline"
#define LS_DEADLINE_PASSED "passed"
#define LS_KEY_FIRST_FRAME "first frame"
#define LS_KEY_ONE_TIME_SETUP "one-time-setup"
#define LS_KEY_PROCESS_START "process start"

// Keys of the recorder.
#define LS_KEY_LIBRARY_VERSION "library_version"
#define LS_KEY_PROCESS_START_NS "process_start_ns"
#define LS_KEY_PROCESS_START_ERROR_NS "process_start_error_ns"
#define LS_KEY_PROCESS_START_SOURCE "process_start_source"
#define LS_KEY_PREINIT_NS "preinit_ns"
#define LS_KEY_CLOCK "clock"
#define LS_KEY_STARTUP_COST_NS "startup_cost_ns"
#define LS_KEY_EVENT_COST_NS "event_cost_ns"
#define LS_KEY_EVENTS_DROPPED "events_dropped"
#define LS_KEY_INITIALIZERS_UNTIMED "initializers_untimed"
#define LS_KEY_LINK_MODE "link_mode"
#define LS_KEY_DEBUG_BUILD "debug_build"

// Keys of the sampler.
#define LS_KEY_PERIOD_NS "period_ns"

// Keys of libraries, faults and waits.
#define LS_KEY_SIZE "size"
#define LS_KEY_ADDRESS "address"
#define LS_KEY_BUILD_ID "build_id"
#define LS_KEY_NEEDED "needed"
#define LS_KEY_LACKS_INITIALIZERS "lacks_initializers"
#define LS_KEY_FUTEX_OWNER_TID "futex_owner_tid"
#define LS_KEY_AWAITED_TID "awaited_tid"
#define LS_KEY_TIMED "timed"
#define LS_KEY_REMAINING_NS "remaining_ns"
#define LS_KEY_TIMEOUT_NS "timeout_ns"
// The path of a wait for a name server: this word, a colon, and its address.
#define LS_PATH_NAME_SERVER "name-server"
// The path of a wait for a time in a call that could wait for descriptors, but has none.
#define LS_PATH_TIMEOUT "timeout"
// The file name of the library that the launcher preloads.
#define LS_PATH_AGENT "launchprof-agent.so"

// Keys of lazy globals and look-ups.
#define LS_KEY_TOKEN "token"
#define LS_KEY_CALLERS "callers"
#define LS_KEY_IS_WAIT "is_wait"
#define LS_KEY_CALLS_INSIDE "calls_inside"
#define LS_KEY_TYPE "type"
#define LS_KEY_PROTOCOL "protocol"
#define LS_KEY_REPEATS "repeats"

// Keys of the launcher.
#define LS_KEY_PROGRAM "program"
#define LS_KEY_ARGUMENTS "arguments"
#define LS_KEY_DIRECTORY "directory"
#define LS_KEY_EXEC_NS "exec_ns"
#define LS_KEY_EXIT_NS "exit_ns"
#define LS_KEY_RECORDED_START_NS "recorded_start_ns"
#define LS_KEY_OBSERVER "observer"
#define LS_KEY_OBSERVER_SHORTCOMING "observer_shortcoming"
#define LS_KEY_WAIT_STATES "wait_states"
#define LS_KEY_STOPPED_NS "stopped_ns"
#define LS_KEY_HELD_UP_NS "held_up_ns"
#define LS_KEY_HELD_UP_THREADS_NS "held_up_threads_ns"
#define LS_KEY_THROTTLED_PERIODS "throttled_periods"
#define LS_KEY_SAMPLE_RATE "sample_rate"
#define LS_KEY_LOST_RECORDS "lost_records"
#define LS_KEY_SAMPLES_LOST "samples_lost"
#define LS_KEY_STACKS_CUT_BY "stacks_cut_by"
#define LS_KEY_OBSERVED_UNTIL_NS "observed_until_ns"
#define LS_KEY_INPUT_PIPE "input_pipe"
#define LS_KEY_OUTCOME "outcome"
#define LS_KEY_EXIT_STATUS "exit_status"
#define LS_KEY_EXIT_SUCCESS "exit_success"
#define LS_KEY_SIGNAL "signal"
#define LS_KEY_PID "pid"
#define LS_KEY_RUN "run"
#define LS_KEY_RUNS "runs"
#define LS_KEY_WARMUP "warmup"
#define LS_KEY_USER_CPU_NS "user_cpu_ns"
#define LS_KEY_SYSTEM_CPU_NS "system_cpu_ns"
#define LS_KEY_MAX_RSS_BYTES "max_rss_bytes"
#define LS_KEY_HOST "host"
#define LS_KEY_KERNEL "kernel"
#define LS_KEY_CPUS "cpus"
#define LS_KEY_USABLE_CPUS "usable_cpus"
#define LS_KEY_CPU_MODEL "cpu_model"
#define LS_KEY_ARCHITECTURE "architecture"
#define LS_KEY_MEMORY_BYTES "memory_bytes"
#define LS_KEY_READY_RULE "ready_rule"
#define LS_KEY_READY_ARGUMENT "ready_argument"
#define LS_KEY_READY_BY_DEFAULT "ready_by_default"
#define LS_KEY_ENDED_WHEN_READY "ended_when_ready"
#define LS_KEY_COLD_FILES "cold_files"
#define LS_KEY_COLD_BYTES "cold_bytes"
#define LS_KEY_COLD_UNKNOWN "cold_unknown"
#define LS_KEY_COLD_MISSED "cold_missed"
#define LS_KEY_COLD_KEPT "cold_kept"
#define LS_KEY_BYTES "bytes"
#define LS_KEY_RESIDENT_BYTES "resident_bytes"
#define LS_KEY_INSTRUMENTED "instrumented"
#define LS_KEY_SESSION "session"
#define LS_KEY_SIDE "side"
#define LS_KEY_SCENARIO "scenario"
#define LS_KEY_BUDGETS "budgets"
#define LS_KEY_LAUNCHPROF_VERSION "launchprof_version"
#define LS_KEY_GLOBALS "globals"
#define LS_KEY_GLOBALS_CALL_COST_NS "globals_call_cost_ns"
#define LS_KEY_GLOBALS_INSIDE_COST_NS "globals_inside_cost_ns"
#define LS_KEY_LOOKUPS "lookups"
#define LS_KEY_CONFORMANCE_CALLS "conformance_calls"
#define LS_KEY_CONFORMANCE_REPEATS_NS "conformance_repeats_ns"
#define LS_KEY_TYPE_NAME_CALLS "type_name_calls"
#define LS_KEY_TYPE_NAME_REPEATS_NS "type_name_repeats_ns"
#define LS_KEY_CAST_CALLS "cast_calls"
#define LS_KEY_WITNESS_TABLE_CALLS "witness_table_calls"
#define LS_KEY_ASSOCIATED_TYPE_CALLS "associated_type_calls"
#define LS_KEY_GENERIC_TYPE_CALLS "generic_type_calls"
#define LS_KEY_AGENT "agent"
#define LS_KEY_AGENT_UNTIMED "agent_untimed"
#define LS_KEY_AGENT_LOST "agent_lost"

// Keys of a program's image.
#define LS_KEY_LIBRARIES "libraries"
#define LS_KEY_LIBRARY_BYTES "library_bytes"
#define LS_KEY_RELOCATIONS "relocations"
#define LS_KEY_INITIALIZERS "initializers"
#define LS_KEY_TOOLCHAIN "toolchain"

// Keys of metadata: why the first scene was opened, the properties of UIScene.ConnectionOptions.
#define LS_KEY_CONNECTION "connection."
#define LS_KEY_CONNECTION_URL_CONTEXTS "connection.urlContexts"
#define LS_KEY_CONNECTION_SOURCE_APPLICATION "connection.sourceApplication"
#define LS_KEY_CONNECTION_HANDOFF_USER_ACTIVITY_TYPE "connection.handoffUserActivityType"
#define LS_KEY_CONNECTION_USER_ACTIVITIES "connection.userActivities"
#define LS_KEY_CONNECTION_NOTIFICATION_RESPONSE "connection.notificationResponse"
#define LS_KEY_CONNECTION_SHORTCUT_ITEM "connection.shortcutItem"
#define LS_KEY_CONNECTION_CLOUD_KIT_SHARE_METADATA "connection.cloudKitShareMetadata"

// Environment variables.
#define LS_VARIABLE_TRACE "LAUNCHPROF_TRACE"
#define LS_VARIABLE_START "LAUNCHPROF_START"
#define LS_VARIABLE_BUDGETS "LAUNCHPROF_BUDGETS"
#define LS_VARIABLE_PREPARED "LAUNCHPROF_PREPARED"
#define LS_VARIABLE_DESCRIPTOR "LAUNCHPROF_DESCRIPTOR"
#define LS_VARIABLE_CLOCK "LAUNCHPROF_CLOCK"
#define LS_VARIABLE_UNREDACTED "LAUNCHPROF_UNREDACTED"
#define LS_VARIABLE_LIMIT "LAUNCHPROF_LIMIT"
#define LS_VARIABLE_AGENT_FILE "LAUNCHPROF_AGENT_FILE"

/// True if `text`, of `length` bytes, is `word`.
static inline bool ls_is(const char *word, const char *text, size_t length) {
  return strlen(word) == length && memcmp(word, text, length) == 0;
}

/// The default budgets of an interval, and of `first-frame`, ns. The recorder marks what is over them, and reports judge by them.
#define LS_DEFAULT_INTERVAL_BUDGET 16000000
#define LS_DEFAULT_FIRST_FRAME_BUDGET 400000000

/// How many milestones end launches: those of the functions below.
#define LS_ENDING_MILESTONES 4

/// True if the first milestone of these ends a launch, which otherwise ends at its full display.
static inline bool ls_ends_first_display(const char *milestone, size_t length) {
  return ls_is(LS_MILESTONE_FIRST_FRAME, milestone, length) || ls_is(LS_MILESTONE_READY, milestone, length) ||
         ls_is(LS_MILESTONE_HANDED_OVER, milestone, length);
}

/// True if the milestone ends a launch for the full display. Another process shows what this one has handed over: this
/// one draws nothing any more.
static inline bool ls_ends_full_display(const char *milestone, size_t length) {
  return ls_is(LS_MILESTONE_FULLY_DRAWN, milestone, length) || ls_is(LS_MILESTONE_HANDED_OVER, milestone, length);
}

/// True if the milestone ends a launch.
static inline bool ls_ends_launch(const char *milestone, size_t length) {
  return ls_ends_first_display(milestone, length) || ls_ends_full_display(milestone, length);
}

#endif
