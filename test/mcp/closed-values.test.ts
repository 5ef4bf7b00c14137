import { expect, test } from "vitest";
import { SOURCE_NAMES, SOURCES } from "../../core/sources/sources.ts";
import { normaliseArguments } from "../../src/http/mcp/tools/tool-arguments.ts";
import { instructions } from "../../src/http/mcp/tools/instructions.ts";
import { EXAMPLE_BASE_URL } from "../../src/http/mcp/tools/tool-table.ts";
import { listTopBrands } from "../../tools/metrics/list-top-brands.ts";

test("each source is accepted by label and by name in any case, and assistants get both", () => {
  // Fault: an assistant only knew ASSISTANT_A, and asked the person what it is.
  for (const source of SOURCES) {
    const said = [source.toLowerCase(), SOURCE_NAMES[source], SOURCE_NAMES[source].toUpperCase()];
    expect(normaliseArguments(listTopBrands, { sources: said })).toEqual({ sources: [source, source, source] });
    expect(instructions(EXAMPLE_BASE_URL)).toContain(`${source} ${SOURCE_NAMES[source]}`);
  }
  expect(Buffer.byteLength(instructions(EXAMPLE_BASE_URL))).toBeLessThan(2048);
});

test("accepts members of closed lists in any case; other values stay for the call to reject", () => {
  const given = {
    funnel_stages: ["tofu", "nowhere", 5],
    keyword_type: "generic",
    sort_direction: "DESC",
    brands: ["x"],
  };
  expect(normaliseArguments(listTopBrands, given)).toEqual({
    funnel_stages: ["ToFu", "nowhere", 5],
    keyword_type: ["Generic"],
    sort_direction: "desc",
    brands: ["x"],
  });
});
