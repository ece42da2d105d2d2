import Glibc
import TestSupport
import Testing
import Yams

/// The workflows of docs/gate.md run as they stand there, with an environment like that of the CI. Only what fetches and
/// builds is replaced: `apt-get`, and `swift build`, which puts ready programs where it would have built them.
struct PublishedWorkflowTests {
  private let launchprof: Launchprof

  init() throws {
    launchprof = try Launchprof()
    // The head is much faster than the base, so that any machine finds the verdict soon.
    try script("base-app", "exec sleep 0.08")
    try script("head-app", "exec sleep 0.005")
    try script("tools/apt-get", "exit 0")
    try script(
      "tools/swift",
      """
      [ "$1" = build ] || exit 64
      package=. product=
      while [ $# -gt 0 ]; do
        case $1 in
        --package-path) package=$2; shift ;;
        --product) product=$2; shift ;;
        esac
        shift
      done
      mkdir -p "$package/.build/release"
      case $product,$package in
      launchprof,*) ln -s "$LAUNCHPROF" "$package/.build/release/launchprof" ;;
      app,*base) cp "$ROOT/base-app" "$package/.build/release/app" ;;
      app,*) cp "$ROOT/head-app" "$package/.build/release/app" ;;
      *) exit 64 ;;
      esac
      """)
  }

  @Test func gitHubActions() throws {
    let job = try #require(try workflow("runs-on:")["jobs"]?["gate"])
    let steps = try #require(job["steps"]?.array())
    for folder in ["base", "head"] { mkdir(launchprof.directory.appending(folder), 0o777) }
    // The summary has no extension. It holds what earlier steps wrote.
    let summary = "step_summary_0d5f7c1e-3f0a-4a7e-9a63-6f2a8c2f9b11"
    try launchprof.directory.write("earlier\n", to: summary)
    var ran = 0
    for step in steps {
      guard let commands = step["run"]?.string else { continue }
      let run = try shell(
        // A container's shell, as GitHub calls it.
        ["/bin/sh", "-e"], commands, in: step["working-directory"]?.string ?? ".",
        adding: [
          "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": launchprof.directory.appending(summary),
          "GITHUB_OUTPUT": launchprof.directory.appending("output"), "GITHUB_WORKSPACE": launchprof.directory.path,
          "GITHUB_SHA": "ffac537e6cbbf934b08745a378932722df287a53", "GITHUB_EVENT_NAME": "pull_request",
        ])
      #expect(run.outcome == .exited(0), "\(commands): \(run.text)\(run.errorText)")
      if step["name"]?.string == "gate" { #expect(run.text.hasPrefix("::notice "), "\(run.text)") }
      ran += 1
    }
    #expect(ran >= 4)
    #expect(try text(summary).hasPrefix("earlier\n### Launch: improved\n"))
    for file in ["head/launch.xml", "head/launch.json", "head/traces/base", "head/traces/head"] {
      #expect(access(launchprof.directory.appending(file), F_OK) == 0, "\(file)")
    }
  }

  @Test func gitLab() throws {
    let job = try #require(try workflow("merge_request_event")["launch-gate"])
    let commands = try #require(job["script"]?.array()).compactMap(\.string)
    #expect(commands.count >= 5)
    let made = try shell(
      ["/bin/sh", "-e"],
      """
      git init -q --bare -b main origin.git
      git clone -q origin.git project 2> /dev/null
      cd project
      git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m first
      git push -q origin HEAD:main
      """, in: ".")
    try #require(made.outcome == .exited(0), "\(made.text)\(made.errorText)")
    let run = try shell(
      ["/bin/bash", "-eo", "pipefail"], commands.joined(separator: "\n"), in: "project",
      adding: [
        "GITLAB_CI": "true", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_PIPELINE_SOURCE": "merge_request_event",
        "CI_PROJECT_DIR": launchprof.directory.appending("project"),
        "CI_COMMIT_SHA": "ffac537e6cbbf934b08745a378932722df287a53",
      ])
    #expect(run.outcome == .exited(0), "\(run.text)\(run.errorText)")
    #expect(try text("project/launch.md").hasPrefix("### Launch: improved\n"))
    for path in try #require(job["artifacts"]?["paths"]?.array()).compactMap(\.string) {
      #expect(access(launchprof.directory.appending("project/" + path), F_OK) == 0, "\(path)")
    }
    let report = try #require(job["artifacts"]?["reports"]?["junit"]?.string)
    #expect(try text("project/" + report).hasPrefix("<?xml "))
  }

  /// The one block of YAML in docs/gate.md that holds `mark`.
  private func workflow(_ mark: String) throws -> Node {
    let page = String(decoding: try contents(PackageRoot.appending("docs/gate.md")), as: UTF8.self)
    var blocks: [String] = []
    var open: [Substring]?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```yaml" {
        open = []
      } else if line == "```", let block = open {
        blocks.append(block.joined(separator: "\n"))
        open = nil
      } else {
        open?.append(line)
      }
    }
    let found = blocks.filter { $0.contains(mark) }
    try #require(found.count == 1, "\(mark): \(found.count)")
    return try #require(try Yams.compose(yaml: found[0]))
  }

  private func shell(
    _ shell: [String], _ commands: String, in folder: String, adding: [String: String] = [:]
  ) throws -> TestProcess {
    let root = launchprof.directory.path
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let own = [
      "CI": "true", "PATH": "\(root)/tools:\(path)", "ROOT": root, "LAUNCHPROF": Launchprof.path,
      "LC_ALL": "C.UTF-8",
    ]
    return try TestProcess.run(
      shell[0], shell.dropFirst() + ["-c", commands], adding: own.merging(adding) { $1 },
      directory: folder == "." ? root : "\(root)/\(folder)")
  }

  private func script(_ name: String, _ commands: String) throws {
    if name.contains("/") { mkdir(launchprof.directory.appending("tools"), 0o777) }
    chmod(try launchprof.directory.write("#!/bin/sh\n\(commands)\n", to: name), 0o755)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try contents(launchprof.directory.appending(name)), as: UTF8.self)
  }
}
