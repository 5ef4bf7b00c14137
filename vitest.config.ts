import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/interop/node_modules/**", "test/client/node_modules/**"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: "test/compile.ts",
    pool: "forks",
    // Each worker imports the service once, starts it warm from then on, and keeps one browser (CONTRIBUTING, "To write a test").
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
