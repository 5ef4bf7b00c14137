import { afterEach, expect, test } from "vitest";
import {
  areSourceNamesDistinct,
  overrideSourceNames,
  SOURCE_NAMES,
  SOURCES,
  findSourceByName,
  DEFAULT_SOURCE_NAMES,
} from "../../core/sources/sources.ts";
import { runDoctorCommand } from "../../src/cli/doctor-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { listTopBrands } from "../../tools/metrics/list-top-brands.ts";
import { normaliseArguments } from "../../src/http/mcp/tools/tool-arguments.ts";
import { instructions } from "../../src/http/mcp/tools/instructions.ts";
import { collectScene } from "../collecting/scene.ts";

afterEach(() => overrideSourceNames({}));

const OWN = { ASSISTANT_A: "Answer engine A", SEARCH_B_AIO: "Overview B" };

test("shows the operator's source names in lists, filters, metrics and tool texts, and stores answers under their label", async () => {
  await using s = await collectScene({ env: { SOURCE_NAMES: JSON.stringify(OWN) } });
  const analysis = await s.create(["phones"], { sources: ["ASSISTANT_A", "ASSISTANT_B"] });
  await s.ended(analysis);
  const project = analysis.split("/").at(-1) ?? "";
  const of = `client_id=${s.organization.id}&project_id=${project}`;
  const sources = await s.owner.get(`${s.organization.path}/sources`);
  expect(sources.body.data.map(({ name }: { name: string }) => name)).toEqual(
    SOURCES.map((source) => ({ ...DEFAULT_SOURCE_NAMES, ...OWN })[source]),
  );
  const filters = await s.owner.get(`/api/v1/projects/${project}/filters?client_id=${s.organization.id}`);
  const named = [
    { source: "ASSISTANT_A", name: "Answer engine A" },
    { source: "ASSISTANT_B", name: "Perplexity" },
  ];
  expect(filters.body.source_names).toEqual(named);
  const brands = await s.owner.get(`/api/v1/top-brands?${of}`);
  expect(brands.body.basis.sources).toMatchObject(named);
  const rows = await s.owner.get(`${analysis}/metrics/visibility?group_by=source`);
  expect(new Set(rows.body.data.map(({ source }: { source: string }) => source))).toEqual(
    new Set(["Answer engine A", "Perplexity"]),
  );
  const { body } = await s.owner.get(`${analysis}/answers?sources=ASSISTANT_A`);
  // A stored answer keeps the source's label and not its name.
  expect(body.data.map(({ source, provider }: Record<string, string>) => [source, provider])).toEqual([
    ["ASSISTANT_A", "simulated"],
  ]);
  // Clients cut instructions above 2 KB, so names are shortened, and nothing else.
  expect(instructions("http://localhost")).toMatch(/ASSISTANT_A Answer engine A, ASSISTANT_B Perplexity, [^\n]+$/);
});

test("tools take a source by the operator's name, its usual name and its label, the operator's first", () => {
  overrideSourceNames({ ASSISTANT_C: "Gemini", ASSISTANT_D: "Claude" });
  const said = ["gemini", "CLAUDE", "assistant_c", "ChatGPT", "Bing", "no source"];
  expect(normaliseArguments(listTopBrands, { sources: said })).toEqual({
    sources: ["ASSISTANT_C", "ASSISTANT_D", "ASSISTANT_C", "ASSISTANT_A", "SEARCH_A", "no source"],
  });
  overrideSourceNames(OWN);
  expect([
    findSourceByName("answer ENGINE a"),
    findSourceByName("chatgpt"),
    findSourceByName("gemini"),
    findSourceByName("x"),
  ]).toEqual(["ASSISTANT_A", "ASSISTANT_A", "ASSISTANT_D", undefined]);
  overrideSourceNames({});
  expect(SOURCE_NAMES).toEqual(DEFAULT_SOURCE_NAMES);
});

test("refuses to start with a source name that another source has as its name or label", () => {
  const wrong = [{ ASSISTANT_A: "perplexity" }, { ASSISTANT_A: "ASSISTANT_B" }, { ASSISTANT_A: "" }, { OTHER: "x" }];
  for (const names of wrong) {
    expect(() => readConfig({ SOURCE_NAMES: JSON.stringify(names) })).toThrow("  SOURCE_NAMES");
  }
  expect([
    areSourceNamesDistinct({ ASSISTANT_A: "ASSISTANT_A" }),
    areSourceNamesDistinct(OWN),
    areSourceNamesDistinct({ ASSISTANT_C: "Gemini" }),
  ]).toEqual([true, true, false]);
  expect(readConfig({ SOURCE_NAMES: JSON.stringify(OWN) }).SOURCE_NAMES).toEqual(OWN);
});

test("the doctor calls sources as the operator does", async () => {
  const environment = readConfig({ SOURCE_NAMES: JSON.stringify(OWN) });
  const { text } = await runDoctorCommand({ environment, declared: [], store: undefined }, []);
  expect(text).toMatch(/^Answer engine A \(ASSISTANT_A\) {2,}simulated\./m);
});
