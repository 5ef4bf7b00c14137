import { expect, test } from "vitest";
import { auditScene } from "./audit-scene.ts";
import { MACHINE_FINDINGS, SECOND_RUN_AT, SITE } from "./scene-pages.ts";
import { findingOutput } from "./finding-output.ts";

const shown = (ids: readonly string[]) =>
  ids.flatMap((id) => MACHINE_FINDINGS.filter(({ check }) => check === id)).map(findingOutput);

const MACHINE = {
  url: `${SITE}/machines/one`,
  title: "Shop",
  type: "category",
  type_confidence: 0.4,
  type_corrected: null,
  outcome: "fail",
  skipped_reason: null,
  score: 40,
  scores: [
    { area: "crawlability", score: 60, checks: 2 },
    { area: "semantic", score: 20, checks: 4 },
    { area: "content", score: null, checks: 0 },
  ],
  answer: {
    status: 200,
    final_url: `${SITE}/machines/one/`,
    redirects: [{ url: `${SITE}/machines/one`, status: 301, to: `${SITE}/machines/one/` }],
    response_ms: 121,
    bytes: 4096,
  },
  counts: { pass: 1, warn: 1, fail: 2, skipped: 1 },
  changes: [{ check: "one_h1", was: "pass", is: "fail" }],
  fetched_at: SECOND_RUN_AT,
};

test("a page lists each check with findings and fix, worst first", async () => {
  await using s = await auditScene();
  const { body } = await s.owner.get(`${s.path}/pages/${s.pages.machine}`);
  expect(body).toEqual({
    ...MACHINE,
    id: s.pages.machine,
    checks: shown(["one_h1", "retired_check", "title_length", "table_headers", "title_present"]),
    run: {
      collect_id: s.runs.second,
      number: 2,
      status: "partial",
      started_at: SECOND_RUN_AT,
      finished_at: SECOND_RUN_AT,
      checks_version: 1,
      is_simulated: false,
    },
  });
});

test("filters checks by outcome, with complete counts", async () => {
  await using s = await auditScene();
  const { body } = await s.owner.get(`${s.path}/pages/${s.pages.machine}?outcomes=warn&outcomes=skipped`);
  expect([body.checks, body.counts]).toEqual([shown(["title_length", "table_headers"]), MACHINE.counts]);
});

test("a page that was not fetched has a reason, and neither response nor scores", async () => {
  await using s = await auditScene();
  const { body } = await s.owner.get(`${s.path}/pages/${s.pages.silent}?collect_id=${s.runs.first}`);
  expect(body).toMatchObject({
    outcome: "skipped",
    skipped_reason: "The host did not answer within the time limit.",
    answer: null,
    scores: ["crawlability", "semantic", "content"].map((area) => ({ area, score: null, checks: 0 })),
    checks: [],
    run: { number: 1 },
  });
});

test("returns 404 for a page outside the run, or of another audit", async () => {
  // Attack: reading a page of another organization's audit through an own audit.
  await using s = await auditScene({ isUnderWay: true });
  const { machine, home } = s.pages;
  const rival = await auditScene();
  await using _ = rival;
  const asked = [
    `${s.path}/pages/${s.w.deps.newId()}`,
    `${s.path}/pages/${machine}?collect_id=${s.runs.third}`,
    `${s.path}/pages/${machine}?collect_id=${s.w.deps.newId()}`,
    `${s.path}/pages/${rival.pages.machine}`,
  ];
  for (const path of asked) {
    const { status, body } = await s.owner.get(path);
    expect([path, status, body.code]).toEqual([path, 404, "NOT_FOUND"]);
  }
  const other = await s.w.insertTenant("Rival");
  const mallory = await s.w.signIn("mallory@rival.test", { organizationId: other.organization.id, role: "owner" });
  const through = `${other.workspace.path}/analyses/${s.analysisId}/pages/${home}`;
  for (const path of [`${s.path}/pages/${home}`, through]) expect((await mallory.get(path)).status).toBe(404);
});
