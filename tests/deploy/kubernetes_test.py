#!/usr/bin/env python3
"""cli/deploy/kubernetes: the manifests against the schema of Kubernetes' API, and their commands
with the tool."""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import shards
import tool
from tool import BAD_INPUT, DONE, STOPPED, USAGE, english, run

FOLDER = tool.TOP / "cli/deploy/kubernetes"
MODULES = pathlib.Path(os.environ.get("ELMO_NODE_MODULES", "node_modules"))

# Reads YAML files and prints them as JSON.
READ = """
const yaml = require("yaml"), fs = require("fs");
const read = path => yaml.parse(fs.readFileSync(path, "utf8"));
console.log(JSON.stringify(process.argv.slice(1).map(read)));
"""

# Prints what is wrong with each object of a JSON list on standard input, null where nothing is.
VALIDATE = """
const models = {Job: require("kubernetes-models/batch/v1").Job,
                PersistentVolumeClaim: require("kubernetes-models/v1").PersistentVolumeClaim};
const problem = object => {
  try {
    new models[object.kind](object).validate();
    return null;
  } catch (error) {
    return String(error);
  }
};
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(problem)));
"""


def node(script, *arguments, text=""):
    result = subprocess.run(["node", "-e", script, *map(str, arguments)], input=text.encode(),
                            env=dict(os.environ, NODE_PATH=str(MODULES)), stdout=subprocess.PIPE,
                            check=True)
    return json.loads(result.stdout)


class Kubernetes(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        if shutil.which("node") is None:
            raise unittest.SkipTest("needs node")
        for package in ("kubernetes-models", "yaml"):
            if not (MODULES / package).is_dir():
                raise unittest.SkipTest(f"needs npm's {package}; see make check-scale")
        super().setUpClass()
        names = ("embed", "merge", "volume")
        manifests = node(READ, *(FOLDER / f"{name}.yaml" for name in names))
        cls.embed, cls.merge, cls.volume = manifests

    def problems(self, *objects):
        return node(VALIDATE, text=json.dumps(objects))

    def test_the_schema_accepts_them(self):
        self.assertEqual(self.problems(self.embed, self.merge, self.volume), [None] * 3)

    def test_the_schema_refuses_errors(self):
        changes = (lambda job: job["spec"].update(completions="64"),
                   lambda job: job["spec"].update(backoffLimitPerIndex="three"),
                   lambda job: job["spec"]["podFailurePolicy"].pop("rules"),
                   lambda job: job["spec"]["podFailurePolicy"]["rules"][1].pop("action"),
                   lambda job: job["spec"]["template"]["spec"].pop("containers"))
        wrong = []
        for change in changes:
            wrong.append(copy.deepcopy(self.embed))
            change(wrong[-1])
        self.assertNotIn(None, self.problems(*wrong))

    def test_the_policy_handles_the_exit_codes(self):
        spec = self.embed["spec"]
        self.assertEqual(spec["completionMode"], "Indexed")
        actions = {code: rule["action"] for rule in spec["podFailurePolicy"]["rules"]
                   for code in rule.get("onExitCodes", {}).get("values", ())}
        self.assertEqual(actions, {STOPPED: "Ignore", USAGE: "FailJob", BAD_INPUT: "FailJob"})
        # Kubernetes takes failure policies with this one only.
        self.assertEqual(spec["template"]["spec"]["restartPolicy"], "Never")
        names = [container["name"] for container in spec["template"]["spec"]["containers"]]
        self.assertEqual({rule["onExitCodes"]["containerName"]
                          for rule in spec["podFailurePolicy"]["rules"] if "onExitCodes" in rule},
                         set(names))

    def arguments(self, manifest, **variables):
        """The container's command, with its variables inserted; /corpus is the test's folder."""
        words = manifest["spec"]["template"]["spec"]["containers"][0]["args"]
        for name, value in variables.items():
            words = [word.replace(f"$({name})", str(value)) for word in words]
        self.assertFalse([word for word in words if "$(" in word])
        return [word.replace("/corpus", str(self.folder)) for word in words]

    def test_the_commands_make_one_run(self):
        completions = self.embed["spec"]["completions"]
        self.write("texts/a.txt", english(9000))
        model = ("--model", self.model)
        for index in range(completions):
            words = self.arguments(self.embed, JOB_COMPLETION_INDEX=index)
            self.assert_exit(run(*words, *model), DONE)
        self.assert_exit(run(*self.arguments(self.merge)), DONE)
        whole = self.folder / "whole"
        self.assert_exit(run("embed", "--quiet", self.folder / "texts", "-o", whole, *model), DONE)
        expected, actual = (shards.contents(folder / "index.h5")
                            for folder in (whole, self.folder / "vectors"))
        self.assertTrue(expected == actual, "what was merged differs")


if __name__ == "__main__":
    unittest.main()
