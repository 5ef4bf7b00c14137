import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const TIME_LIMIT_MS = 10 * 60_000;

const Report = z.object({
  testResults: z.array(z.object({ name: z.string(), status: z.string() })),
});

/** Runs test files of a tree until one fails; returns its path, or undefined if all pass. */
export async function failingTest(tree: string, tests: readonly string[]): Promise<string | undefined> {
  const reportFile = join(tree, "report.json");
  rmSync(reportFile, { force: true });
  const vitest = join(tree, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--bail=1", "--reporter=json", `--outputFile=${reportFile}`, ...tests];
  // Limits randomized tests to a few hundred cases in every version.
  const env = { FUZZ_RUNS: "300", ...process.env };
  // A separate process group, because a fault may leave a worker that never ends.
  const run = spawn(process.execPath, args, { cwd: tree, stdio: "ignore", detached: true, env });
  const killGroup = () => process.kill(-(run.pid ?? 0), "SIGKILL");
  process.once("exit", killGroup);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killGroup();
  }, TIME_LIMIT_MS);
  await once(run, "close");
  clearTimeout(timer);
  process.removeListener("exit", killGroup);
  if (late) return "time limit";
  if (run.exitCode === 0) return undefined;
  return failedFile(reportFile, tree) ?? "the run";
}

function failedFile(reportFile: string, tree: string): string | undefined {
  try {
    const report = Report.parse(JSON.parse(readFileSync(reportFile, "utf8")));
    return report.testResults.find((file) => file.status === "failed")?.name.replace(`${tree}/`, "");
  } catch {
    return undefined; // It failed before writing a report.
  }
}
