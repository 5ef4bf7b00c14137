import { appendFileSync, readdirSync } from "node:fs";
import type { Reporter, TestModule, Vitest } from "vitest/node";

/**
 * Suffixes of test files that `npm test` leaves out: long proofs, tests in Chromium, and tests of
 * the service as a process.
 */
export const EXCLUDED_SUFFIXES = ["proof", "browser", "kill"] as const;

/**
 * Ends a run of `npm test` with the test files that it leaves out, and appends its counts to the
 * file TEST_COUNTS.
 */
export class ExcludedFilesReporter implements Reporter {
  private isQuick = false;

  onInit(vitest: Vitest): void {
    this.isQuick = !vitest.projects.some(({ name }) => name === "rest");
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string) => states.filter((one) => one === state).length;
    const file = process.env["TEST_COUNTS"];
    const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(counts)}\n`);
    if (!this.isQuick) return;
    const files = ["test", "proofs"].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }));
    const leftOut = EXCLUDED_SUFFIXES.map(
      (suffix) => `${files.filter((path) => path.endsWith(`.${suffix}.test.ts`)).length} ${suffix}`,
    );
    console.info(`Left out: ${leftOut.join(", ")} test files. \`npm run test:all\` runs them too.`);
  }
}
