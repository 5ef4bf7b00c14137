import { listBrandsByIds } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import type { SourceAdapters } from "../../core/adapters.ts";
import type { Presentation } from "../endpoint.ts";
import type { CollectsCost } from "../quotes/quote.ts";
import type { SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** Longer lists of keywords are counted rather than listed: a form that nobody can read is no confirmation. */
const KEYWORDS_SHOWN = 200;

/** The whole setup, the cost, and the balance after it, as a person reads it before saying yes. */
export async function presentSearchAnalysis(
  tenant: Tenant,
  setup: SearchAnalysisSetup,
  price: { cost: CollectsCost; available: number; adapters: SourceAdapters },
): Promise<Omit<Presentation, "approvalPath">> {
  const { cost, available, adapters } = price;
  const brands = await listBrandsByIds(tenant, [setup.brand_id, ...setup.competitor_ids]);
  const own = brands.find((brand) => brand.id === setup.brand_id)?.name ?? "";
  const rivals = brands.filter((brand) => brand.id !== setup.brand_id).map((brand) => brand.name);
  const sources = setup.sources.map((source) => {
    const { configured, collection_method: method } = adapters[source];
    return `${source} (${configured ? method : "not configured: its questions will fail and cost nothing"})`;
  });
  const lines = [
    `Create the search analysis "${setup.name}"?`,
    "",
    `Own brand: ${own}, ${setup.website}`,
    `Compared with: ${rivals.length === 0 ? "no competitors" : rivals.join(", ")}`,
    `Sources: ${sources.length === 0 ? "none, imported answers only" : sources.join(", ")}`,
    `Country, language, device: ${setup.country}, ${setup.language}, ${setup.device}`,
    `Each keyword is asked: ${counted(setup.runs_per_prompt, "time")} per source and collect`,
    `Schedule: ${setup.schedule}${setup.ends_at === undefined ? "" : ` until ${setup.ends_at}`}`,
    ...keywordLines(setup),
    "",
    `CollectsCost: ${counted(cost.total_credits, "credit")} (${cost.per_collect} x ${counted(cost.collects_planned, "collect")}).`,
    `Available: ${counted(available, "credit")}; after this: ${available - cost.total_credits}.`,
  ];
  return { message: lines.join("\n"), credits: cost.total_credits };
}

function keywordLines(setup: SearchAnalysisSetup): string[] {
  const topics = setup.thematics.flatMap((thematic) =>
    thematic.topics.map((topic) => ({ ...topic, label: `${thematic.name} / ${topic.name}` })),
  );
  const count = topics.reduce((sum, topic) => sum + topic.keywords.length, 0);
  const listed = count <= KEYWORDS_SHOWN;
  return [
    `Keywords: ${count}`,
    ...topics.map(({ label, keywords }) => {
      const shown = listed ? keywords.map((keyword) => keyword.text).join("; ") : counted(keywords.length, "keyword");
      return `  ${label}: ${shown}`;
    }),
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
