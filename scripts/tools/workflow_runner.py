# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of a GitHub workflow's job, and of composite actions, like GitHub's runner: expressions, inputs,
environment files, conditions and outputs. It replaces the external actions checkout, cache and upload-artifact."""
import json
import pathlib
import re
import shutil
import subprocess

import yaml

TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|(\d+(?:\.\d+)?)|([A-Za-z_][\w.\-]*)|(==|!=|&&|\|\||[!(),]))")


# The first versions of GitHub's actions that run on Node.js 24. Its runners lost Node.js 20 in September 2026.
LEAST_VERSIONS = {"actions/checkout": 5, "actions/cache": 5, "actions/upload-artifact": 6}


class Expression:
    """GitHub's expressions: literals, contexts, ! == != && ||, and the functions that workflows of ours use."""

    def __init__(self, text, contexts, functions):
        self.tokens, place = [], 0
        text = text.strip()
        while place < len(text):
            found = TOKEN.match(text, place)
            if not found:
                raise SyntaxError(f"no expression: {text[place:]!r} in {text!r}")
            self.tokens.append(found)
            place = found.end()
        self.contexts, self.functions, self.place = contexts, functions, 0

    def peek(self):
        return self.tokens[self.place].group(4) if self.place < len(self.tokens) else None

    def take(self, symbol):
        if self.peek() != symbol:
            raise SyntaxError(f"expected {symbol}")
        self.place += 1

    def value(self):
        result = self.either()
        if self.place != len(self.tokens):
            raise SyntaxError("more than one expression")
        return result

    def either(self):
        left = self.both()
        while self.peek() == "||":
            self.place += 1
            right = self.both()
            left = left or right
        return left

    def both(self):
        left = self.compared()
        while self.peek() == "&&":
            self.place += 1
            right = self.compared()
            left = left and right
        return left

    def compared(self):
        left = self.single()
        while self.peek() in ("==", "!="):
            is_equal = self.peek() == "=="
            self.place += 1
            left = (same(left) == same(self.single())) == is_equal
        return left

    def single(self):
        if self.peek() == "!":
            self.place += 1
            return not self.single()
        if self.peek() == "(":
            self.place += 1
            result = self.either()
            self.take(")")
            return result
        text, number, name, symbol = self.tokens[self.place].groups()
        if symbol:
            raise SyntaxError(f"unexpected {symbol}")
        self.place += 1
        if text is not None:
            return text.replace("''", "'")
        if number:
            return float(number)
        if self.peek() == "(":
            return self.call(name)
        if name in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[name]
        result = self.contexts
        for part in name.split("."):
            result = result.get(part) if isinstance(result, dict) else None
        return "" if result is None else result

    def call(self, name):
        self.take("(")
        arguments = []
        while self.peek() != ")":
            arguments.append(self.either())
            if self.peek() == ",":
                self.place += 1
        self.take(")")
        return self.functions[name](*arguments)


def same(value):
    """GitHub compares texts without regard to case."""
    return value.lower() if isinstance(value, str) else value


def shown(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


class Runner:
    """A job on a machine of its own: `folder` is the workspace's parent, `actions` has the actions that are here by name."""

    def __init__(self, folder, actions, github, repository, environment, matrix=None):
        self.folder = pathlib.Path(folder)
        self.workspace = self.folder / "workspace"
        self.temporary = self.folder / "temporary"
        for path in self.workspace, self.temporary:
            path.mkdir(parents=True)
        self.cache = self.folder.parent / "cache"
        self.actions, self.repository, self.matrix = actions, repository, matrix
        self.github = {"server_url": "https://example.org", "workspace": str(self.workspace), **github}
        self.environment = dict(environment)
        self.path = []
        self.summary = self.folder / "step_summary_0d5f7c1e-3f0a-4a7e-9a63-6f2a8c2f9b11"
        self.summary.write_text("earlier\n")
        self.log, self.artifacts, self.has_failed = "", {}, False
        # What other jobs do before this one saves a cache for the first time.
        self.meanwhile = None

    def run(self, job):
        """Returns the outputs of the steps with an id. `has_failed` tells how the job ended."""
        return self.steps(job["steps"], {}, job.get("env", {}), self.github)

    def steps(self, steps, inputs, environment, github, folder="."):
        outputs, has_failed = {}, False
        for number, step in enumerate(steps):
            functions = {
                "always": lambda: True, "success": lambda: not has_failed, "failure": lambda: has_failed,
                "cancelled": lambda: False, "toJSON": lambda value: json.dumps(value or None, indent=2),
                "format": lambda text, *values: re.sub(r"\{(\d+)\}", lambda at: shown(values[int(at[1])]), text),
            }
            contexts = {"inputs": inputs, "github": github, "runner": {"temp": str(self.temporary), "os": "Linux"},
                        "steps": outputs, "env": {**self.environment, **environment}, "matrix": self.matrix}

            def expanded(text):
                return re.sub(r"\$\{\{(.*?)\}\}", lambda at: shown(Expression(at[1], contexts, functions).value()), str(text))

            condition = re.sub(r"^\s*\$\{\{(.*)\}\}\s*$", r"\1", str(step.get("if", "success()")))
            # Without a status function, a condition is true only after success.
            if not re.search(r"\b(always|success|failure|cancelled)\(", condition):
                condition = f"success() && ({condition})"
            if not Expression(condition, contexts, functions).value():
                continue
            own = {name: expanded(text) for name, text in {**environment, **step.get("env", {})}.items()}
            given = {name: expanded(text) for name, text in step.get("with", {}).items()}
            if "uses" in step:
                is_fine, result = self.use(step["uses"], given, own)
            else:
                is_fine, result = self.command(
                    expanded(step["run"]), step.get("shell"), own, expanded(step.get("working-directory", folder)), number)
            if "id" in step:
                outputs[step["id"]] = {"outputs": result, "outcome": "success" if is_fine else "failure"}
            has_failed = has_failed or not is_fine
        self.has_failed = has_failed
        return {name: step["outputs"] for name, step in outputs.items()}

    def command(self, text, shell, environment, folder, number):
        files = {}
        for name in "OUTPUT", "ENV", "PATH":
            files[name] = self.temporary / f"{name.lower()}-{number}-{len(self.log)}"
            files[name].touch()
        script = self.temporary / "step.sh"
        script.write_text(text)
        shells = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"], "sh": ["sh", "-e"], None: ["sh", "-e"]}
        variables = {
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_SHA": self.github["sha"], "GITHUB_EVENT_NAME": self.github["event_name"],
            "GITHUB_WORKSPACE": str(self.workspace), "RUNNER_TEMP": str(self.temporary),
            "RUNNER_ENVIRONMENT": "github-hosted", "RUNNER_ARCH": "X64", "ImageOS": "ubuntu24",
            **{f"GITHUB_{name}": str(path) for name, path in files.items()},
        }
        own = {**self.environment, **variables, **environment}
        own["PATH"] = ":".join([*reversed(self.path), own["PATH"]])
        done = subprocess.run(
            [*shells[shell], str(script)], cwd=self.workspace / folder, env=own, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.log += done.stdout
        self.environment.update(assignments(files["ENV"]))
        self.path += files["PATH"].read_text().split()
        return done.returncode == 0, assignments(files["OUTPUT"])

    def use(self, name, given, environment):
        name, version = name.split("@")
        least = LEAST_VERSIONS.get(name.removesuffix("/restore").removesuffix("/save"))
        if least and int(version.removeprefix("v")) < least:
            raise KeyError(f"{name}@{version} needs Node.js 20, which GitHub's runners no longer have: use v{least}")
        if name in self.actions:
            folder = self.actions[name]
            action = yaml.safe_load((folder / "action.yml").read_text())
            inputs = {}
            for key, described in action["inputs"].items():
                if described.get("required") and key not in given:
                    raise KeyError(f"{name} needs {key}")
                inputs[key] = given.get(key, described.get("default", ""))
            unknown = set(given) - set(inputs)
            if unknown:
                raise KeyError(f"{name} has no input {unknown}")
            github = {**self.github, "action_repository": name, "action_path": str(folder)}
            own = {**environment, "GITHUB_ACTION_PATH": str(folder)}
            steps = self.steps(action["runs"]["steps"], inputs, own, github)
            outputs = {}
            for key, described in action.get("outputs", {}).items():
                found = re.fullmatch(r"\$\{\{\s*steps\.([\w-]+)\.outputs\.([\w-]+)\s*\}\}", described["value"])
                outputs[key] = steps.get(found[1], {}).get(found[2], "")
            return not self.has_failed, outputs
        if name == "actions/checkout":
            target = self.workspace / given.get("path", ".")
            reference, depth = given.get("ref") or self.github["sha"], given.get("fetch-depth", "1")
            refs = [reference] if depth != "0" else [reference, "+refs/heads/*:refs/remotes/origin/*"]
            few = ["--depth", depth] if depth != "0" else []
            for command in (["init", "-q"], ["fetch", "-q", *few, f"file://{self.repository}", *refs],
                            ["checkout", "-q", reference]):
                subprocess.run(["git", "-C", str(target), *command], check=True)
            return True, {}
        if name == "actions/cache/restore":
            prefixes = [given["key"], *given.get("restore-keys", "").split()]
            # A key without content is that of a job that was cancelled while it saved.
            whole = [path for path in self.cache.glob("*") if (path / "content").exists()]
            kept = sorted(whole, key=lambda path: path.stat().st_mtime, reverse=True)
            for prefix in prefixes:
                for entry in kept:
                    if entry.name.startswith(prefix):
                        self.copy(entry / "content", self.workspace / given["path"])
                        return True, {"cache-matched-key": entry.name}
            return True, {}
        if name == "actions/cache/save":
            meanwhile, self.meanwhile = self.meanwhile, None
            if meanwhile:
                meanwhile()
            entry = self.cache / given["key"]
            # GitHub never replaces a cache. The step succeeds with a warning.
            if entry.exists():
                self.log += f"Failed to save: a cache has the key {given['key']}\n"
            else:
                self.copy(self.workspace / given["path"], entry / "content")
            return True, {}
        if name == "actions/upload-artifact":
            self.artifacts[given["name"]] = []
            for path in given["path"].split():
                base = self.workspace / path
                found = [base] if base.is_file() else [one for one in base.rglob("*") if one.is_file()]
                self.artifacts[given["name"]] += [str(one.relative_to(self.workspace)) for one in found]
            return True, {}
        raise KeyError(f"the runner knows no action {name}")

    @staticmethod
    def copy(source, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)


def assignments(path):
    """`name=value`, or `name<<WORD`, lines, `WORD`."""
    result, lines = {}, iter(path.read_text().splitlines())
    for line in lines:
        name, mark, value = re.match(r"([^=<]+)(=|<<)(.*)", line).groups()
        if mark == "<<":
            block = []
            for inner in lines:
                if inner == value:
                    break
                block.append(inner)
            value = "\n".join(block)
        result[name] = value
    return result
