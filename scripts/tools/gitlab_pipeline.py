# SPDX-License-Identifier: Apache-2.0
"""Runs a pipeline of GitLab CI: components with inputs, `extends`, `rules`, variables and scripts. All jobs of a pipeline work in one
clone. Also a package registry, which keeps files for the jobs."""
import base64
import copy
import http.server
import re
import subprocess
import threading

import yaml

INPUT = re.compile(r"\$\[\[\s*inputs\.(\w+)\s*\]\]")


def component(text, given):
    """The jobs of a component's file, with its inputs filled in."""
    header, body = text.split("\n---\n")
    described = yaml.safe_load(header)["spec"]["inputs"]
    unknown = set(given) - set(described)
    if unknown:
        raise KeyError(f"the component has no input {unknown}")
    values = {name: given.get(name, one.get("default")) for name, one in described.items()}
    for name, value in values.items():
        if value is None:
            raise KeyError(f"the component needs {name}")
        if not re.search(described[name].get("regex", ""), str(value)):
            raise ValueError(f"the input {name} cannot be {value}")

    def filled(node):
        if isinstance(node, dict):
            return {filled(key): filled(value) for key, value in node.items()}
        if isinstance(node, list):
            return [filled(one) for one in node]
        if not isinstance(node, str):
            return node
        # An input alone keeps its type.
        whole = INPUT.fullmatch(node)
        return values[whole[1]] if whole else INPUT.sub(lambda at: str(values[at[1]]), node)

    return filled(yaml.safe_load(body))


def jobs(pipeline):
    """The jobs by name, each with what it extends."""
    def whole(name):
        job = copy.deepcopy(pipeline[name])
        if "extends" in job:
            job = {**whole(job.pop("extends")), **job}
        return job
    return {name: whole(name) for name in pipeline if not name.startswith(".")}


def runs(job, variables):
    """Whether one of the job's rules holds: an equality of variables and texts."""
    def value(text):
        return text[1:-1] if text.startswith('"') else variables.get(text[1:])

    def holds(rule):
        left, right = re.fullmatch(r'(\$\w+) == (\$\w+|"[^"]*")', rule["if"]).groups()
        return value(left) is not None and value(left) == value(right)
    return "rules" not in job or any(holds(rule) for rule in job["rules"])


class Pipeline:
    """`project` is the clone, `variables` what GitLab sets."""

    def __init__(self, project, variables, environment):
        self.project = project
        self.variables = {"CI": "true", "GITLAB_CI": "true", "CI_PROJECT_DIR": str(project), **variables}
        self.environment = environment
        self.log, self.ran, self.failed = "", [], []

    def run(self, pipeline, stages=("build", "test")):
        for name, job in sorted(jobs(pipeline).items(), key=lambda item: stages.index(item[1]["stage"])):
            if runs(job, self.variables):
                self.job(name, job)

    def job(self, name, job):
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join(job["script"])], cwd=self.project, stdin=subprocess.DEVNULL,
            env={**self.environment, **self.variables, **job.get("variables", {})}, text=True, timeout=300,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.log += done.stdout
        self.ran.append(name)
        if done.returncode != 0:
            self.failed.append(name)
        for path in [*job["artifacts"]["paths"], *job["artifacts"].get("reports", {}).values()]:
            if not (self.project / path).exists():
                raise FileNotFoundError(f"{self.log}\n{name} left no {path}")


class PackageRegistry:
    """The files of generic packages, by their path below /api/v4/projects. A job's token is `password`."""

    def __init__(self, password):
        self.files, self.is_broken = {}, False
        wanted = "Basic " + base64.b64encode(f"gitlab-ci-token:{password}".encode()).decode()
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, content=b""):
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def refusal(self):
                # GitLab's answer does not say whether the file exists.
                return 500 if registry.is_broken else 401 if self.headers["Authorization"] != wanted else None

            def do_GET(self):
                name = self.path.removeprefix("/api/v4/projects/")
                found = registry.files.get(name)
                self.answer(self.refusal() or (404 if found is None else 200), found or b"")

            def do_PUT(self):
                content = self.rfile.read(int(self.headers["Content-Length"]))
                status = self.refusal()
                if not status:
                    registry.files[self.path.removeprefix("/api/v4/projects/")] = content
                self.answer(status or 201)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/api/v4"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
