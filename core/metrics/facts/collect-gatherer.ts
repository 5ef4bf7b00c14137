import {
  addShownAnswer,
  createKeywordAnswers,
  createSourceMap,
  type CitedRow,
  type FactRow,
  type KeywordAnswers,
  type CollectionWay,
} from "./collect-facts.ts";
import type { LinkRow, QueryRow } from "./collect-links.ts";
import { createChannel, type KeywordChannel } from "../keyword-channels.ts";
import { computeRankWeight } from "../metrics.ts";
import type { CollectionMethod, Source } from "../../sources/sources.ts";

/** `keyword` is the position in the analysis. */
export interface GatheredAnswer {
  key: number;
  keyword: number;
  source: Source;
  collectionMethod: CollectionMethod;
  model: string | null;
  isShown: boolean;
  isInformative: boolean;
}

/** The answer must be added before. */
export interface GatheredRank {
  answerKey: number;
  brand: number;
  rank: number;
  brandRank: number;
  mentions: number;
  url: string | null;
}

/** The answer must be added before. */
export interface GatheredLink extends Omit<LinkRow, "keyword" | "runIndex"> {
  answerKey: number;
}

/** Counts answers whether shown or not. */
export interface WayAnswerCount extends CollectionWay {
  source: Source;
  answers: number;
}

/** Arrays are indexed by keyword position. */
export interface GatheredSource {
  source: Source;
  method: CollectionMethod;
  answers: KeywordAnswers[];
  rows: FactRow[];
  cited: CitedRow[];
  links: LinkRow[];
  queries: QueryRow[];
  channels: KeywordChannel[];
}

/** Add keywords in order, and answers to a keyword by run. */
export interface CollectGatherer {
  sources(): GatheredSource[];
  collectionMethods: Set<CollectionMethod>;
  ways(): WayAnswerCount[];
  addAnswer(answer: GatheredAnswer): void;
  addRank(place: GatheredRank): void;
  addLink(link: GatheredLink): void;
  addQuery(query: { answerKey: number; text: string }): void;
  /** Frees the memory of the answers added so far. */
  endPart(): void;
}

/** `own` is the analysis's brand; `parentsOf` returns ancestors of a sub-brand or product. */
export function createCollectGatherer(
  keywords: number,
  own: number,
  parentsOf: (brand: number) => readonly number[] = () => [],
): CollectGatherer {
  const sources = createSourceMap((of): GatheredSource => {
    const answers = Array.from({ length: keywords }, createKeywordAnswers);
    const channels = Array.from({ length: keywords }, createChannel);
    return { ...of, answers, rows: [], cited: [], links: [], queries: [], channels };
  });
  const collectionMethods = new Set<CollectionMethod>();
  const ways = new Map<string, WayAnswerCount>();
  const gathered = new Map<
    number,
    { gathering: GatheredSource; keyword: number; runIndex: number; citedBrands: Set<number> }
  >();
  return {
    sources: sources.all,
    collectionMethods,
    ways: () => [...ways.values()],
    addAnswer({ key, keyword, source, collectionMethod: method, model, isShown, isInformative }) {
      const gathering = sources.at(source, method);
      const answers = gathering.answers[keyword];
      const channel = gathering.channels[keyword];
      if (!answers || !channel) throw new Error("a row of a prompt outside its analysis");
      collectionMethods.add(method);
      const wayKey = JSON.stringify([source, method, model]);
      const count = ways.get(wayKey) ?? { source, method, model, answers: 0 };
      ways.set(wayKey, { ...count, answers: count.answers + 1 });
      if (!isShown) {
        answers.notShown += 1;
        channel.notShown += 1;
        return;
      }
      const runIndex = addShownAnswer(gathering.answers, keyword, { method, model });
      gathered.set(key, { gathering, keyword, runIndex, citedBrands: new Set() });
      answers.informativeCount += isInformative ? 1 : 0;
      channel.answers += 1;
    },
    addRank({ answerKey, url, ...place }) {
      const slot = gathered.get(answerKey);
      const channel = slot?.gathering.channels[slot.keyword];
      if (!slot || !channel) return;
      slot.gathering.rows.push({ keyword: slot.keyword, runIndex: slot.runIndex, ...place });
      if (place.brand !== own) return;
      channel.occurrences += 1;
      channel.rankSum += place.rank;
      channel.weightSum += computeRankWeight(place.rank);
      if (url !== null) countUrl(channel, url);
    },
    addLink({ answerKey, ...link }) {
      const slot = gathered.get(answerKey);
      if (!slot) return;
      const { gathering, keyword, runIndex } = slot;
      gathering.links.push({ keyword, runIndex, ...link });
      if (!link.isCited) return;
      gathering.channels[keyword]?.siteTypes.add(link.siteType);
      for (const brand of link.brand === null ? [] : [link.brand, ...parentsOf(link.brand)]) {
        if (slot.citedBrands.has(brand)) continue;
        slot.citedBrands.add(brand);
        gathering.cited.push({ keyword, runIndex, brand });
      }
    },
    addQuery({ answerKey, text }) {
      const of = gathered.get(answerKey);
      if (of) of.gathering.queries.push({ keyword: of.keyword, runIndex: of.runIndex, text });
    },
    endPart() {
      gathered.clear();
    },
  };
}

function countUrl(channel: KeywordChannel, url: string): void {
  const known = channel.urls.find(([seen]) => seen === url);
  if (known) known[1] += 1;
  else channel.urls.push([url, 1]);
}
