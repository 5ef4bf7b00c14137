import { afterAll, beforeAll, expect, test } from "vitest";
import { SCENE_TIMEOUT_MS } from "../whole/scene.ts";
import { createCases, openMatrix, runCases, type Matrix } from "./run-matrix.ts";
import { EXPECTED, type Expected } from "./expected.ts";

// Every endpoint and tool by the callers that differ most; matrix.proof.test.ts calls them by all.
const CALLERS: ReadonlySet<string> = new Set([
  "no token",
  "owner who allowed reading alone",
  "viewer",
  "editor",
  "owner",
  "owner of another organization",
  "workspace editor",
  "workspace viewer",
  "workspace key, editor",
  "owner, limited to the workspace",
  "owner, limited to the other workspace",
]);

let asked: Matrix;

beforeAll(async () => {
  asked = await openMatrix();
}, SCENE_TIMEOUT_MS);
afterAll(() => asked.scene[Symbol.asyncDispose]());

const of = (expected: Expected): Expected => new Map([...expected].filter(([caller]) => CALLERS.has(caller)));

// Attack: call anything without a token, with too narrow a scope, too weak a role or another
// organization's token.
test("each endpoint admits or rejects each caller, and returns only declared fields", async () => {
  expect(await runCases(asked.scene, createCases(asked, "REST", of(EXPECTED.calls)))).toEqual([]);
});

test("each tool admits or rejects each caller, and returns only declared fields", async () => {
  expect(await runCases(asked.scene, createCases(asked, "tool", of(EXPECTED.tools)))).toEqual([]);
});
