import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { expect, test } from "vitest";
import { z } from "zod";
import { SKILL_PAGE } from "../../src/http/mcp/features/skills.ts";
import { buildToolTable, EXAMPLE_BASE_URL } from "../../src/http/mcp/tools/tool-table.ts";
import { endpoints } from "../../tools/index.ts";
import { oldClient } from "../support/tool-client.ts";
import { world } from "../support/world.ts";

const URI = "skill://answer-brand-visibility-questions/SKILL.md";

test("clients of both eras list, get, read and verify the skill without signing in", async () => {
  await using w = await world();
  for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(w.config.mcpUrl)));
    const skills = new SkillsClient(client);
    const { skills: listed } = await skills.list();
    expect([skills.supported, listed.map(({ uri, frontmatter }) => [uri, frontmatter.name])]).toEqual([
      true,
      [[URI, "answer-brand-visibility-questions"]],
    ]);
    const { skill } = await skills.get(URI);
    expect(skill).toEqual(listed[0]);
    const file = await skills.read(skill);
    expect([file.verified, file.text]).toEqual([true, SKILL_PAGE.text]);
    await expect(skills.get("skill://other/SKILL.md")).rejects.toThrow("Unknown skill. skills/list names the skills.");
    await client.close();
  }
  await using old = await oldClient(w.config.mcpUrl);
  expect((await old.sdk.readResource({ uri: URI })).contents[0].text).toBe(SKILL_PAGE.text);
});

test("each call that the skill names exists, with its parameters and values", () => {
  const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);
  const calls = [...SKILL_PAGE.text.matchAll(/`([a-z_]+)\(([^)]*)\)`/g)];
  expect(calls.length).toBeGreaterThan(30);
  const wrong = calls.filter(([, name, given = ""]) => {
    const properties = tools.find((tool) => tool.name === name)?.listed.inputSchema.properties;
    const pairs = given.split(", ").filter((pair) => pair !== "" && pair !== "…");
    return (
      !pairs.every((pair) => {
        const [key = "", value = ""] = pair.split(": ");
        const values = ValuesSchema.safeParse(properties?.[key]).data;
        const allowed = values?.enum ?? values?.items?.enum;
        return (
          properties?.[key] !== undefined &&
          (value === "…" || (allowed?.includes(value) ?? values?.description?.includes(value)) === true)
        );
      }) || properties === undefined
    );
  });
  expect(wrong.map(([call]) => call)).toEqual([]);
});

const ValuesSchema = z.object({
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
});
