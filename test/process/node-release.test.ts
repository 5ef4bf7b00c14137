import { expect, test } from "vitest";
import { releaseWarning } from "../../src/process/node-release.ts";

test("names Node.js releases without security fixes and the release to use instead", () => {
  expect(releaseWarning("v20.19.0")).toBe(
    "Node.js 20 no longer gets security fixes (support ended in April 2026). Run the service with Node.js 24.",
  );
  expect(releaseWarning("v21.7.3")).toMatch(/^Node\.js 21 no longer gets security fixes\. /);
  expect(["v22.0.0", "v22.22.3", "v24.3.0", "v26.1.0"].map(releaseWarning)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
