import { eq } from "drizzle-orm";
import { insertCollectWithoutJobs } from "../../db/analyses/collects.ts";
import { addMs } from "../../core/shared/time.ts";
import type { demoConsole } from "../../test/console/demo-console.ts";

type Demo = Awaited<ReturnType<typeof demoConsole>>;

const MINUTE_MS = 60_000;

/**
 * Starts the next collect of the demo's search analysis, shown three minutes in and two fifths
 * complete; returns its id.
 */
export async function insertRunningCollect({ w, analysis }: Demo): Promise<string> {
  const { organizationId, workspaceId, id: analysisId } = analysis;
  const id = w.deps.newId();
  await w.store.write(async (db) => {
    const { q, t } = db;
    const of = eq(t.collects.analysisId, analysisId);
    const earlier = await q.select().from(t.collects).where(of);
    const last = earlier.toSorted((a, b) => b.number - a.number)[0];
    if (!last) throw new Error("The demo has no collect.");
    const asked = { setupVersion: last.setupVersion, sources: ["ASSISTANT_A"] as const, runs: 1, unitCredits: 1 };
    const plan = {
      ...asked,
      id,
      analysisId,
      number: last.number + 1,
      questionCount: last.planned,
      credits: last.planned,
    };
    const at = addMs(w.deps.now(), -3 * MINUTE_MS);
    await insertCollectWithoutJobs({ db, organizationId, workspaceId }, { ...plan, at });
    const succeeded = Math.round(last.planned * 0.4);
    await q.update(t.collects).set({ succeeded }).where(eq(t.collects.id, id));
  });
  return id;
}

/** Turns the collect into a failed one without answers. */
export async function failCollect({ w }: Demo, id: string): Promise<void> {
  await w.store.write(async ({ q, t }) => {
    const [collect] = await q.select().from(t.collects).where(eq(t.collects.id, id));
    const ended = { status: "failed" as const, succeeded: 0, failed: collect?.planned ?? 0, finishedAt: w.deps.now() };
    await q
      .update(t.collects)
      .set({ ...ended, reservedCredits: 0 })
      .where(eq(t.collects.id, id));
  });
}
