import { listBrandsByIds } from "../../../../db/catalog/brands.ts";
import { listPersonasByIds } from "../../../../db/catalog/personas.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { SourceAdapters } from "../../../../core/sources/adapters.ts";
import { PROMPT_KINDS, type BrandPrompt, type PromptKind } from "../../../../core/prompts/brand-prompt.ts";
import { foldName } from "../../../../core/shared/names.ts";
import { describeSchedule } from "../../../../core/analyses/schedule.ts";
import { listJobSources } from "../../setup/setup-faults.ts";
import { formatSources } from "../../setup/sources-shown.ts";
import type { BrandAnalysisSetup } from "./brand-analysis-setup.ts";
import { countQuestions } from "./brand-questions.ts";
import { formatCount } from "../../../../core/shared/format-count.ts";

/** Further prompts are counted by kind, so that the form stays readable. */
const MAX_LISTED = 100;

type PersonaNamesById = ReadonlyMap<string, string>;

const KIND_LABELS: Record<PromptKind, string> = {
  unaided: "Unaided, naming no brand",
  aided: "Aided, asking whether a brand is known",
  perception: "Perception",
  attribute: "Attributes",
  comparison: "Comparisons with the own brand",
};

export async function presentBrandAnalysis(
  tenant: Tenant,
  setup: BrandAnalysisSetup,
  { adapters, fullListAddress }: { adapters: SourceAdapters; fullListAddress: string | null },
): Promise<string[]> {
  const { prompts, countries, language, attributes, runs_per_prompt: runs } = setup;
  const sources = listJobSources(setup);
  const brands = await listBrandsByIds(tenant, [setup.brand_id, ...setup.competitor_ids]);
  const personas = await listPersonasByIds(tenant, setup.persona_ids);
  const names: PersonaNamesById = new Map([...brands, ...personas].map(({ id, name }) => [id, name]));
  const getName = (id: string) => names.get(id) ?? "";
  const questions = countQuestions(setup) * sources.length * runs;
  return [
    `Own brand: ${getName(setup.brand_id)}`,
    `Category: ${setup.category}`,
    `Compared with: ${setup.competitor_ids.map(getName).join(", ")}`,
    `Attributes: ${attributes.length === 0 ? "none" : attributes.join(", ")}`,
    `Countries, language: ${countries.join(", ")}; ${language}`,
    `Asked as: ${setup.persona_ids.length === 0 ? "no persona" : setup.persona_ids.map(getName).join(", ")}`,
    `Sources: ${formatSources(sources, adapters)}`,
    `Each prompt is sent: ${formatCount(runs, "time")} per country, persona, source and run`,
    `Schedule: ${describeSchedule(setup.schedule)}${setup.ends_at === undefined ? "" : ` until ${setup.ends_at}`}`,
    `Prompts: ${prompts.length}; each run collects ${formatCount(questions, "answer")}`,
    ...PROMPT_KINDS.flatMap((kind) => {
      const own = prompts.filter((prompt) => prompt.kind === kind);
      if (own.length === 0) return [];
      if (prompts.length > MAX_LISTED && fullListAddress !== null)
        return [`  ${KIND_LABELS[kind]}: ${formatCount(own.length, "prompt")}`];
      return [`  ${KIND_LABELS[kind]}:`, ...own.map((prompt) => `    ${describePrompt(prompt, names)}`)];
    }),
    ...(prompts.length > MAX_LISTED && fullListAddress !== null ? [`All of them: ${fullListAddress}`] : []),
  ];
}

function describePrompt(prompt: BrandPrompt, names: PersonaNamesById): string {
  const { text } = prompt;
  const isSaid = (value: string | null) => value !== null && foldName(text).includes(foldName(value));
  const getName = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
  const brand = getName(prompt.brand_id);
  // A text with several brand names leaves the subject open, except in a comparison.
  const isClear = isSaid(brand) && (prompt.kind === "comparison" || [...names.values()].filter(isSaid).length === 1);
  const facts = [
    prompt.look_alike === null ? undefined : `${prompt.look_alike} is an invented name for comparison`,
    isClear ? undefined : labelled("brand", brand),
    isSaid(prompt.attribute) ? undefined : labelled("attribute", prompt.attribute),
    prompt.asks_pros_cons ? "asks for pros and cons" : undefined,
    labelled("only in", prompt.country),
    labelled("only as", getName(prompt.persona_id)),
    labelled("tag", prompt.tag),
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? text : `${text} (${facts.join("; ")})`;
}

function labelled(what: string, value: string | null): string | undefined {
  return value === null ? undefined : `${what} ${value}`;
}
