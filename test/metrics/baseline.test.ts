import { expect, test } from "vitest";
import { openChanges, type SeriesCollect } from "../../core/metrics/changes/changes.ts";
import { judgeChanges } from "../../core/metrics/changes/change-row.ts";
import { createKeywordAnswers, packFacts, unpackFacts } from "../../core/metrics/facts/collect-facts.ts";
import { createFamilies } from "../../core/metrics/share-of-voice.ts";
import type { CollectionMethod, Source } from "../../core/sources/sources.ts";

// Baselines of changes in words, over runs with one answer of each source to 40 prompts.

const PROMPTS = Array.from({ length: 40 }, (_, prompt) => prompt);

interface Run {
  /** Model of ChatGPT; that of Claude never changes. */
  model?: string;
  method?: CollectionMethod;
  prompts?: number;
  version?: string;
  /** Prompts whose answers name the brand. */
  named?: number;
}

function toCollect({ model = "a", method = "api", prompts = 40, version = "1.1", named = 20 }: Run, index: number) {
  const factsOf = (way: { method: CollectionMethod; model: string }) =>
    unpackFacts(
      packFacts(
        PROMPTS.slice(0, prompts).map(() => ({ ...createKeywordAnswers(), answers: 1, way })),
        PROMPTS.slice(0, Math.min(named, prompts)).map((keyword) => {
          return { keyword, runIndex: 0, brand: 1, rank: 1, brandRank: 1, mentions: 1 };
        }),
      ),
    );
  const number = index + 1;
  const facts = new Map<Source, ReturnType<typeof factsOf>>([
    ["ASSISTANT_A", factsOf({ method, model })],
    ["ASSISTANT_C", factsOf({ method: "api", model: "claude" })],
  ]);
  return { collect: { id: `c${number}`, number, summedVersion: version }, collectSide: { sources: facts } };
}

async function changeOfLast(
  runs: readonly Run[],
  of: { isScheduled?: boolean; sources?: Source[]; reference?: readonly SeriesCollect[] } = {},
) {
  const series = runs.map(toCollect);
  const changes = openChanges(series, {
    comparedMetric: "presence",
    pause: async () => undefined,
    clusters: null,
    families: createFamilies([1]),
    rivals: [],
    shownBrands: [1],
    isScheduled: of.isScheduled ?? true,
    reference: of.reference ?? null,
  });
  const scope = { sources: of.sources ?? null, keywords: PROMPTS };
  const [change] = judgeChanges([(await changes.at(series.length - 1, [1], scope)).get(1)], () => true);
  return change && [change.verdict, change.baseline];
}

const varied = [20, 24, 18, 23, 19].map((named): Run => ({ named }));

test("fault: a row had two baselines and named none; its change names the runs behind it, and why others are left out", async () => {
  expect(await changeOfLast(varied, { isScheduled: false })).toEqual(["insufficient_data", "run 4"]);
  expect(await changeOfLast(varied)).toEqual(["within_noise", "mean of runs 1, 2, 3 and 4"]);
  expect(await changeOfLast(varied.slice(0, 2))).toEqual(["insufficient_data", "run 1"]);
  const reference = varied.slice(0, 2).map(toCollect);
  expect(await changeOfLast(varied, { reference })).toEqual(["insufficient_data", "mean of runs 1 and 2"]);
  // Run 5 was an early signal, so the baseline is the one of run 5.
  const signal = [...varied, { named: 30 }, { named: 31 }].slice(1);
  expect(await changeOfLast(signal)).toEqual([
    "moved",
    "mean of runs 1, 2, 3 and 4; run 5 left out, because it gave an early signal",
  ]);
});

test("a run that is not comparable is named with its reason, by source", async () => {
  const ofChatGPT = { sources: ["ASSISTANT_A" as const] };
  const then = (run: Run) => [{}, run, ...varied.slice(2)];
  const rest = "mean of runs 3 and 4; run 2 left out, because";
  expect(await changeOfLast(then({ model: "b" }), ofChatGPT)).toEqual([
    "insufficient_data",
    `${rest} the model of ChatGPT had changed`,
  ]);
  expect(await changeOfLast(then({ method: "capture" }), ofChatGPT)).toEqual([
    "insufficient_data",
    `${rest} the collection method of ChatGPT had changed`,
  ]);
  expect(await changeOfLast(then({ version: "1.2" }))).toEqual([
    "insufficient_data",
    `${rest} brands or extraction rules had changed`,
  ]);
  expect(await changeOfLast(then({ prompts: 10 }))).toEqual(["insufficient_data", `${rest} most prompts had changed`]);
  // The run before cannot be compared, so there is no change to judge.
  expect(await changeOfLast([...varied.slice(2), { model: "b" }], ofChatGPT)).toEqual([
    "model_changed",
    "run 3; not comparable, because the model of ChatGPT had changed",
  ]);
  // Four runs suffice: an older one would not count, so nothing is left out.
  expect(await changeOfLast([{ version: "1.2" }, ...varied])).toEqual(["within_noise", "mean of runs 2, 3, 4 and 5"]);
});
