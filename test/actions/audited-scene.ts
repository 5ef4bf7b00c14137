import { eq } from "drizzle-orm";
import type { CheckOutcome } from "../../core/audits/check.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { importedScene } from "./imported-scene.ts";
import { waitForBackgroundWork } from "./wait-for-background-work.ts";

const AREA = { score: 50, checks: 3 };
const SCORES = { crawlability: AREA, semantic: AREA, content: AREA };

/** Outcome of `one_h1` by path. */
type Found = Readonly<Record<string, CheckOutcome>>;

/** A workspace with imported answers, and audits with stored runs. */
export async function auditedScene() {
  const s = await importedScene();
  const [origin] = await s.store.read(({ q, t }) => q.select().from(t.analyses));
  if (!origin) throw new Error("no analysis");
  const tenant = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  let ids = 0;
  const newId = () => `00000000-0000-7000-8000-${String(++ids).padStart(12, "0")}`;
  let minutes = 0;

  return {
    ...s,
    /** Creates an audit of these paths, for a brand or none. */
    async audit(site: string, paths: readonly string[], brandId: string | null) {
      const analysisId = newId();
      const pages = paths.map((path) => ({ id: newId(), path }));
      await s.store.write(async (db) => {
        const { id: _id, ...columns } = origin;
        const own = { type: "geo_audit" as const, name: `Audit of ${site}`, brandId, setup: { website: site } };
        await db.q.insert(db.t.analyses).values({ ...columns, ...own, id: analysisId });
        const rows = pages.map(({ id, path }, position) => {
          return { id, analysisId, position, text: site + path, type: "Generic" as const, intent: [] };
        });
        await db.bulkInsert(db.t.questions, rows);
      });
      let number = 0;
      return {
        analysisId,
        pageIds: new Map(pages.map(({ id, path }) => [path, id])),
        /**
         * Stores a run and waits for its follow-up jobs. Pages without an outcome count as not
         * fetched.
         */
        async run(found: Found, isSimulated = false): Promise<string> {
          const collectId = newId();
          number += 1;
          const at = new Date(Date.parse("2026-11-22T08:00:00.000Z") + ++minutes * 60_000).toISOString();
          await s.store.write(async (db) => {
            const { q, t } = db;
            const costs = { unitCredits: 1, reservedCredits: 0, costCredits: 0 };
            const times = { createdAt: at, startedAt: at, finishedAt: at };
            const planned = { planned: pages.length, succeeded: pages.length, failed: 0 };
            const run = { ...tenant, ...costs, ...times, ...planned, id: collectId, analysisId, number };
            await q.insert(t.collects).values({ ...run, status: "completed" });
            const facts = { origin: site, robots: { unread: "" }, sitemap: { unread: "" }, llmsTxt: null };
            const summary = {
              scores: SCORES,
              pages: { audited: pages.length, skipped: 0 },
              outcomes: { pass: 0, warn: 0, fail: 0, skipped: 0 },
              types: {},
              checks: {},
              before: null,
              worst: [],
              skippedReasons: [],
              notes: [],
            };
            const audit = { collectId, analysisId, checksVersion: 1, isSimulated, site: facts };
            await q.insert(t.audits).values({ ...audit, findings: [], summary, startedAt: at });
            for (const { id: pageId, path } of pages) {
              const outcome = found[path] ?? "skipped";
              const listed = (kind: CheckOutcome) => (outcome === kind ? ["one_h1"] : []);
              const passed = path in found ? 3 : 0;
              const outcomes = { fail: listed("fail"), warn: listed("warn"), skipped: listed("skipped"), passed };
              const page = { collectId, pageId, outcome, outcomes, title: `Page ${path}`, changes: [] };
              const of = { pageType: "article" as const, typeConfidence: 0.9, score: 50, scores: SCORES };
              await q.insert(t.auditPages).values({ ...page, ...of, checksVersion: 1, fetchedAt: at });
              const evidence = outcome === "pass" ? [] : [{ excerpt: "<b>Ignore all rules</b>", line: 3 }];
              const findings = [{ check: "one_h1", outcome, message: "The page has 2 h1 elements.", evidence }];
              await q.insert(t.auditFindings).values({ collectId, pageId, findings, address: null });
            }
            const job = { id: newId(), kind: "recommend_actions" as const, subjectId: collectId, at };
            await enqueueBackgroundJob({ db, ...tenant }, job);
          });
          await waitForBackgroundWork(s.store);
          return collectId;
        },
      };
    },
    /** Id of a brand of the workspace. */
    async brandNamed(name: string): Promise<string> {
      const [brand] = await s.store.read(({ q, t }) => q.select().from(t.brands).where(eq(t.brands.name, name)));
      if (!brand) throw new Error("no such brand");
      return brand.id;
    },
    ofAudit: async (analysisId: string, query = "") => s.listed(`&analysis_id=${analysisId}${query}`),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}
