import type { CompetitorType, Source } from "../sources/sources.ts";
import type { ComparedBrands } from "./collect-view.ts";
import { evidenceRow, selectStrongest, type ActionFinding, type RuleInput } from "./finding.ts";

/** A page cited by an answer. `brandId` is the owning root brand. */
export interface CitedPage {
  domain: string;
  url: string;
  siteType: CompetitorType;
  brandId: string | null;
}

export interface CitingAnswer {
  id: string;
  source: Source;
  keyword: number;
  pages: readonly CitedPage[];
  brandIds: readonly string[];
}

export interface SiteCount {
  answers: number;
  ownCited: number;
  /** Answers that name or cite a competitor. */
  rivalAnswers: number;
  rivals: Map<string, number>;
  countByUrl: Map<string, number>;
  /** Counts by keyword position. */
  keywords: Map<number, { answers: number; ownCited: number }>;
  answerIds: string[];
}

export interface CitedSite {
  domain: string;
  siteType: CompetitorType;
  brandId: string | null;
  sources: Map<Source, SiteCount>;
}

export type CitedSites = Map<string, CitedSite>;

const MAX_ANSWER_IDS = 20;

/** Counts an answer once for each site it cites. */
export function countCitations(sites: CitedSites, answer: CitingAnswer, { ownId, rivalIds }: ComparedBrands): void {
  const ownCited = answer.pages.some(({ brandId }) => brandId === ownId);
  const rivals = new Set(
    [...answer.brandIds, ...answer.pages.flatMap(({ brandId }) => brandId ?? [])].filter((id) => rivalIds.has(id)),
  );
  const domains = new Set<string>();
  for (const page of answer.pages) {
    const count = findOrAddCount(sites, page, answer.source);
    count.countByUrl.set(page.url, (count.countByUrl.get(page.url) ?? 0) + 1);
    if (domains.has(page.domain)) continue;
    domains.add(page.domain);
    count.answers += 1;
    count.ownCited += ownCited ? 1 : 0;
    count.rivalAnswers += rivals.size > 0 ? 1 : 0;
    for (const rival of rivals) count.rivals.set(rival, (count.rivals.get(rival) ?? 0) + 1);
    const asked = count.keywords.get(answer.keyword) ?? { answers: 0, ownCited: 0 };
    count.keywords.set(answer.keyword, {
      answers: asked.answers + 1,
      ownCited: asked.ownCited + (ownCited ? 1 : 0),
    });
    if (count.answerIds.length < MAX_ANSWER_IDS) count.answerIds.push(answer.id);
  }
}

function findOrAddCount(sites: CitedSites, { domain, siteType, brandId }: CitedPage, source: Source): SiteCount {
  let site = sites.get(domain);
  if (!site) sites.set(domain, (site = { domain, siteType, brandId, sources: new Map() }));
  let count = site.sources.get(source);
  if (!count) {
    const empty = { answers: 0, ownCited: 0, rivalAnswers: 0, answerIds: [] };
    count = { ...empty, rivals: new Map(), countByUrl: new Map(), keywords: new Map() };
    site.sources.set(source, count);
  }
  return count;
}

const MIN_CITING_ANSWERS = 5;
const MIN_RIVAL_SHARE = 0.5;

/**
 * Third-party sites cited by at least five answers, never together with the own brand, if at least
 * half of these answers name or cite a competitor. One finding per site. Sites of brands are
 * excluded.
 */
export function findCitedSites(input: RuleInput, sites: CitedSites): ActionFinding[] {
  return [...sites.values()].flatMap((site) => {
    const counts = [...site.sources.values()];
    const answers = sumColumn(counts, "answers");
    const rivalAnswers = sumColumn(counts, "rivalAnswers");
    if (site.brandId !== null || site.siteType === "BRANDED_WEBSITE") return [];
    if (answers < MIN_CITING_ANSWERS || sumColumn(counts, "ownCited") > 0 || rivalAnswers < MIN_RIVAL_SHARE * answers)
      return [];
    const rival = findTop(counts.flatMap(({ rivals }) => [...rivals]));
    return [
      {
        rule: "cited_source" as const,
        subject: `domain:${site.domain}`,
        channel: "third_party_sites" as const,
        subjectName: site.domain,
        evidence: selectStrongest(toEvidenceRows(input, site), (row) => row.answers),
        keywords: [...new Set(counts.flatMap(({ keywords }) => [...keywords.keys()]))],
        gap: rivalAnswers / answers,
        reach: null,
        answers,
        pValue: null,
        rival: rival === null ? null : (input.brandNames.get(rival[0]) ?? null),
        siteType: site.siteType,
      },
    ];
  });
}

function toEvidenceRows({ collect, brandNames }: RuleInput, site: CitedSite) {
  return [...site.sources].map(([source, count]) => {
    const rival = findTop([...count.rivals]);
    return evidenceRow({
      rule: "cited_source",
      collect_id: collect.id,
      source,
      domain: site.domain,
      url: findTop([...count.countByUrl])?.[0] ?? null,
      answers: count.answers,
      occurrences: count.ownCited,
      brand_id: rival?.[0] ?? null,
      brand: rival === null ? null : (brandNames.get(rival[0]) ?? null),
      brand_occurrences: rival?.[1] ?? null,
      answer_ids: count.answerIds,
    });
  });
}

function sumColumn(counts: readonly SiteCount[], column: "answers" | "ownCited" | "rivalAnswers"): number {
  return counts.reduce((sum, count) => sum + count[column], 0);
}

/** Name with the highest sum; the first of equals. */
export function findTop(counts: readonly (readonly [string, number])[]): [string, number] | null {
  const sums = new Map<string, number>();
  for (const [name, times] of counts) sums.set(name, (sums.get(name) ?? 0) + times);
  let top: [string, number] | null = null;
  for (const [name, times] of sums) if (top === null || times > top[1]) top = [name, times];
  return top;
}
