import { afterAll, beforeAll, expect, test } from "vitest";
import { SCENE_TIMEOUT_MS } from "../whole/scene.ts";
import { createCases, openMatrix, report, runCases, type Matrix } from "./run-matrix.ts";
import { EXPECTED } from "./expected.ts";

// All endpoints and tools with all callers. Expectations are handwritten in expected.ts and the
// access table. Callers with the right send one unknown field, so that the admitted call is
// rejected as invalid and changes nothing. Callers without it send a valid request, so that only
// the right is missing.

let asked: Matrix;

beforeAll(async () => {
  asked = await openMatrix();
}, SCENE_TIMEOUT_MS);
afterAll(() => asked.scene[Symbol.asyncDispose]());

// Attack: ask for anything as anybody: without a token, with somebody else's, with too weak a role
// or too narrow a key.
test("each endpoint responds to each caller as the table says", { timeout: SCENE_TIMEOUT_MS }, async () => {
  const cases = createCases(asked, "REST", EXPECTED.calls);
  expect(await runCases(asked.scene, cases)).toEqual([]);
  report(cases, EXPECTED.calls);
});

// Attack: the same through an assistant.
test("each tool responds to each caller as the table says", { timeout: SCENE_TIMEOUT_MS }, async () => {
  const cases = createCases(asked, "tool", EXPECTED.tools);
  expect(await runCases(asked.scene, cases)).toEqual([]);
  report(cases, EXPECTED.tools);
});

// Attack: changing what was archived.
test(
  "an archived workspace keeps read access, and nobody may change it",
  async () => {
    const { organization_id: organizationId, workspace_id: workspaceId } = asked.scene.home;
    const path = `/v1/organizations/${organizationId}/workspaces/${workspaceId}/archive`;
    expect((await asked.scene.owner.post(path)).status).toBe(200);
    const cases = createCases(asked, "REST", EXPECTED.archived);
    expect(await runCases(asked.scene, cases)).toEqual([]);
    report(cases, EXPECTED.archived);
  },
  SCENE_TIMEOUT_MS,
);
