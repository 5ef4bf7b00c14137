import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { MCP_FEATURES } from "../../src/http/mcp/features/features.ts";
import { ESSENTIALS } from "../../src/http/mcp/tools/essentials.ts";
import { createToolSearch } from "../../src/http/mcp/tools/tool-search.ts";
import { buildToolTable, EXAMPLE_BASE_URL } from "../../src/http/mcp/tools/tool-table.ts";
import { endpoints } from "../../tools/index.ts";
import { CLIENTS, oldClient } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";
import { ESSENTIALS_BUDGET, RESULT_BUDGET } from "./budget.ts";

const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);
const LISTED = [...ESSENTIALS, "find_tools"];
const HIDDEN = new Set(tools.map(({ name }) => name).filter((name) => !ESSENTIALS.includes(name)));

const search = createToolSearch([...tools, ...MCP_FEATURES.tools].map(({ listed }) => listed));
const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

test("each tool is the first of its name, and each unlisted one among the first five of its title", () => {
  const firsts = tools.map(({ name }) => search(name)[0]?.name);
  expect(firsts).toEqual(namesOf(tools));
  const missed = tools.filter(({ name, listed }) => {
    const found = namesOf(search(listed.title ?? "")).filter((one) => HIDDEN.has(one));
    return HIDDEN.has(name) && !found.slice(0, 5).includes(name);
  });
  expect(namesOf(missed)).toEqual([]);
});

test("everyday words find the tool that answers among the first five unlisted ones", () => {
  const questions = {
    "do assistants say wrong things about us, claims against our facts": "list_claims",
    "which queries did the models search for": "list_queries",
    "sentiment, pros and cons": "get_brand_perception",
    "is the brand known without being named": "get_brand_awareness",
    "how accurate is brand recognition": "get_calibration",
    "files that were exported": "list_exports",
    "what does a website audit cost": "price_geo_audit",
    "which checks does an audit make, such as robots.txt": "list_audit_checks",
    "set up a customer profile": "create_persona",
    "wait until the run is finished": "await_collect",
    "which rival do models prefer, and on which aspect": "get_comparisons",
    "who am I and what is my role": "get_me",
  };
  const missed = Object.entries(questions).filter(([question, name]) => {
    const found = namesOf(search(question)).filter((one) => !ESSENTIALS.includes(one));
    return !found.slice(0, 5).includes(name);
  });
  expect(missed).toEqual([]);
  expect(search("of the and ¿? 🙂")).toEqual([]);
});

test("with the essentials, every client finds unlisted tools before signing in, and calls them by name after", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  const address = `${w.config.mcpUrl}?toolsets=essentials`;
  await using everything = await oldClient(w.config.mcpUrl);
  const all = new Map((await everything.list()).map((tool) => [tool.name, tool]));
  expect(all.has("find_tools")).toBe(false);
  for (const [name, connect] of Object.entries(CLIENTS)) {
    await using client = await connect(address);
    const listed = await client.list();
    expect([name, namesOf(listed)]).toEqual([name, LISTED]);
    const found = await client.call("find_tools", { query: "get_organization", limit: "1" });
    const { title, description, inputSchema, annotations } = all.get("get_organization") ?? {};
    const definition = { name: "get_organization", title, description, inputSchema, annotations };
    const note = "A client that calls listed tools only needs ?toolsets=essentials,organizations in its address.";
    expect(found).toEqual({
      text: `find_tools: 1 tool\nNote: ${note}\n${JSON.stringify(definition)}`,
      isError: false,
      links: [],
      structured: { notes: [note], tools: [definition], listed: [] },
    });
    await expect(client.call("get_organization", {})).rejects.toThrow(/Unauthorized|Sign in first|auth/i);
    await using signedIn = await connect(address, { token });
    expect((await signedIn.call("get_organization", {})).structured.id).toBe(organization.id);
  }
});

test("the essentials with find_tools cost at most 6,500 tokens", () => {
  const essentials = [...tools, ...MCP_FEATURES.tools].filter(({ listed }) => LISTED.includes(listed.name));
  expect(essentials.length).toBe(LISTED.length);
  expect(countTokens(JSON.stringify(essentials.map(({ listed }) => listed)))).toBeLessThanOrEqual(ESSENTIALS_BUDGET);
});

test("names listed tools that fit better instead of unlisted ones alone, and nothing for unknown words", async () => {
  await using w = await world();
  await using client = await oldClient(`${w.config.mcpUrl}?toolsets=essentials`);
  const { structured } = await client.call("find_tools", { query: "visibility over time, by source", limit: 2 });
  expect([structured.listed[0], structured.tools.length]).toEqual(["get_visibility", 2]);
  const nothing = await client.call("find_tools", { query: "xylophone" });
  expect(nothing).toEqual({
    text: "find_tools: 0 tools",
    isError: false,
    links: [],
    structured: { notes: [], tools: [], listed: [] },
  });
  const most = await client.call("find_tools", { query: "analysis list metrics brand organization", limit: 10 });
  expect(most.structured.tools.length).toBe(10);
  expect(countTokens(most.text)).toBeLessThanOrEqual(RESULT_BUDGET);
});

test("invalid arguments of find_tools are an error that names the valid ones", async () => {
  await using w = await world();
  await using client = await oldClient(`${w.config.mcpUrl}?toolsets=essentials`);
  const error = {
    code: "VALIDATION_FAILED",
    message: "query takes 1 to 200 characters, and limit 1 to 10. There are no other parameters.",
    retryable: false,
    hint: "Correct the arguments and call again.",
  };
  for (const given of [
    {},
    { query: " " },
    { query: "x".repeat(201) },
    { query: "a", limit: 11 },
    { query: "a", page: 1 },
  ]) {
    const answer = await client.call("find_tools", given);
    expect([given, answer.isError, JSON.parse(answer.text)]).toEqual([given, true, error]);
  }
});

test("readonly hides tools that change something from find_tools and from calls", async () => {
  // Attack: an assistant with ?toolsets=essentials&readonly=1 finds a creation and calls it.
  await using w = await world();
  const { token } = await mintToolToken(w, (await w.acme()).owner);
  await using client = await oldClient(`${w.config.mcpUrl}?toolsets=essentials&readonly=1`, { token });
  const found = await client.call("find_tools", { query: "create_persona" });
  expect(namesOf(found.structured.tools)).not.toContain("create_persona");
  await expect(client.call("create_persona", {})).rejects.toThrow("Unknown tool");
});
