import { expect } from "vitest";
import { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import { MAIN_JOB_ENV, signInBy } from "../main-job/main-job.ts";
import { CLIENTS, type ToolClientOptions } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Person } from "../support/world.ts";
import { coreScene } from "./core-scene.ts";
import { rule } from "./rule.ts";

// Section 1, the agent-tool server.

async function connect(url: string, options: ToolClientOptions = {}) {
  const client = await CLIENTS["SDK 2, auto"]?.(url, options);
  if (!client) throw new Error("there is no such client");
  return client;
}

/**
 * Every endpoint of the interface as the reference lists it, with the name that its tool would
 * have.
 */
async function listed() {
  const w = await coreScene();
  await using client = await connect(w.config.mcpUrl);
  const tools = new Set((await client.list()).map((tool) => tool.name as string));
  const operations = Object.entries(w.reference.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, { operationId }]) => {
      const name = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return { method: method.toUpperCase(), path, name, isTool: tools.has(name) };
    }),
  );
  return { operations, tools };
}

/**
 * Account administration: API keys, platform integrations and accounts, user roles, favourites, SSO
 * and SCIM; and where people are signed in, which is the account itself.
 */
const ADMINISTRATION =
  /\/(api-keys|platform-(integrations|accounts)|members|invitations|favourites|domains|sso|scim-(tokens|groups)|audit-log|me\/(sessions|assistants))\b|^\/scim\//;

/** Writes marked for agents in section 1; each kind is one rule. */
const MARKED: Record<string, RegExp> = {
  "search analyses": /^(price|create)_search_analysis$/,
  "brand analyses": /^(price|create)_brand_analysis$/,
  "GEO audits": /^(price|create)_geo_audit$/,
  personas: /^create_persona$/,
  "asset evaluations": /_asset_evaluation$/,
};

rule("1 · tools: transport", async () => {
  const w = await coreScene();
  await using client = await connect(w.config.mcpUrl);
  expect([client.protocol(), (await client.list()).length > 20]).toEqual(["2026-07-28", true]);
});

rule("1 · tools: sign-in", async () => {
  await using w = await world({ env: { ...MAIN_JOB_ENV, SERVE: "core,search,mcp,web" } });
  const authorization = new MemoryAuthorization("Rule", "http://127.0.0.1:43121/callback");
  {
    await using first = await connect(w.config.mcpUrl, { authorization });
    expect((await first.list()).length).toBeGreaterThan(20);
    // After the rejected first call, the person signs in on the pages.
    await signInBy(first, authorization);
  }
  await using client = await connect(w.config.mcpUrl, { authorization });
  const me = await client.call("get_me");
  expect(me.structured).toMatchObject({ email: MAIN_JOB_ENV.BOOTSTRAP_EMAIL });
});

rule("1 · tools: reads", async () => {
  const { operations } = await listed();
  const reads = operations.filter(({ method, path }) => method === "GET" && !ADMINISTRATION.test(path));
  expect(reads.length).toBeGreaterThan(20);
  expect(reads.filter(({ isTool }) => !isTool).map(({ name }) => name)).toEqual([]);
});

rule("1 · tools: not account administration", async () => {
  const { operations } = await listed();
  const administration = operations.filter(({ path }) => ADMINISTRATION.test(path));
  expect(administration.length).toBeGreaterThan(1);
  expect(administration.filter(({ isTool }) => isTool).map(({ name }) => name)).toEqual([]);
});

rule("1 · tools: search analyses", () => holdsMarked("search analyses", 2));
rule("1 · tools: brand analyses", () => holdsMarked("brand analyses", 2));
rule("1 · tools: GEO audits", () => holdsMarked("GEO audits", 2));
rule("1 · tools: personas", () => holdsMarked("personas", 1));
rule("1 · tools: asset evaluations", () => holdsMarked("asset evaluations", 5));

async function holdsMarked(kind: string, count: number): Promise<void> {
  const { operations } = await listed();
  const marked = operations.filter(({ method, name }) => method !== "GET" && MARKED[kind]?.test(name));
  expect(marked.map(({ isTool }) => isTool)).toEqual(Array.from({ length: count }, () => true));
}

rule("1 · tools: no other write", async () => {
  const { operations, tools } = await listed();
  const writes = operations.filter(({ method }) => method !== "GET");
  const unmarked = writes.filter(({ name }) => !Object.values(MARKED).some((known) => known.test(name)));
  expect(unmarked.length).toBeGreaterThan(5);
  expect(unmarked.filter(({ isTool }) => isTool).map(({ name }) => name)).toEqual([]);
  // await_collect polls get_collect.
  const known = new Set([...operations.map(({ name }) => name), "await_collect"]);
  expect([...tools].filter((name) => !known.has(name))).toEqual([]);
});

/** Result of creating a persona by a person's tool. */
async function creates(person: Person, workspaceId: string): Promise<string> {
  const w = await coreScene();
  const { token } = await mintToolToken(w, person);
  await using client = await connect(w.config.mcpUrl, { token });
  const ids = { organization_id: w.organization.id, workspace_id: workspaceId };
  const name = `By ${person.email} ${crypto.randomUUID()}`;
  const answer = await client.call("create_persona", { ...ids, name, language: "en", country: "US" });
  return answer.isError ? (JSON.parse(answer.text) as { code: string }).code : "created";
}

async function member(role: "owner" | "editor" | "viewer" | "guest", workspaceRole?: "editor" | "viewer") {
  const w = await coreScene();
  const of = { organizationId: w.organization.id, role };
  const at = workspaceRole ? { workspaceId: w.workspace.id, workspaceRole } : {};
  return w.signIn(`${role}-${workspaceRole ?? "none"}@creating.test`, { ...of, ...at });
}

rule("1 · tools: role", async () => {
  const w = await coreScene();
  const person = await member("viewer", "editor");
  expect(await creates(person, w.workspace.id)).toBe("created");
  await w.store.write(async ({ q, t }) => void (await q.update(t.workspaceMembers).set({ role: "viewer" })));
  expect(await creates(person, w.workspace.id)).toBe("FORBIDDEN");
});

rule("1 · creating: organization owner", async () => {
  expect(await creates(await member("owner"), (await coreScene()).workspace.id)).toBe("created");
});

rule("1 · creating: organization editor", async () => {
  expect(await creates(await member("editor"), (await coreScene()).workspace.id)).toBe("created");
});

rule("1 · creating: workspace editor", async () => {
  const w = await coreScene();
  const person = await member("guest", "editor");
  expect(await creates(person, w.workspace.id)).toBe("created");
  expect(await creates(person, w.second.id)).toBe("NOT_FOUND");
});

rule("1 · creating: others", async () => {
  const w = await coreScene();
  expect(await creates(await member("viewer"), w.workspace.id)).toBe("FORBIDDEN");
  expect(await creates(await member("guest", "viewer"), w.workspace.id)).toBe("FORBIDDEN");
  expect(await creates(await member("guest"), w.workspace.id)).toBe("NOT_FOUND");
});

rule("1 · cost and confirmation", async () => {
  const w = await coreScene();
  const { token } = await mintToolToken(w, w.owner);
  const brand = await w.owner.post(`${w.workspace.path}/brands`, { name: "Priced", relationship: "mine" });
  const ids = { organization_id: w.organization.id, workspace_id: w.workspace.id };
  const setup = {
    ...ids,
    name: "Confirmed",
    website: "https://priced.test",
    brand_id: brand.body.id,
    sources: ["ASSISTANT_B"],
    thematics: [{ name: "One", topics: [{ name: "One", keywords: [{ text: "which one" }] }] }],
    runs_per_prompt: 2,
  };
  const analyses = async () => (await w.owner.get(`${w.workspace.path}/analyses`)).body.data.length;
  {
    // A client without forms must state the confirmation.
    await using client = await connect(w.config.mcpUrl, { token });
    const quote = (await client.call("price_search_analysis", setup)).structured;
    expect(quote).toMatchObject({ setup: { name: "Confirmed" }, cost: { total_credits: 2 } });
    const unconfirmed = await client.call("create_search_analysis", { ...ids, quote_id: quote.quote_id });
    expect([unconfirmed.isError, await analyses()]).toEqual([true, 0]);
  }
  const answers = ["decline", "accept"] as const;
  for (const [made, person] of answers.entries()) {
    await using client = await connect(w.config.mcpUrl, { token, person: () => person });
    const quote = (await client.call("price_search_analysis", setup)).structured;
    await client.call("create_search_analysis", { ...ids, quote_id: quote.quote_id });
    expect(client.asked).toEqual([quote.presentation]);
    expect(await analyses()).toBe(made);
  }
});
