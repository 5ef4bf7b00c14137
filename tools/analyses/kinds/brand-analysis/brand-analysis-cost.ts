import { setImmediate as nextTurn } from "node:timers/promises";
import type { CollectRow } from "../../../../db/analyses/analyses.ts";
import { listAnsweredRuns } from "../../../../db/analyses/answered-runs.ts";
import { findSetup } from "../../../../db/analyses/setups.ts";
import type { ReadRunner } from "../../../../db/engine/store.ts";
import { selectSummedSources } from "../../../../core/sources/sources.ts";
import type { MeasuredSpread } from "../../../../core/statistics/measured-spread.ts";
import type { Cost } from "../../../quotes/quote.ts";
import type { AskedQuestions, Prices } from "../analysis-kind.ts";
import { computeUnitsCost } from "../../../collects/collect-cost.ts";
import { computeSetupPower, type Power } from "../../setup/power.ts";
import { listJobSources } from "../../setup/setup-faults.ts";
import { ShownSettingsSchema, type BrandAnalysisSetup } from "./brand-analysis-setup.ts";
import { expandQuestions } from "./brand-questions.ts";

/** One credit price per ten prompts, country, persona, source and run (service.md section 4). */
export function computeGroupsCost({ settings, prompts }: AskedQuestions, { prices, adapters }: Prices): Cost {
  const { runs_per_prompt: runs, ...where } = ShownSettingsSchema.parse(settings);
  const { questions, groups } = expandQuestions({ ...where, prompts: prompts ?? [] });
  const units = { quantity: groups.length * runs, unitCredits: prices.brand_analysis_prompts };
  const unitLabel = "started tens of prompts, per country and persona, x repeats, each run";
  return computeUnitsCost(
    { sources: listJobSources(where), unitLabel, ...units, questions: questions.length * runs },
    adapters,
  );
}

/** One prompt in several countries or personas counts as one prompt with more runs. */
export function computePower(setup: BrandAnalysisSetup, measured?: MeasuredSpread): Power {
  const unaided = expandQuestions(setup).questions.filter(({ prompt }) => prompt.kind === "unaided");
  const promptCount = new Set(unaided.map(({ prompt }) => prompt.text)).size;
  const runs = promptCount === 0 ? 1 : (setup.runs_per_prompt * unaided.length) / promptCount;
  return computeSetupPower({ promptCount, runs, sourceCount: selectSummedSources(setup.sources).length }, measured);
}

const QUESTIONS_PER_QUERY = 100;

/** Credits of each group of ten, per source and run, with at least half of its prompts answered. */
export async function countGroupCredits(read: ReadRunner, collect: CollectRow): Promise<number> {
  const { analysisId, setupVersion, unitCredits } = collect;
  const setup = await read((db) => findSetup({ ...collect, db }, { id: analysisId, setupVersion }));
  const settings = ShownSettingsSchema.parse(setup.setup);
  const { questions, groups } = expandQuestions({ ...settings, prompts: setup.prompts ?? [] });
  const groupAt = new Map(questions.map(({ groupIndex }, place) => [setup.positions?.[place] ?? place, groupIndex]));
  const positions = [...groupAt.keys()];
  const answered = new Map<string, { groupIndex: number; answers: number }>();
  for (let first = 0; first < positions.length; first += QUESTIONS_PER_QUERY) {
    if (first > 0) await nextTurn();
    const part = positions.slice(first, first + QUESTIONS_PER_QUERY);
    for (const { position, source, collectionMethod, run } of await read((db) => listAnsweredRuns(db, collect, part))) {
      const group = groupAt.get(position) ?? 0;
      // Without chosen methods, answers of different providers count for the same group.
      const method = settings.methods ? collectionMethod : "";
      const key = `${group} ${source} ${method} ${run}`;
      answered.set(key, { groupIndex: group, answers: (answered.get(key)?.answers ?? 0) + 1 });
    }
  }
  const paid = [...answered.values()].filter(({ groupIndex, answers }) => 2 * answers >= (groups[groupIndex] ?? 0));
  return paid.length * unitCredits;
}
