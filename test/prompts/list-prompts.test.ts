import { expect, test } from "vitest";
import { auditScene } from "../audits/audit-scene.ts";
import { KEYWORDS, PERSONA, PROJECT, searchWorld } from "../metrics/search-metrics-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

test("a search analysis lists its keywords as prompts too, filtered by country, persona and kind", async () => {
  // Fault: both lists are called prompts, and one of them was empty.
  await using w = await searchWorld();
  const path = `${w.workspace.path}/analyses/${PROJECT}`;
  const { data: keywords } = (await w.owner.get(`${path}/keywords`)).body;
  const list = async (query: string) => (await w.owner.get(`${path}/prompts?${query}`)).body.data;
  const nothing = {
    brand_id: null,
    brand: null,
    other_brand_id: null,
    other_brand: null,
    look_alike: null,
    attribute: null,
    asks_pros_cons: false,
    tag: null,
    template: null,
  };
  const expected = keywords.map(({ id, text, persona_id }: Record<string, unknown>) => {
    const persona = persona_id === PERSONA ? "Beginner" : null;
    return { id, kind: null, text, country: "US", persona_id, persona, ...nothing };
  });
  expect(expected.map(({ id }: { id: string }) => id)).toEqual(KEYWORDS);
  expect(await list("")).toEqual(expected);
  expect(await list("country=US")).toEqual(expected);
  expect(await list(`persona_id=${PERSONA}`)).toEqual(expected.slice(0, 1));
  expect([await list("country=DE"), await list("kinds=unaided")]).toEqual([[], []]);
});

test("an audit has no prompts, and both tools name the one that lists its pages", async () => {
  // Fault: list_keywords listed the pages of an audit as prompts.
  await using s = await auditScene();
  const { token } = await mintToolToken(s.w, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token });
  const given = { organization: s.organization.id, workspace: s.workspace.id, analysis: s.analysisId };
  for (const tool of ["list_keywords", "list_prompts"]) {
    const answer = await client?.call(tool, given);
    expect([tool, answer?.structured]).toEqual([
      tool,
      {
        data: [],
        next_cursor: null,
        truncated: false,
        notes: [
          "This analysis is a geo_audit, so it has no such rows: get_audit has its results, list_audit_pages its pages. list_analyses finds a brand_analysis or a search_analysis.",
        ],
      },
    ]);
  }
});
