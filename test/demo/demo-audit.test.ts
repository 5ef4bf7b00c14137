import { expect, test } from "vitest";
import { reserveCredits } from "../../db/credits/credits.ts";
import { insertSiteAudit } from "../../src/demo/demo-audit.ts";
import { DEMO_AUDIT, OWN_BRAND } from "../../src/demo/demo-content.ts";
import { collectScene } from "../collecting/scene.ts";
import { waitForBackgroundWork } from "../actions/wait-for-background-work.ts";

const reserve: Parameters<typeof insertSiteAudit>[1]["reserve"] = async (tenant, credits, cause) => {
  expect(await reserveCredits(tenant, credits, cause)).toBe(true);
};

test("the worker runs the demo's audit once offline, marked as simulated, followed by actions", async () => {
  await using w = await collectScene();
  const { owner, organization, workspace } = w;
  const { path } = workspace;
  await owner.post(`${path}/brands`, { name: OWN_BRAND, domains: ["kestrova.example"], relationship: "mine" });
  const { id: ownerId } = (await owner.get("/v1/auth/me")).body;
  const { now, newId, prices, adapters } = w.deps;
  const demo = { ownerId, now: now(), newId, prices, adapters, reserve };
  const ids = { organizationId: organization.id, workspaceId: workspace.id };
  await w.store.write((db) => insertSiteAudit({ db, ...ids }, demo));
  const { data: analyses } = (await owner.get(`${path}/analyses?type=geo_audit`)).body;
  expect(analyses).toMatchObject([{ name: DEMO_AUDIT.name, collects_planned: 1, collects_left: 0 }]);
  const [{ id }] = analyses;
  const collect = await w.ended(`${path}/analyses/${id}`);
  expect(collect).toMatchObject({
    number: 1,
    status: "completed",
    planned: 12,
    succeeded: 12,
    failed: 0,
    cost: { spent_credits: 12 },
  });
  const { body: audit } = await owner.get(`${path}/analyses/${id}/audit`);
  expect(audit).toMatchObject({
    run: { number: 1, is_simulated: true },
    pages: { audited: 12, skipped: 0 },
    previous: null,
    remarks: ["Simulated: the site is a bundled example, and none of its pages were fetched from the web."],
  });
  // A listed page is missing, and one forbids snippets.
  const failing = (check: string) => audit.checks.find((one: { check: string }) => one.check === check)?.fail;
  expect(["status", "meta_nosnippet"].map(failing)).toEqual([1, 1]);
  await waitForBackgroundWork(w.store);
  const { data: actions } = (await owner.get(`${path}/recommended-actions?analysis_id=${id}`)).body;
  const kinds = new Set(actions.map((one: Record<string, unknown>) => [one["rule"], one["collection_methods"]].join()));
  expect(kinds).toEqual(new Set(["failed_check,simulated"]));
});
