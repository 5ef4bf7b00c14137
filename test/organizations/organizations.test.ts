import { expect, test } from "vitest";
import { QUOTAS } from "../../core/credits/quotas.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const NOT_FOUND = { status: 404, body: { code: "NOT_FOUND" } };
const FORBIDDEN = { status: 403, body: { code: "FORBIDDEN" } };

const FIELDS = {
  name: "Acme",
  plan: "test",
  modules: ["search"],
  quotas: Object.fromEntries(QUOTAS.map((quota) => [quota, expect.any(Number)])),
  monthly_credit_cap: null,
  approval_above_credits: null,
  owners_need_second_factor: false,
  role: "owner",
  created_at: expect.stringMatching(/Z$/),
};
const USED = { used: Object.fromEntries(QUOTAS.map((quota) => [quota, expect.any(Number)])) };

test("an organization has its name, plan, modules, quotas and the role in it, by REST and by tool alike", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const listed = await owner.get("/v1/organizations");
  expect(listed.body).toEqual({ data: [{ id: organization.id, ...FIELDS }], next_cursor: null });
  const read = await owner.get(organization.path);
  expect(read.body).toEqual({ id: organization.id, ...FIELDS, ...USED });
  const { token } = await mintToolToken(w, owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const tool = await client?.call("get_organization", { organization_id: organization.id });
  expect(tool?.structured).toMatchObject(read.body);
  const list = await client?.call("list_organizations");
  expect(list?.structured.data).toMatchObject([{ id: organization.id, name: "Acme", quotas: read.body.quotas }]);
});

test("an owner changes name and spending limits one by one; nothing else can be set", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const before = (await owner.get(organization.path)).body;
  const change = { name: "Acme Iberia", monthly_credit_cap: 500, approval_above_credits: 0 };
  for (const [field, value] of Object.entries(change)) {
    const earlier = (await owner.get(organization.path)).body;
    const answer = await owner.patch(organization.path, { [field]: value });
    expect([answer.status, answer.body]).toEqual([200, { ...earlier, [field]: value }]);
  }
  expect((await owner.get(organization.path)).body).toEqual({ ...before, ...change });
  const cleared = await owner.patch(organization.path, { monthly_credit_cap: null, approval_above_credits: null });
  expect(cleared.body).toEqual({ ...before, name: "Acme Iberia" });
  const wrong = {
    name: "",
    monthly_credit_cap: -1,
    approval_above_credits: 1.5,
    plan: "free",
    modules: [],
    quotas: { brands: 1_000_000 },
    role: "owner",
  };
  for (const [path, value] of Object.entries(wrong)) {
    expect(await owner.patch(organization.path, { [path]: value })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED", fields: [{ path }] },
    });
  }
  expect((await owner.get(organization.path)).body).toEqual(cleared.body);
});

test("members see their own role, only owners change it, and others get 404", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  for (const role of ["editor", "viewer"] as const) {
    const member = await w.signIn(`${role}@acme.test`, { organizationId: organization.id, role });
    expect((await member.get(organization.path)).body).toEqual({ id: organization.id, ...FIELDS, ...USED, role });
    expect(await member.patch(organization.path, { name: "x" })).toMatchObject(FORBIDDEN);
  }
  const ids = { organizationId: organization.id, workspaceId: workspace.id };
  const guest = await w.signIn("guest@acme.test", { ...ids, workspaceRole: "editor" });
  expect((await guest.get("/v1/organizations")).body.data).toMatchObject([{ id: organization.id, role: "guest" }]);
  expect(await guest.get(organization.path)).toMatchObject(FORBIDDEN);
  const stranger = await w.signIn("stranger@rival.test");
  expect((await stranger.get("/v1/organizations")).body.data).toEqual([]);
  for (const path of [organization.path, `/v1/organizations/${NOBODY}`, "/v1/organizations/x"]) {
    expect(await stranger.get(path)).toMatchObject(NOT_FOUND);
    expect(await stranger.patch(path, { name: "x" })).toMatchObject(NOT_FOUND);
  }
});

test("a key of one organization lists only that, however many precede it, without empty pages", async () => {
  await using w = await world();
  const owner = await w.signIn("owner@acme.test");
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    const { organization } = await w.insertTenant(`O ${n}`);
    ids.push(organization.id);
    await w.signIn("owner@acme.test", { organizationId: organization.id, role: "owner" });
  }
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await owner.get(`/v1/organizations?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map((row: { id: string }) => row.id));
    cursor = body.next_cursor ?? "";
  } while (cursor !== "");
  expect(seen).toEqual(ids);
  const last = { kind: "organization", organization_id: ids[4], role: "viewer" };
  const key = await owner.post("/v1/api-keys", { name: "Key", ...last });
  const { body } = await w.request("POST", "/v1/auth/token", { body: { api_key: key.body.api_key } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const bound = await w.request("GET", "/v1/organizations?limit=2", { headers });
  expect(bound.body).toMatchObject({ data: [{ id: ids[4], role: "viewer" }], next_cursor: null });
  expect((await w.request("GET", "/v1/auth/me", { headers })).body.organizations).toMatchObject([{ id: ids[4] }]);
  expect(await w.request("GET", `/v1/organizations/${ids[0]}`, { headers })).toMatchObject(NOT_FOUND);
  const change = { headers, body: { name: "x" } };
  expect(await w.request("PATCH", `/v1/organizations/${ids[4]}`, change)).toMatchObject(FORBIDDEN);
});
