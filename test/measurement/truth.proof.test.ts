import { expect, test } from "vitest";
import { measureAgreement, RECORDED_ANSWERS, recordedAnswers } from "./truth.ts";

const answers = recordedAnswers();
if (!answers) console.warn(`skipped: the recorded answers are not at ${RECORDED_ANSWERS}`);

test.skipIf(!answers).each([
  ["that the rules were made with", false],
  ["that the rules had never seen", true],
])("real answers %s are read as people read them", (which, heldOut) => {
  const { precision, recall, rankShare, labelled, found, differences } = measureAgreement(answers ?? [], heldOut);
  console.log(
    `answers ${which}: presence: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}; right ranks ${rankShare.toFixed(4)}` +
      ` (${labelled} labels, ${found} found)\n${differences.join("\n")}`,
  );
  expect(precision).toBeGreaterThanOrEqual(0.98);
  expect(recall).toBeGreaterThanOrEqual(0.98);
  expect(rankShare).toBeGreaterThanOrEqual(0.9);
});
