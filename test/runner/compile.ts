import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/**
 * Compiles the service where a source changed, before the first test and each further run of a
 * watch: its processes in tests run as `npm start` does.
 */
export function setup(project: TestProject): void {
  compile();
  project.onTestsRerun(compile);
}

function compile(): void {
  execFileSync(process.execPath, ["build.js"], { cwd: join(import.meta.dirname, "../.."), stdio: "inherit" });
}
