import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RECORDED_ANSWERS } from "../../test/measurement/truth.ts";
import { recordedAnswers } from "../recompute/scene.ts";
import { reportScene } from "./scene.ts";
import { writeReport } from "./write-report.ts";

const isThere = recordedAnswers() !== undefined;
if (!isThere) console.warn(`skipped: the recorded answers are not at ${RECORDED_ANSWERS}`);

test.skipIf(!isThere)(
  "docs/example-report.md equals REST's metrics for the recorded answers (to update: npm run proof -- report:example)",
  async () => {
    await using scene = await reportScene();
    if (!scene) throw new Error("the recorded answers are gone");
    const page = readFileSync(new URL("../../docs/example-report.md", import.meta.url), "utf8");
    expect(page).toBe(await writeReport(scene));
  },
);
