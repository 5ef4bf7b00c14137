import { defineConfig } from "vitest/config";
import { ExcludedFilesReporter, EXCLUDED_SUFFIXES } from "./test/runner/excluded-files.ts";
import { LongestFirst } from "./test/runner/longest-first.ts";
import { TemporaryFolder } from "./test/runner/temporary-folder.ts";

const INSTALLED = ["proofs/interop/node_modules/**", "test/client/node_modules/**"];
const REST_FILES = EXCLUDED_SUFFIXES.map((suffix) => `{test,proofs}/**/*.${suffix}.test.ts`);

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 5000 } },
    pool: "forks",
    // Each worker imports the service once, starts it warm from then on, and keeps one browser (CONTRIBUTING, "To write a test").
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    experimental: { fsModuleCache: true },
    reporters: ["default", new ExcludedFilesReporter(), new TemporaryFolder()],
    projects: [
      {
        extends: true,
        test: { name: "quick", include: ["{test,proofs}/**/*.test.ts"], exclude: [...INSTALLED, ...REST_FILES] },
      },
      {
        extends: true,
        test: { name: "rest", include: REST_FILES, exclude: INSTALLED, globalSetup: "test/runner/compile.ts" },
      },
    ],
  },
});
