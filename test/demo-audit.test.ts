import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { AUDIT } from "../src/demo/demo-content.ts";
import { EMAIL, MAIN_JOB_ENV } from "./main-job.ts";
import { world, type Person } from "./world.ts";

/** Rows of a list, once they are as they are waited for. */
async function rowsAt(owner: Person, path: string, isThere: (rows: Record<string, unknown>[]) => boolean) {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const { data } = (await owner.get(path)).body;
    if (isThere(data)) return data;
    await sleep(50);
  }
  throw new Error(`${path} was not ready in 20 s.`);
}

test("the demo has an audit of the bundled site: the worker runs it once without a network, it says that it is simulated, and what to fix follows", async () => {
  await using w = await world({ env: MAIN_JOB_ENV });
  const owner = await w.signIn(EMAIL);
  const { data: workspaces } = (await owner.get("/v1/workspaces")).body;
  const demo = workspaces.find(({ name }: { name: string }) => name === "Espresso machines");
  const path = `/v1/organizations/${demo.organization_id}/workspaces/${demo.id}`;
  const { data: analyses } = (await owner.get(`${path}/analyses?type=geo_audit`)).body;
  expect(analyses).toMatchObject([{ name: AUDIT.name, collects_planned: 1, collects_left: 0 }]);
  const [{ id }] = analyses;
  const [collect] = await rowsAt(owner, `${path}/analyses/${id}/collects`, ([one]) => one?.["status"] === "completed");
  expect(collect).toMatchObject({ number: 1, planned: 12, succeeded: 12, failed: 0, cost: { spent_credits: 12 } });
  const { body: audit } = await owner.get(`${path}/analyses/${id}/audit`);
  expect(audit).toMatchObject({
    run: { number: 1, is_simulated: true },
    pages: { audited: 12, skipped: 0 },
    previous: null,
    remarks: ["Simulated: the site is a bundled example, and nothing of it was fetched from the web."],
  });
  // A page that the sitemap lists is not there, and one forbids snippets.
  const failing = (check: string) => audit.checks.find((one: { check: string }) => one.check === check)?.fail;
  expect(["status", "meta_nosnippet"].map(failing)).toEqual([1, 1]);
  const actions = await rowsAt(owner, `${path}/recommended-actions?analysis_id=${id}`, (rows) => rows.length > 0);
  const kinds = new Set(actions.map((one: Record<string, unknown>) => [one["rule"], one["collection_methods"]].join()));
  expect(kinds).toEqual(new Set(["failed_check,simulated"]));
}, 60_000);
