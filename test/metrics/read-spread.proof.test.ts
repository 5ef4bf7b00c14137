import { expect, test } from "vitest";
import { readSpread } from "../../tools/analyses/setup/read-spread.ts";
import { ASSUMED_SPREAD } from "../../core/statistics/power.ts";
import { brandScene } from "../support/brand-scene.ts";
import { openCommitted } from "../support/committed.ts";
import { EMAIL, MAIN_JOB_ENV } from "../main-job/main-job.ts";
import { world } from "../support/world.ts";

test("fault: the price of a collect assumed values that the analysis had measured, without saying so", async () => {
  await using w = await world({ env: { ...MAIN_JOB_ENV, SERVE: "core,search,mcp,web" } });
  const db = openCommitted(w.store);
  const [analysis] = await db.q.select().from(db.t.analyses);
  if (!analysis) throw new Error("the demo has an analysis");
  const { organizationId, workspaceId, id } = analysis;
  // State after re-extraction for a catalog change.
  await w.store.write(async ({ q, t }) => void (await q.update(t.collects).set({ summedVersion: "1.1" })));
  const measured = await readSpread({ db, organizationId, workspaceId }, analysis);
  expect(measured?.basis).toBe("measured");
  expect(measured?.spread.presenceRate).not.toBe(ASSUMED_SPREAD.presenceRate);
  const owner = await w.signIn(EMAIL);
  const path = `/v1/organizations/${organizationId}/workspaces/${workspaceId}/analyses/${id}`;
  const { status, body } = await owner.post(`${path}/collects/price`);
  expect(status).toBe(200);
  expect(body.power).toMatchObject({ rests_on: "measured", points: expect.any(Number) });
  expect(body.presentation).toContain(`${body.power.points} points or more in 80 % of cases (measured in the last two`);
  // Without a second collect, one answer per prompt shows no chance variation.
  await w.store.write(async ({ q, t }) => void (await q.update(t.collects).set({ summedVersion: null })));
  expect(await readSpread({ db, organizationId, workspaceId }, analysis)).toEqual({
    basis: "assumed",
    spread: ASSUMED_SPREAD,
  });
});

test("fault: chance variation of a brand analysis was measured between questions, not prompts", async () => {
  const texts = new Map<string, string>();
  const PROMPTS = 14;
  const name = (from: number) => {
    for (let at = 0; at < PROMPTS; at += 1)
      texts.set(`Which ${at}?`, at >= from && at < from + 7 ? "1. Acme" : "None.");
  };
  await using s = await brandScene(texts);
  name(0);
  const prompts = Array.from({ length: PROMPTS }, (_, at) => ({ kind: "unaided", text: `Which ${at}?` }));
  const path = await s.analyse(prompts, { countries: ["US", "DE", "FR", "ES"], persona_ids: [] });
  name(3);
  await s.again(path, 2);
  const analysis = { id: path.split("/").at(-1) ?? "", brandId: s.brandId };
  const tenant = { db: openCommitted(s.store), organizationId: s.organization.id, workspaceId: s.workspace.id };
  // Six prompts differ by all four answers, so V is 14/13 · 6 · 4² / 56²; between collects is V·P/2
  // of p(1 − p) = 1/4.
  const between = (((14 / 13) * 6 * 16) / 56 ** 2) * (PROMPTS / 2) * 4;
  const left = between - ASSUMED_SPREAD.within / 4;
  expect(await readSpread(tenant, analysis)).toEqual({
    basis: "measured",
    spread: { presenceRate: 0.5, within: ASSUMED_SPREAD.within, between: expect.closeTo(left / 2, 9) },
  });
});
