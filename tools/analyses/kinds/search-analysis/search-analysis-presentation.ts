import { listBrandsByIds } from "../../../../db/catalog/brands.ts";
import { listPersonasByIds } from "../../../../db/catalog/personas.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { SourceAdapters } from "../../../../core/sources/adapters.ts";
import { describeSchedule } from "../../../../core/analyses/schedule.ts";
import { listJobSources } from "../../setup/setup-faults.ts";
import { formatSources } from "../../setup/sources-shown.ts";
import { eachKeyword, type SearchAnalysisSetup } from "./search-analysis-setup.ts";
import { formatInteger, formatCount } from "../../../../core/shared/format-count.ts";

/** Further keywords are counted by group, so that the form stays readable. */
const MAX_LISTED = 200;
const MAX_EXAMPLES = 20;

type PlacedKeyword = { keyword: SetupKeyword; thematic: string; topic: string };
type SetupKeyword = SearchAnalysisSetup["thematics"][number]["topics"][number]["keywords"][number];
type PersonaNamesById = ReadonlyMap<string, string>;

export async function presentSearchAnalysis(
  tenant: Tenant,
  setup: SearchAnalysisSetup,
  { adapters, fullListAddress }: { adapters: SourceAdapters; fullListAddress: string | null },
): Promise<string[]> {
  const brands = await listBrandsByIds(tenant, [setup.brand_id, ...setup.competitor_ids]);
  const own = brands.find((brand) => brand.id === setup.brand_id)?.name ?? "";
  const rivals = brands.filter((brand) => brand.id !== setup.brand_id).map((brand) => brand.name);
  const keywords = [...eachKeyword(setup)];
  const personaIds = [...new Set(keywords.flatMap(({ keyword }) => keyword.persona_id ?? []))];
  const personas = new Map((await listPersonasByIds(tenant, personaIds)).map(({ id, name }) => [id, name]));
  return [
    `Own brand: ${own}, ${setup.website}`,
    `Compared with: ${rivals.length === 0 ? "no competitors" : rivals.join(", ")}`,
    `Sources: ${setup.sources.length === 0 ? "none, imported answers only" : formatSources(listJobSources(setup), adapters)}`,
    `Country, language, device: ${setup.country}, ${setup.language}, ${setup.device}`,
    `Each prompt is sent: ${formatCount(setup.runs_per_prompt, "time")} per source and run`,
    `Schedule: ${describeSchedule(setup.schedule)}${setup.ends_at === undefined ? "" : ` until ${setup.ends_at}`}`,
    `Prompts: ${formatInteger(keywords.length)}`,
    ...(keywords.length <= MAX_LISTED || fullListAddress === null
      ? listLines(keywords, personas)
      : countLines(keywords, personas, fullListAddress)),
  ];
}

function listLines(keywords: readonly PlacedKeyword[], personas: PersonaNamesById): string[] {
  return [...groupKeywords(keywords)].flatMap(([group, own]) => [
    `  ${group}:`,
    ...own.map(({ keyword }) => `    ${describeKeyword(keyword, personas)}`),
  ]);
}

function countLines(keywords: readonly PlacedKeyword[], personas: PersonaNamesById, fullListAddress: string): string[] {
  const first = keywords.slice(0, MAX_EXAMPLES);
  return [
    ...[...groupKeywords(keywords)].map(([group, own]) => `  ${group}: ${formatCount(own.length, "keyword")}`),
    `The first ${first.length}:`,
    ...listLines(first, personas),
    `All of them: ${fullListAddress}`,
  ];
}

function groupKeywords(keywords: readonly PlacedKeyword[]): Map<string, PlacedKeyword[]> {
  const groups = new Map<string, PlacedKeyword[]>();
  for (const keyword of keywords) {
    const group = `${keyword.thematic} / ${keyword.topic}`;
    const own = groups.get(group);
    if (own) own.push(keyword);
    else groups.set(group, [keyword]);
  }
  return groups;
}

/** `best phone (Generic; BoFu; asked as Anna; about the strength battery)`. */
function describeKeyword(keyword: SetupKeyword, personas: PersonaNamesById): string {
  const { text, type, funnel_stage: stage, persona_id: persona, intent, search_volume: volume } = keyword;
  const facts = [
    type,
    stage,
    persona === undefined ? undefined : `asked as ${personas.get(persona) ?? persona}`,
    labelled("about the strength", keyword.strength),
    labelled("about the weakness", keyword.weakness),
    labelled("product", keyword.related_product),
    labelled("sub-brand", keyword.sub_brand),
    labelled("intent", intent?.join(", ")),
    volume === undefined ? undefined : `${formatInteger(volume)} searches a month`,
    labelled("monthly searches", keyword.trends?.join(", ")),
    labelled("interest", keyword.search_interest_trends?.join(", ")),
    labelled("related", keyword.related_queries?.map(({ query }) => query).join(", ")),
  ];
  return `${text} (${facts.filter((fact) => fact !== undefined).join("; ")})`;
}

function labelled(what: string, value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : `${what} ${value}`;
}
