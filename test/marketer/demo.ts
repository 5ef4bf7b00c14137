import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { planAnswer } from "../../src/outside/sources/simulated/plan.ts";
import { simulatedTruth } from "../sources/simulated-truth.ts";
import { RUN_COUNT } from "../../src/demo/demo-content.ts";
import { readWorld } from "../../src/outside/sources/simulated/world-file.ts";
import { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import { SOURCES } from "../../core/sources/sources.ts";
import { listTrackedBrands } from "../../db/catalog/brands.ts";
import { EMAIL, MAIN_JOB_ENV, signInBy } from "../main-job/main-job.ts";
import type { ExpectedAnswer, Keyword } from "../metrics/simulated-scene.ts";
import { opinionsOf } from "./opinion-rows.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

const NUMBERS = Array.from({ length: RUN_COUNT }, (_, index) => index + 1);

/**
 * The demo for its first owner, with all collects and follow-ups done, a signed-in assistant, and
 * the truth of each answer.
 */
export async function marketerDemo(env: Record<string, string> = {}) {
  const w = await world({ env: { ...MAIN_JOB_ENV, ...env } });
  const connect = CLIENTS["SDK 2, auto"];
  if (!connect) throw new Error("there is no such client");
  const authorization = new MemoryAuthorization("Marketer's assistant", "http://127.0.0.1:43123/callback");
  {
    await using first = await connect(w.config.mcpUrl, { authorization });
    await signInBy(first, authorization);
  }
  const client = await connect(w.config.mcpUrl, { authorization, person: () => "accept" });
  const person = await w.signIn(EMAIL);
  const { data: workspaces } = (await person.get("/v1/workspaces")).body;
  const workspace = workspaces.find((one: { name: string }) => one.name === "Espresso machines");
  const path = `/v1/organizations/${workspace.organization_id}/workspaces/${workspace.id}`;
  const [analysis, brandAnalysis] = (await person.get(`${path}/analyses`)).body.data;
  await waitForBackgroundWork(w, async () => (await person.get(`${path}/analyses/${analysis.id}/collects`)).body.data);
  // A person planned a page before the assistant's questions.
  await person.post(`${path}/content-briefs`, { analysis_id: analysis.id, topic: "Offices" });
  const ids = { organizationId: workspace.organization_id, workspaceId: workspace.id };
  const tracked = await listTrackedBrands({ db: openCommitted(w.store), ...ids });
  const rows = (await person.get(`${path}/analyses/${analysis.id}/keywords?limit=100`)).body.data;
  const personas = (await person.get(`${path}/personas`)).body.data;
  const simulated = readWorld();
  const keywords: Keyword[] = rows.map((row: Keyword) => row);
  const asking = NUMBERS.flatMap((collect) =>
    keywords.flatMap((keyword) =>
      SOURCES.map((source) => {
        const persona = personas.find((one: { id: string }) => one.id === keyword.persona_id)?.name ?? null;
        const { text: prompt, thematic, topic } = keyword;
        const where = { country: "US", language: "en", persona, brands: tracked };
        const question = { prompt, source, run: 1, collectNumber: collect, thematic, topic, ...where };
        return { keyword, source, collect, question };
      }),
    ),
  );
  const asked = asking.map(({ question, ...one }): ExpectedAnswer => {
    const shown = planAnswer(simulated, question).style !== "absent";
    return { ...one, shown, truth: simulatedTruth(simulated, question) };
  });
  return {
    client,
    person,
    baseUrl: w.config.baseUrl,
    path,
    organizationPath: `/v1/organizations/${workspace.organization_id}`,
    analysis,
    keywords,
    sources: SOURCES,
    personas: Object.fromEntries(personas.map((one: { name: string; id: string }) => [one.name, one.id])),
    asked,
    questions: asking.map(({ question }) => question),
    brands: tracked.map(({ id, name }) => ({ id, name, compared: true })),
    opinions: await opinionsOf(openCommitted(w.store), brandAnalysis.id),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await w[Symbol.asyncDispose]();
    },
  };
}

/** Data behind the truth of an answer. */
export type Demo = Awaited<ReturnType<typeof marketerDemo>>;

/** Waits until all collects are measured and follow-up jobs are done. */
async function waitForBackgroundWork(
  { store }: Awaited<ReturnType<typeof world>>,
  collects: () => Promise<{ status: string }[]>,
): Promise<void> {
  const { q, t } = openCommitted(store);
  for (let waited = 0; waited < 20_000; waited += 50) {
    const measured = (await collects()).filter(({ status }) => status === "completed").length;
    const waiting = await q.$count(t.backgroundJobs, eq(t.backgroundJobs.status, "queued"));
    const running = await q.$count(t.backgroundJobs, eq(t.backgroundJobs.status, "leased"));
    if (measured === RUN_COUNT && waiting + running === 0) return;
    await sleep(50);
  }
  throw new Error("The demo was not ready in 20 s.");
}
