import type { Evidence } from "../action.ts";
import {
  countCells,
  meanRank,
  findMostMentioned,
  type BrandCount,
  type CellCount,
  type SourceView,
} from "../collect-view.ts";
import {
  groupByTopic,
  getChannel,
  evidenceRow,
  MIN_ANSWERS,
  listPositions,
  SOURCE_CHANNELS,
  selectStrongest,
  toTopicColumns,
  buildTopicSubject,
  type ActionChannel,
  type ActionFinding,
  type RuleInput,
  type RuleKeyword,
  type Steps,
} from "../finding.ts";

/** Min share of answers in which a competitor counts as ranking. */
const MIN_RIVAL_SHARE = 0.5;

/** Questions without the own brand but with a competitor; one finding per topic and channel. */
export function* findCompetitorPresent(input: RuleInput): Steps<ActionFinding[]> {
  const found: ActionFinding[] = [];
  for (const keywords of groupByTopic(input.keywords).values()) {
    found.push(...SOURCE_CHANNELS.flatMap((channel) => findGaps(input, keywords, channel)));
    yield;
  }
  return found;
}

function findGaps(input: RuleInput, keywords: readonly RuleKeyword[], channel: ActionChannel): ActionFinding[] {
  const sources = input.collect.sources.filter(({ source }) => getChannel(source) === channel);
  const cells = sources.flatMap((source) =>
    keywords.flatMap((keyword) => {
      const count = countCells([source], listPositions(keyword), input.compared);
      const { answers, ownBrand, rival } = count;
      if (answers === 0 || ownBrand.occurrences > 0 || rival === null) return [];
      return rival.occurrences < MIN_RIVAL_SHARE * answers ? [] : [{ keyword, source, count, rival }];
    }),
  );
  const answers = cells.reduce((sum, { count }) => sum + count.answers, 0);
  const [first] = keywords;
  if (!first || answers < MIN_ANSWERS) return [];
  const rivalTimes = cells.reduce((sum, { rival }) => sum + rival.occurrences, 0);
  const leader = findMostMentioned(sumByBrand(cells.map(({ rival }) => rival)));
  const rows = cells.map(({ keyword, source, count }) =>
    toEvidenceRow(input, "competitor_present", keyword, count, source),
  );
  return [
    {
      rule: "competitor_present",
      subject: `${buildTopicSubject(first)}:${channel}`,
      channel,
      subjectName: first.topic,
      evidence: selectStrongest(rows, (row) => (row.search_volume ?? 0) + (row.brand_occurrences ?? 0)),
      keywords: [...new Set(cells.map(({ keyword }) => keyword.position))],
      gap: rivalTimes / answers,
      reach: null,
      answers,
      pValue: null,
      rival: leader === null ? null : (input.brandNames.get(leader.brandId) ?? null),
      siteType: null,
    },
  ];
}

/** Keywords with search volume for which no source shows the own brand. One finding per topic. */
export function findKeywordsWithoutPresence(input: RuleInput): ActionFinding[] {
  return [...groupByTopic(input.keywords).values()].flatMap((keywords) => {
    const absent = keywords.flatMap((keyword) => {
      if ((keyword.searchVolume ?? 0) <= 0) return [];
      const count = countCells(input.collect.sources, listPositions(keyword), input.compared);
      return count.answers === 0 || count.ownBrand.occurrences > 0 ? [] : [{ keyword, count }];
    });
    const answers = absent.reduce((sum, { count }) => sum + count.answers, 0);
    const [first] = absent;
    if (!first || answers < MIN_ANSWERS) return [];
    const leader = findMostMentioned(sumByBrand(absent.flatMap(({ count }) => count.rival ?? [])));
    const rows = absent.map(({ keyword, count }) =>
      toEvidenceRow(input, "keyword_without_presence", keyword, count, null),
    );
    return [
      {
        rule: "keyword_without_presence" as const,
        subject: buildTopicSubject(first.keyword),
        channel: "all" as const,
        subjectName: first.keyword.topic,
        evidence: selectStrongest(rows, (row) => row.search_volume ?? 0),
        keywords: absent.map(({ keyword }) => keyword.position),
        gap: 1,
        reach: null,
        answers,
        pValue: null,
        rival: leader === null ? null : (input.brandNames.get(leader.brandId) ?? null),
        siteType: null,
      },
    ];
  });
}

function toEvidenceRow(
  { collect, brandNames }: RuleInput,
  rule: ActionFinding["rule"],
  keyword: RuleKeyword,
  { answers, ownBrand, rival }: CellCount,
  source: SourceView | null,
): Evidence {
  return evidenceRow({
    rule,
    collect_id: collect.id,
    keyword_id: keyword.id,
    keyword: keyword.text,
    ...toTopicColumns(keyword),
    source: source?.source ?? null,
    search_volume: keyword.searchVolume,
    answers,
    occurrences: ownBrand.occurrences,
    brand_id: rival?.brandId ?? null,
    brand: rival === null ? null : (brandNames.get(rival.brandId) ?? null),
    brand_occurrences: rival?.occurrences ?? null,
    brand_rank: rival === null ? null : meanRank(rival),
  });
}

function sumByBrand(counts: readonly BrandCount[]): Iterable<BrandCount> {
  const sums = new Map<string, BrandCount>();
  for (const { brandId, occurrences, rankSum } of counts) {
    const sum = sums.get(brandId) ?? { brandId, occurrences: 0, rankSum: 0 };
    sums.set(brandId, { brandId, occurrences: sum.occurrences + occurrences, rankSum: sum.rankSum + rankSum });
  }
  return sums.values();
}
