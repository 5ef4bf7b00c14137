import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runQuotaCommand } from "../../src/cli/quota-command.ts";
import { formatQuotaMessage, QUOTAS, quotaLimits } from "../../core/credits/quotas.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

async function scene(quotas: Record<string, number>) {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  await w.store.write(async ({ q, t }) => {
    await q.update(t.organizations).set({ quotas }).where(eq(t.organizations.id, organization.id));
  });
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const setup = {
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.body.id,
    sources: ["SEARCH_A"],
    thematics: [{ name: "Phones", topics: [{ name: "Price", keywords: [{ text: "best phone" }] }] }],
    runs_per_prompt: 1,
  };
  return {
    w,
    owner,
    organization,
    workspace,
    price: () => owner.post(`${workspace.path}/search-analyses/price`, setup),
    create: (quote_id: string) => owner.post(`${workspace.path}/search-analyses`, { quote_id, confirmed: true }),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const FULL = { status: 409, body: { code: "QUOTA_EXCEEDED" } };

test("an organization's own limit overrides its plan's, and each quota has a limit", () => {
  const standard = quotaLimits({ plan: "standard", quotas: {} });
  expect(Object.keys(standard)).toEqual([...QUOTAS]);
  expect(quotaLimits({ plan: "never heard of", quotas: {} })).toEqual(standard);
  expect(quotaLimits({ plan: "demo", quotas: {} }).workspaces).toBeLessThan(standard.workspaces);
  expect(quotaLimits({ plan: "standard", quotas: { brands: 0, unknown: 7 } })).toEqual({ ...standard, brands: 0 });
});

test("a rejection states the requested amount if above one", () => {
  expect(formatQuotaMessage("asset_bytes", { limit: 20, usedAmount: 15, addedAmount: 6 })).toBe(
    "This organization can have 20 bytes of assets, has 15 bytes, and this adds 6 bytes. Archive unused ones, or ask your administrator for more.",
  );
});

test("fifty concurrent creations stop exactly at the limit, and the rejection names quota and remedy", async () => {
  await using s = await scene({ personas: 7, brands: 3 });
  const personas = await Promise.all(
    Array.from({ length: 50 }, (_, index) => s.owner.post(`${s.workspace.path}/personas`, { name: `P ${index}` })),
  );
  expect(personas.filter(({ status }) => status === 201)).toHaveLength(7);
  const refused = personas.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [409, "QUOTA_EXCEEDED"]));
  expect(refused[0]?.body.message).toBe(
    "This organization can have 7 personas and has 7. Delete unused ones, or ask your administrator for more.",
  );
  expect((await s.owner.get(`${s.workspace.path}/personas?limit=100`)).body.data).toHaveLength(7);
  const brands = await Promise.all(
    Array.from({ length: 10 }, (_, index) => s.owner.post(`${s.workspace.path}/brands`, { name: `B ${index}` })),
  );
  expect(brands.filter(({ status }) => status === 201)).toHaveLength(2);
});

test("a quota counts over every workspace of the organization, and no other organization's rows", async () => {
  await using s = await scene({ brands: 3 });
  const other = await s.w.insertTenant("Other");
  const stranger = await s.w.signIn("owner@other.test", { organizationId: other.organization.id, role: "owner" });
  for (const name of ["A", "B", "C", "D"]) {
    expect((await stranger.post(`${other.workspace.path}/brands`, { name })).status).toBe(201);
  }
  const at = s.w.deps.now();
  const second = s.w.deps.newId();
  await s.w.store.write(async ({ q, t }) => {
    const row = { id: second, organizationId: s.organization.id, name: "Second", createdAt: at, updatedAt: at };
    await q.insert(t.workspaces).values(row);
  });
  const path = `${s.organization.path}/workspaces/${second}/brands`;
  expect((await s.owner.post(path, { name: "A" })).status).toBe(201);
  expect((await s.owner.post(`${s.workspace.path}/brands`, { name: "B" })).status).toBe(201);
  expect(await s.owner.post(path, { name: "C" })).toMatchObject(FULL);
});

test("a full quota of analyses rejects the price, and the creation if it filled up after the price", async () => {
  await using s = await scene({ analyses: 1 });
  const [first, second] = [await s.price(), await s.price()];
  expect((await s.create(first.body.quote_id)).status).toBe(201);
  expect(await s.create(second.body.quote_id)).toMatchObject(FULL);
  expect(await s.price()).toMatchObject(FULL);
  expect((await s.owner.get(`${s.organization.path}/credits`)).body).toMatchObject({ reserved: 1 });
  await s.w.store.write(async ({ q, t }) => {
    await q.update(t.analyses).set({ status: "archived" });
  });
  expect((await s.price()).status).toBe(200);
});

test("an analysis needs room for the answers of its first collect", async () => {
  await using s = await scene({ answers: 0 });
  expect(await s.price()).toMatchObject(FULL);
});

test("keys of the organization and its workspaces count, personal and revoked ones do not", async () => {
  await using s = await scene({ api_keys: 1 });
  const key = { name: "Key", kind: "organization", organization_id: s.organization.id };
  expect((await s.owner.post("/v1/api-keys", { name: "Mine" })).status).toBe(201);
  const made = await s.owner.post("/v1/api-keys", key);
  expect(made.status).toBe(201);
  expect(await s.owner.post("/v1/api-keys", key)).toMatchObject(FULL);
  const workspaceKey = { ...key, kind: "workspace", workspace_id: s.workspace.id };
  expect(await s.owner.post("/v1/api-keys", workspaceKey)).toMatchObject(FULL);
  expect((await s.owner.delete(`/v1/api-keys/${made.body.id}`)).status).toBe(200);
  expect((await s.owner.post("/v1/api-keys", workspaceKey)).status).toBe(201);
});

test("an operator sees all organizations' limits and use, and changes one's at runtime", async () => {
  await using s = await scene({ personas: 7 });
  const other = await s.w.insertTenant("Other");
  const run = (...args: string[]) => runQuotaCommand(s.w.store, args);
  const all = await run();
  expect(all.ok).toBe(true);
  expect(all.text).toMatch(/Acme .*\n(?:.*\n)*? {2}personas +0 of 7 {2}\(set for this organization\)\n(?:.*\n)*Other /);
  expect(all.text).toMatch(/ {2}brands +1 of 5000\n/);
  const set = await run(s.organization.id.toUpperCase(), "personas=0", "brands=2");
  expect(set).toMatchObject({
    ok: true,
    text: expect.stringMatching(/brands +1 of 2 {2}\(set for this organization\)/),
  });
  const quotas = async () => (await s.owner.get(s.organization.path)).body.quotas;
  expect(await quotas()).toMatchObject({ personas: 0, brands: 2 });
  expect(await s.owner.post(`${s.workspace.path}/personas`, { name: "P" })).toMatchObject(FULL);
  await run(s.organization.id, "personas=plan");
  expect(await quotas()).toMatchObject({ personas: 1000, brands: 2 });
  for (const wrong of ["people=3", "brands", "brands=-1", "brands=many", "brands=1=2"]) {
    expect(await run(s.organization.id, "tags=1", wrong)).toMatchObject({
      ok: false,
      text: expect.stringContaining("npx brand-visibility quotas"),
    });
  }
  expect(await run(s.workspace.id, "brands=1")).toMatchObject({ ok: false });
  expect(await quotas()).toMatchObject({ tags: 5000, brands: 2 });
  expect(await run("--help")).toMatchObject({ ok: true, text: expect.stringContaining("asset_bytes") });
  expect((await run(other.organization.id)).text).not.toContain("its own");
});

test("an organization shows limits and use, by REST and by tool", async () => {
  await using s = await scene({ personas: 7 });
  await s.owner.post(`${s.workspace.path}/personas`, { name: "P" });
  const { body } = await s.owner.get(s.organization.path);
  expect(body.quotas).toEqual(quotaLimits({ plan: "test", quotas: { personas: 7 } }));
  expect(body.used).toEqual({
    workspaces: 1,
    members: 1,
    brands: 1,
    personas: 1,
    analyses: 0,
    answers: 0,
    answer_bytes: 0,
    tags: 0,
    assets: 0,
    asset_bytes: 0,
    content_briefs: 0,
    api_keys: 0,
  });
  expect((await s.owner.patch(s.organization.path, {})).body).toEqual(body);
  const { token } = await mintToolToken(s.w, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token });
  const answer = await client?.call("get_organization", { organization_id: s.organization.id });
  expect(answer?.structured).toMatchObject(body);
});
