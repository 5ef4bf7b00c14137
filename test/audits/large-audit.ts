import { eq } from "drizzle-orm";
import { PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import type { AreaScores } from "../../core/audits/score-audit.ts";
import type { StoredFinding } from "../../core/audits/audit-rows.ts";
import type { Db } from "../../db/engine/store.ts";
import { insertAudit, type Owner } from "./audit-scene.ts";
import { SECOND_RUN_AT, SITE } from "./scene-pages.ts";

const EXCERPT = "<p class='a-long-name'>Ein Absatz, der erklärt, was die Maschine kann und was nicht.</p>".repeat(3);

const failing = (check: string): StoredFinding => ({
  check,
  outcome: "fail",
  message: "It was found on this page in more places than can be listed here.",
  evidence: Array.from({ length: 5 }, (_, line) => ({ excerpt: EXCERPT.slice(0, 200), line })),
});
const worst = { score: 0, checks: PAGE_CHECKS.length };
const SCORES: AreaScores = { crawlability: worst, semantic: worst, content: worst };

/** An audit with this number of pages, all checks failing with maximum evidence. */
export async function insertLargeAudit(db: Db, owner: Owner, pages: number) {
  const { analysisId, runs } = await insertAudit(db, owner);
  const { q, t } = db;
  const collectId = runs.second;
  const ids = Array.from({ length: pages }, owner.newId);
  const checks = PAGE_CHECKS.map(({ id }) => id);
  await db.bulkInsert(
    t.questions,
    ids.map((id, index) => ({
      id,
      analysisId,
      position: 4 + index,
      text: `${SITE}/a/long/address/of/a/page/of/the/shop/${index}`,
      type: "Generic" as const,
      intent: [],
    })),
  );
  await db.bulkInsert(
    t.auditPages,
    ids.map((pageId) => ({
      collectId,
      pageId,
      outcome: "fail" as const,
      title: "A title of a page that is rather long, as titles of shops often are".repeat(3),
      pageType: "article" as const,
      typeConfidence: 0.8,
      score: 0,
      scores: SCORES,
      outcomes: { fail: checks, warn: [], skipped: [], passed: 0 },
      changes: checks.map((check) => ({ check, was: "pass" as const, is: "fail" as const })),
      checksVersion: 1,
      fetchedAt: SECOND_RUN_AT,
    })),
  );
  await db.bulkInsert(
    t.auditFindings,
    ids.map((pageId) => ({ collectId, pageId, findings: checks.map(failing), address: null })),
  );
  const [page = ""] = ids;
  const [run] = await q.select({ summary: t.audits.summary }).from(t.audits).where(eq(t.audits.collectId, collectId));
  if (!run?.summary) throw new Error("the audit has no summary");
  const counts = { pass: 0, warn: 0, fail: pages, skipped: 0, fixed: 0, broken: pages };
  const summary = {
    ...run.summary,
    checks: Object.fromEntries(checks.map((check) => [check, counts])),
    worst: ids.slice(0, 10),
  };
  const findings = SITE_CHECKS.map(({ id }) => failing(id));
  await q.update(t.audits).set({ summary, findings }).where(eq(t.audits.collectId, collectId));
  return { analysisId, pageId: page };
}
