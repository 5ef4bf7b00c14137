import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import { endpoints } from "../../tools/index.ts";

test("docs/coming-from-other-tools.md names tools that exist, with parameters and values that they take", () => {
  const page = readFileSync(new URL("../../docs/coming-from-other-tools.md", import.meta.url), "utf8");
  const tools = new Map(
    buildToolTable(endpoints, EXAMPLE_BASE_URL).tools.map(({ name, endpoint }) => [name, endpoint]),
  );
  const named = page.match(/\b(?:list|get)_[a-z_]+/g) ?? [];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !tools.has(name))).toEqual([]);
  const wrong = page.split("\n").flatMap((line) => {
    const shapes = (line.match(/\b(?:list|get)_[a-z_]+/g) ?? []).map((name) => tools.get(name)?.input.shape ?? {});
    return [...line.matchAll(/`([a-z_]+)=(\w+)`/g)].filter(([, parameter = "", value]) => {
      const fields = shapes.flatMap((shape) =>
        Object.entries(shape).flatMap(([key, field]) => (toToolParameterName(key) === parameter ? [field] : [])),
      );
      const takes = (field: { safeParse(given: unknown): { success: boolean } }) =>
        field.safeParse(value).success || field.safeParse([value]).success;
      return shapes.length > 0 && !fields.some((field) => takes(field as Parameters<typeof takes>[0]));
    });
  });
  expect(wrong.map(([text]) => text)).toEqual([]);
});
