import type { PageCheck } from "../check.ts";
import { ANSWER_CHECKS } from "./answer-first.ts";
import { EVIDENCE_CHECKS } from "./evidence-checks.ts";
import { ORIGIN_CHECKS } from "./origin-checks.ts";
import { PASSAGE_CHECKS } from "./passage-checks.ts";
import { READING_CHECKS } from "./reading-checks.ts";

export const CONTENT_CHECKS: readonly PageCheck[] = [
  ...ANSWER_CHECKS,
  ...PASSAGE_CHECKS,
  ...EVIDENCE_CHECKS,
  ...ORIGIN_CHECKS,
  ...READING_CHECKS,
];
