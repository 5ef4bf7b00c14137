import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { CollectRow } from "../../db/analyses/analyses.ts";
import { toInstant } from "../../core/shared/time.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { collectScene } from "./scene.ts";

test("an analysis shows progress and expected end of its collect until it completes, like the collect itself", async () => {
  const startedAt = toInstant(Date.now());
  let now = startedAt;
  await using s = await collectScene({ env: { SERVE: "core,mcp" }, now: () => now });
  const analysis = await s.create(["phone 0", "phone 1", "phone 2", "phone 3"]);
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  if (!client) throw new Error("there is no such client");
  const analysisId = analysis.split("/").at(-1);
  const progress = async () => {
    const own = (await s.owner.get(analysis)).body.progress;
    const ids = { organization: s.organization.id, workspace: s.workspace.id, analysis: analysisId };
    expect((await client.call("get_analysis", ids)).structured.progress).toEqual(own);
    const [collect] = (await s.owner.get(`${analysis}/collects`)).body.data;
    expect((await s.owner.get(`${analysis}/collects/${collect.id}`)).body.progress).toEqual(collect.progress);
    return { own, collect: collect.progress };
  };
  const become = (state: Partial<CollectRow>) =>
    s.store.write(async ({ q, t }) => q.update(t.collects).set(state).where(eq(t.collects.number, 1)));

  const begun = { done: 0, planned: 4, eta: null };
  expect(await progress()).toEqual({ own: begun, collect: begun });
  await become({ status: "running", startedAt, succeeded: 1, failed: 1 });
  now = toInstant(Date.parse(startedAt) + 30_000);
  const half = { done: 2, planned: 4, eta: toInstant(Date.parse(startedAt) + 60_000) };
  expect(await progress()).toEqual({ own: half, collect: half });
  await s.owner.post(`${analysis}/pause`);
  expect(await progress()).toEqual({ own: { ...half, eta: null }, collect: { ...half, eta: null } });
  await become({ status: "partial", finishedAt: now, succeeded: 3 });
  expect(await progress()).toEqual({ own: null, collect: { done: 4, planned: 4, eta: null } });
});
