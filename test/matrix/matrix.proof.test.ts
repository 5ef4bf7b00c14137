import { afterAll, beforeAll, expect, test } from "vitest";
import { SCENE_TIMEOUT_MS } from "../whole/scene.ts";
import { casesOf, openMatrix, report, run, type Asked } from "./ask.ts";
import { EXPECTED } from "./expected.ts";

// Every endpoint and every tool, asked by everybody. What is expected stands in expected.ts and the access table, by hand.
//
// Callers with the right send one unknown field: the call is admitted and rejected as invalid, so nothing changes. Callers
// without the right send a valid request, so only the right can be missing.

let asked: Asked;

beforeAll(async () => {
  asked = await openMatrix();
}, SCENE_TIMEOUT_MS);
afterAll(() => asked.scene[Symbol.asyncDispose]());

// Attack: ask for anything as anybody: without a token, with somebody else's, with too weak a role or too narrow a key.
test("every endpoint answers every caller as the table says", { timeout: SCENE_TIMEOUT_MS }, async () => {
  const cases = casesOf(asked, "REST", EXPECTED.calls);
  expect(await run(asked.scene, cases)).toEqual([]);
  report(cases, EXPECTED.calls);
});

// Attack: the same through an assistant.
test("every tool answers every caller as the table says", { timeout: SCENE_TIMEOUT_MS }, async () => {
  const cases = casesOf(asked, "tool", EXPECTED.tools);
  expect(await run(asked.scene, cases)).toEqual([]);
  report(cases, EXPECTED.tools);
});

// Attack: change what was put away for good.
test(
  "in an archived workspace everybody may read what they could, and nobody may change it",
  async () => {
    const { organization_id: organizationId, workspace_id: workspaceId } = asked.scene.home;
    const path = `/v1/organizations/${organizationId}/workspaces/${workspaceId}/archive`;
    expect((await asked.scene.owner.post(path)).status).toBe(200);
    const cases = casesOf(asked, "REST", EXPECTED.archived);
    expect(await run(asked.scene, cases)).toEqual([]);
    report(cases, EXPECTED.archived);
  },
  SCENE_TIMEOUT_MS,
);
