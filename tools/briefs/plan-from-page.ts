import { isCompetitorAudit, listBrandAudits, listRivalPages, readPageUses } from "../../db/actions/audit-facts.ts";
import { findNewestPage, listQuestionsCitingPage, listTopicQuestions } from "../../db/briefs/page-material.ts";
import { MAX_CONTENT_KEYWORDS } from "../../db/briefs/content-material.ts";
import { findBrand } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { registrableDomain } from "../../core/identity/domains.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { toComparableUrl } from "../../core/reading/citations.ts";
import { planContent } from "../../core/briefs/plan-content.ts";
import { fitsTopic, planPageSections } from "../../core/briefs/plan-page.ts";
import { listNewestCollects } from "../metric-reads/selection/latest-collects.ts";
import { planFromAnswers } from "./plan-from-answers.ts";

export async function planFromPage(
  tenant: Tenant,
  { pageId, personaId }: { pageId: string; personaId: string | undefined },
) {
  const page = requireFound(await findNewestPage(tenant, pageId), "page");
  const { analysis: audit, collectId, title, url } = page;
  const collects = await listNewestCollects(tenant);
  const fitting = await findMatchingPrompts(tenant, page, collects);
  const analysis = fitting && (await findAnalysis(tenant, fitting.analysisId));
  const plan =
    fitting && analysis
      ? await planFromAnswers(tenant, { analysis, action: undefined, ids: fitting.ids, topic: undefined, personaId })
      : {
          ...NO_ANSWERS,
          ...planContent({ ...EMPTY_PLAN, own: await findOwnerName(tenant, audit), subject: title ?? url }),
        };
  const cited = await listCitedPages(
    tenant,
    collects.map(({ id }) => id),
  );
  const pageType = page.correctedType ?? page.pageType;
  const sections = planPageSections({
    url,
    pageType,
    outcomes: page.outcomes,
    cited,
    hasPrompts: fitting !== undefined,
  });
  const methods = page.isSimulated ? (["simulated"] as const) : [];
  return {
    analysis: audit,
    plan: {
      ...plan,
      outline: [...plan.outline, ...sections],
      collectId,
      collectionMethods: [...new Set([...plan.collectionMethods, ...methods])],
    },
  };
}

const EMPTY_PLAN = { prompts: [], persona: null, sources: [], entities: [], answerNoun: "AI answers" } as const;
const NO_ANSWERS = { collectionMethods: [], targetPrompts: [], citedSources: [], entities: [], evidence: [] };

async function findOwnerName(
  tenant: Tenant,
  { brandId, name }: { brandId: string | null; name: string },
): Promise<string> {
  return (brandId === null ? undefined : (await findBrand(tenant, brandId))?.name) ?? name;
}

/** Questions whose answers cite the page; else those of a topic in its title or address. */
async function findMatchingPrompts(
  tenant: Tenant,
  page: { url: string; title: string | null },
  collects: readonly { id: string; analysisId: string }[],
): Promise<{ analysisId: string; ids: string[] } | undefined> {
  const citing: { analysisId: string; ids: string[] }[] = [];
  for (const { id, analysisId } of collects) {
    citing.push({ analysisId, ids: await listQuestionsCitingPage(tenant, id, page.url) });
  }
  const questions = await listTopicQuestions(
    tenant,
    collects.map(({ analysisId }) => analysisId),
  );
  const named = collects.map(({ analysisId }) => {
    const own = questions.filter((question) => question.analysisId === analysisId && fitsTopic(question.topic, page));
    return { analysisId, ids: own.map(({ id }) => id) };
  });
  const most = (all: typeof citing) =>
    all.toSorted((a, b) => b.ids.length - a.ids.length).find(({ ids }) => ids.length > 0);
  const topic = most(citing) ?? most(named);
  return topic && { ...topic, ids: topic.ids.slice(0, MAX_CONTENT_KEYWORDS) };
}

async function listCitedPages(tenant: Tenant, collectIds: readonly string[]) {
  const audits = await listBrandAudits(tenant);
  if (!audits.some(isCompetitorAudit)) return null;
  const pages = await listRivalPages(tenant, audits);
  const domains = [...new Set(pages.map(({ url }) => registrableDomain(url)))];
  const uses = await readPageUses(tenant, { collectIds, domains });
  return pages.filter(({ url }) => (uses.get(toComparableUrl(url))?.citedIn ?? 0) > 0);
}
