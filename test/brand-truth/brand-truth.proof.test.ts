import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Source } from "../../core/sources/sources.ts";
import type { SimulatedPerception } from "../sources/simulated-perception.ts";
import { chooseExtent } from "../support/proof.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { expectedAttributes } from "./attributes.ts";
import { expectedAwareness } from "./awareness.ts";
import { expectedClaims } from "./claims.ts";
import { expectedComparisons } from "./comparisons.ts";
import { expectedPerception } from "./perception.ts";
import { brandTruthScene, type BrandTruth, type Setting, type TrueAnswer } from "./scene.ts";
import { DIMENSIONS, groupings, buildQuery, type Request } from "./selection.ts";

// Checks each field of each brand metric against the simulated world's truth, without the product's
// sums.

/** One source lists results, and one shows nothing for some prompts. */
const SOURCES: Source[] = ["ASSISTANT_A", "SEARCH_A_AIO", "SEARCH_A"];
const SMALL: Setting[] = [{ sources: SOURCES, collects: 2 }];
const WHOLE: Setting[] = [
  ...SMALL,
  { seed: "other", sources: ["ASSISTANT_B", "ASSISTANT_D", "MARKETPLACE_ASSISTANT"], collects: 2 },
  { seed: "third", sources: ["SEARCH_B", "SEARCH_B_AIO", "ASSISTANT_C"], collects: 2 },
  { seed: "fourth", sources: ["ASSISTANT_A"], collects: 2 },
];

/** Checked metrics; some have rows by brand only on request. */
const METRICS = [
  { metric: "brand-awareness", tool: "get_brand_awareness", isByBrand: true, expected: expectedAwareness },
  { metric: "brand-perception", tool: "get_brand_perception", isByBrand: true, expected: expectedPerception },
  { metric: "attributes", tool: "get_attributes", isByBrand: true, expected: expectedAttributes },
  { metric: "comparisons", tool: "get_comparisons", isByBrand: false, expected: expectedComparisons },
  { metric: "claims", tool: "list_claims", isByBrand: false, expected: expectedClaims },
];

/** Each dimension, all pairs, and named sources. */
function requestsFor({ sources }: BrandTruth, isByBrand: boolean): Request[] {
  const brand = isByBrand ? (["brand"] as const) : [];
  const [first = "ASSISTANT_A"] = sources;
  const last = sources.at(-1) ?? first;
  return [
    ...groupings([...brand, ...DIMENSIONS]).map((groupBy) => ({ groupBy })),
    { groupBy: brand, sources: [last] },
    { groupBy: [...brand, "source"], sources: [last, first] },
    { groupBy: brand, countries: ["DE"] },
    { groupBy: [...brand, "persona"], countries: ["US"] },
  ];
}

for (const setting of chooseExtent(WHOLE, SMALL)) {
  describe(`${setting.seed ?? "the world's own seed"}, ${setting.sources.join(", ")}`, () => {
    let s: BrandTruth;
    beforeAll(async () => {
      s = await brandTruthScene(setting);
    }, 120_000);
    afterAll(() => s.w[Symbol.asyncDispose]());

    test("stored extractions equal the truth of each answer", () => {
      for (const answer of s.answers) expect(readOf(answer, s)).toEqual(trueOf(answer));
    });

    test.each(METRICS)("every field of every row of $metric is the truth", async ({ metric, isByBrand, expected }) => {
      for (const request of requestsFor(s, isByBrand)) {
        const query = buildQuery(request);
        const { body } = await s.reader.get(`${s.path}/metrics/${metric}?${query}`);
        expect([query, body.data]).toEqual([query, expected(s, request)]);
      }
    });

    test.each(METRICS)("an assistant gets the same figures by $tool", async ({ tool, isByBrand, expected }) => {
      const request: Request = { groupBy: isByBrand ? ["brand", "collect"] : ["collect"] };
      const rows = expected(s, request);
      const { token } = await mintToolToken(s.w, s.reader);
      await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token });
      const { text, structured } =
        (await client?.call(tool, {
          organization_id: s.organization.id,
          workspace_id: s.workspace.id,
          analysis: "Espresso machines",
          group_by: request.groupBy,
          fields: Object.keys(rows[0] ?? {}),
          limit: 100,
        })) ?? {};
      if (!structured) throw new Error(text);
      expect(structured.data).toEqual(rows);
    });

    test("every field of every row of comparisons by aspect is the truth", async () => {
      for (const groupBy of [[], ["source"], ["collect"]] as const) {
        const { body } = await s.reader.get(`${s.path}/metrics/comparisons?group_by=aspect&${buildQuery({ groupBy })}`);
        expect([groupBy, body.data]).toEqual([groupBy, expectedComparisons(s, { groupBy }, true)]);
      }
    });

    // Attack: reading a rival's metrics under its own address, or under the attacker's.
    test("returns 404 to members of another workspace", async () => {
      const rival = await s.w.insertTenant("Rival");
      const mallory = await s.w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
      const own = s.path.replace(s.workspace.path, rival.workspace.path);
      for (const { metric } of METRICS) {
        for (const path of [s.path, own]) {
          const answer = await mallory.get(`${path}/metrics/${metric}`);
          expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
        }
      }
    });
  });
}

const NOTHING: SimulatedPerception = { awareness: null, stances: [], points: [], comparisons: [], attributes: [] };

function trueOf({ question, source, collect, run, shown, truth }: TrueAnswer) {
  return { asked: [question.text, source, collect, run], shown, perception: ordered(truth.perception ?? NOTHING) };
}

/** Extraction of an answer in the notation of the truth. */
function readOf({ question, source, collect, run, stored }: TrueAnswer, { brands }: BrandTruth) {
  const idOf = (number: number) => brands.find((brand) => brand.number === number)?.id ?? "";
  const { awareness, perception, isShown } = stored;
  const named = <One extends { brand: number; start: number; end: number }>(all: readonly One[] = []) =>
    all.map(({ brand, start: _start, end: _end, ...rest }) => ({ brandId: idOf(brand), ...rest }));
  const comparisons = (perception?.comparisons ?? []).map(({ better, worse, aspect, isDraw }) => {
    return { better: idOf(better), worse: idOf(worse), aspect, ...(isDraw && { isDraw }) };
  });
  const read = {
    awareness: awareness?.verdict ?? null,
    stances: named(perception?.stances),
    points: named(perception?.points),
    comparisons,
    attributes: named(perception?.attributes),
  };
  return { asked: [question.text, source, collect, run], shown: isShown, perception: ordered(read) };
}

function ordered({ points, comparisons, attributes, ...rest }: SimulatedPerception): SimulatedPerception {
  return { ...rest, points: sorted(points), comparisons: sorted(comparisons), attributes: sorted(attributes) };
}

function sorted<One>(all: readonly One[]): One[] {
  return all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
