import { asc, eq } from "drizzle-orm";
import { collectScene } from "../../collecting/scene.ts";
import { openCommitted } from "../../support/committed.ts";
import { waitForBackgroundWork } from "../../actions/wait-for-background-work.ts";
import { verifyDomain } from "../../sso/scene.ts";
import { WITHOUT_LIMITS } from "../../support/world.ts";
import { ORIGIN } from "./draft.ts";
import { plantedSite } from "./site.ts";

export const FIRST_MORNING = "2026-11-21T08:00:00.000Z";
// oxlint-disable-next-line typescript/no-explicit-any -- rows of the interface, as a reader gets them
export type Row = any;

/**
 * An organization with a proven domain, a worker, and its site on loopback. The clock stands still
 * within a run.
 */
export async function plantedAuditScene() {
  let at = Date.parse(FIRST_MORNING);
  const s = await collectScene({ env: WITHOUT_LIMITS, now: () => new Date(at).toISOString() });
  await verifyDomain(s, s.organization.id, "acme.test");
  const site = await plantedSite();
  s.deps.outside.crawler = site.crawler;
  const { path } = s.workspace;

  async function confirm(method: string, address: string, priced: Row) {
    if (priced.status !== 200) throw new Error(JSON.stringify(priced.body));
    const body = { quote_id: priced.body.quote_id, confirmed: true };
    const answer = await s.owner.request(method, address, { body });
    if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }

  async function listed(address: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let cursor = ""; ;) {
      const { body } = await s.owner.get(`${address}${cursor}`);
      rows.push(...body.data);
      if (body.next_cursor === null) return rows;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
  }

  /** An audit of these pages, with its first run completed. */
  async function audit(urls: readonly string[]) {
    const setup = { name: "Kettles", website: ORIGIN, urls };
    const { id } = await confirm("POST", `${path}/geo-audits`, await s.owner.post(`${path}/geo-audits/price`, setup));
    const analysis = `${path}/analyses/${id}`;
    let runs = 1;
    await s.ended(analysis, runs);
    await waitForBackgroundWork(s.store);
    return {
      id: id as string,
      analysis,
      setup,
      change: async (given: object) =>
        confirm("PUT", `${analysis}/setup`, await s.owner.post(`${analysis}/setup/price`, given)),
      duplicate: async () => (await s.owner.post(`${analysis}/duplicate`)).body.setup,
      /** Another run, a minute later. */
      async run() {
        at += 60_000;
        await confirm("POST", `${analysis}/collects`, await s.owner.post(`${analysis}/collects/price`));
        runs += 1;
        await s.ended(analysis, runs);
        await waitForBackgroundWork(s.store);
      },
      summary: async () => (await s.owner.get(`${analysis}/audit`)).body,
      pages: () => listed(`${analysis}/pages?sort=url&limit=100`),
      actions: () => listed(`${path}/recommended-actions?analysis_id=${id}&limit=100`),
      /** All that the newest run found, page by page. */
      async stored() {
        const { q, t } = openCommitted(s.store);
        const collects = await q
          .select()
          .from(t.collects)
          .where(eq(t.collects.analysisId, id))
          .orderBy(asc(t.collects.number));
        const collectId = collects.at(-1)?.id ?? "";
        const pages = await q
          .select()
          .from(t.auditPages)
          .where(eq(t.auditPages.collectId, collectId))
          .orderBy(asc(t.auditPages.pageId));
        const findings = await q.select().from(t.auditFindings).where(eq(t.auditFindings.collectId, collectId));
        const found = new Map(findings.map((row) => [row.pageId, row.findings]));
        const [run] = await q.select().from(t.audits).where(eq(t.audits.collectId, collectId));
        return {
          site: run?.findings,
          scores: run?.summary?.scores,
          pages: pages.map(({ collectId: _run, fetchedAt: _at, changes: _changes, ...page }) => ({
            ...page,
            findings: found.get(page.pageId),
          })),
        };
      },
    };
  }

  /** Answers that cite these pages, so that their faults matter. */
  async function cite(urls: readonly string[]) {
    const thematics = [{ name: "Tea", topics: [{ name: "All", keywords: [{ text: "best kettle" }] }] }];
    const analysis = await s.create([], { sources: [], thematics });
    const line = {
      keyword: "best kettle",
      source: "ASSISTANT_A",
      run: 1,
      text: "1. **Acme**",
      collected_at: FIRST_MORNING,
    };
    const body = JSON.stringify({ ...line, citations: urls.map((url) => ({ url })) });
    const headers = { "content-type": "application/x-ndjson" };
    const imported = await s.owner.request("POST", `${analysis}/answers/import`, { body, headers });
    if (imported.status !== 201) throw new Error(JSON.stringify(imported.body));
    await waitForBackgroundWork(s.store);
  }

  return {
    ...s,
    site,
    audit,
    cite,
    action: async (id: string): Promise<Row> => (await s.owner.get(`${path}/recommended-actions/${id}`)).body,
    async implement(action: Row) {
      const brief = `${path}/recommended-actions/${action.id}/tasks/${action.tasks[0].id}/brief`;
      const { status, body } = await s.owner.patch(brief, { status: "implemented" });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Findings of a run, one per line: `address check outcome`, or `site check outcome`. */
export function listFindings(pages: readonly Row[], summary: Row, nameOf: (url: string) => string): string[] {
  const onPages: string[] = pages.flatMap(({ url, failed, warned }) => [
    ...failed.map((check: string) => `${nameOf(url)} ${check} fail`),
    ...warned.map((check: string) => `${nameOf(url)} ${check} warn`),
  ]);
  const ofSite: string[] = summary.site_checks
    .filter(({ outcome }: Row) => outcome === "fail" || outcome === "warn")
    .map(({ check, outcome }: Row) => `site ${check} ${outcome}`);
  return [...onPages, ...ofSite].toSorted();
}
