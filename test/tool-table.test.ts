import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { reads } from "../tools/endpoint.ts";
import { endpoints } from "../tools/index.ts";
import { INSTRUCTIONS } from "../src/http/mcp/tools/instructions.ts";
import { EXAMPLE_ADDRESSES, toolTable } from "../src/http/mcp/tools/tool-table.ts";

const table = toolTable(endpoints, EXAMPLE_ADDRESSES);

test("all tools together cost a model at most 14,000 tokens, and none more than 700", () => {
  const costs = table.tools.map((tool) => ({ name: tool.name, tokens: countTokens(JSON.stringify(tool.listed)) }));
  expect(costs.filter(({ tokens }) => tokens > 700)).toEqual([]);
  const sum = costs.reduce((total, { tokens }) => total + tokens, 0);
  expect(sum).toBeLessThanOrEqual(14_000);
});

test("a longer list tells less of each tool, the same of all, and never less than what a call needs", () => {
  const copies = [1, 2, 3].flatMap((copy) =>
    endpoints.map((one) => ({ ...one, name: `${one.name}${"Copy".repeat(copy)}` })),
  );
  const long = toolTable([...endpoints, ...copies], EXAMPLE_ADDRESSES);
  for (const { listed, endpoint } of long.tools) {
    const taken = Object.keys(endpoint.input.shape).filter((key) => key !== "confirmed");
    expect(Object.keys(listed.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(taken));
    expect(JSON.stringify(listed.outputSchema)).not.toContain('"type":"string"');
    expect(listed.inputSchema).not.toHaveProperty("additionalProperties");
  }
});

test("every tool has what clients show and search: names, texts, four annotations, an icon, two object schemas", () => {
  for (const { listed, endpoint } of table.tools) {
    expect(listed.name).toMatch(/^(get|list|price|create|update|rerun|archive)_[a-z_]{1,58}$/);
    expect(listed.description).toMatch(/^Use this /);
    expect(Object.values(listed.annotations ?? {})).toEqual(Array.from({ length: 4 }, () => expect.any(Boolean)));
    expect(listed.annotations?.readOnlyHint).toBe(reads(endpoint) || endpoint.safe === true);
    expect(listed.annotations?.destructiveHint).toBe(/^(update|archive|delete)_/.test(listed.name));
    expect(listed).toMatchObject({
      title: endpoint.summary,
      icons: [{ src: expect.stringMatching(/^https:/) }],
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
    });
    expect(JSON.stringify(listed)).not.toMatch(/\$ref|\$defs|\$schema|x-outside-text/);
  }
  expect(new Set(table.tools.map((tool) => tool.name)).size).toBe(table.tools.length);
});

test("ids say which tool gives them, and every tool that a text names exists", () => {
  const fields = table.tools.flatMap(({ listed }) =>
    Object.entries(listed.inputSchema.properties ?? {}).map(([key, field]) => ({
      key,
      tool: listed.name,
      text: (field as { description?: string }).description ?? "",
    })),
  );
  const silent = fields.filter(({ key, text }) => key.endsWith("_id") && !/(list|get)_[a-z_]+|pricing tool/.test(text));
  expect(silent).toEqual([]);
  const texts = [
    ...fields.map(({ text }) => text),
    ...table.tools.map(({ listed }) => listed.description ?? ""),
    INSTRUCTIONS,
  ];
  const named = texts.flatMap((text) => text.match(/\b(list|get|price|create)_[a-z_]+\b/g) ?? []);
  expect([...new Set(named)].filter((name) => !table.names.has(name))).toEqual([]);
});

test("the instructions stay under 2 KB", () => {
  expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThan(2048);
});
