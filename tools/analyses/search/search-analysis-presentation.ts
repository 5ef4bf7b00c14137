import { listBrandsByIds } from "../../../db/catalog/brands.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { SourceAdapters } from "../../../core/adapters.ts";
import { counted } from "../../quotes/presentation.ts";
import { countKeywords, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** Longer lists of keywords are counted rather than listed: a form too long to read is no confirmation. */
const KEYWORDS_SHOWN = 200;

/** The whole setup, as a person reads it before saying yes. */
export async function presentSearchAnalysis(
  tenant: Tenant,
  setup: SearchAnalysisSetup,
  adapters: SourceAdapters,
): Promise<string[]> {
  const brands = await listBrandsByIds(tenant, [setup.brand_id, ...setup.competitor_ids]);
  const own = brands.find((brand) => brand.id === setup.brand_id)?.name ?? "";
  const rivals = brands.filter((brand) => brand.id !== setup.brand_id).map((brand) => brand.name);
  const sources = setup.sources.map((source) => {
    const { configured, collection_method: method } = adapters[source];
    return `${source} (${configured ? method : "not configured: its questions will fail and cost nothing"})`;
  });
  return [
    `Own brand: ${own}, ${setup.website}`,
    `Compared with: ${rivals.length === 0 ? "no competitors" : rivals.join(", ")}`,
    `Sources: ${sources.length === 0 ? "none, imported answers only" : sources.join(", ")}`,
    `Country, language, device: ${setup.country}, ${setup.language}, ${setup.device}`,
    `Each keyword is asked: ${counted(setup.runs_per_prompt, "time")} per source and collect`,
    `Schedule: ${setup.schedule}${setup.ends_at === undefined ? "" : ` until ${setup.ends_at}`}`,
    ...keywordLines(setup),
  ];
}

function keywordLines(setup: SearchAnalysisSetup): string[] {
  const topics = setup.thematics.flatMap((thematic) =>
    thematic.topics.map((topic) => ({ ...topic, label: `${thematic.name} / ${topic.name}` })),
  );
  const count = countKeywords(setup);
  const listed = count <= KEYWORDS_SHOWN;
  return [
    `Keywords: ${count}`,
    ...topics.map(({ label, keywords }) => {
      const shown = listed ? keywords.map((keyword) => keyword.text).join("; ") : counted(keywords.length, "keyword");
      return `  ${label}: ${shown}`;
    }),
  ];
}
