import type { FactRow } from "./collect-facts.ts";
import { noChannel, type KeywordChannel } from "./keyword-channels.ts";
import { rankWeight } from "./metrics.ts";
import type { CollectionMethod, CompetitorType, KeywordType, Source } from "../sources.ts";

/** Answers of one keyword and source that came in one way. `keyword` is the keyword's position in its analysis. */
export interface AnswerCount {
  keyword: number;
  keywordType: KeywordType;
  source: Source;
  collectionMethod: CollectionMethod;
  answers: number;
  shown: number;
  eligible: number;
}

/** A brand's place in one eligible answer. */
export interface GatheredPlace {
  keyword: number;
  source: Source;
  brandId: string;
  rank: number;
  mentions: number;
  url: string | null;
}

/** A kind of site that ranked or was cited. */
export interface GatheredSite {
  keyword: number;
  source: Source;
  siteType: CompetitorType;
}

/** What one source brought to a collect. Arrays are indexed by keyword position. */
export interface SourceGathering {
  eligible: number[];
  rows: FactRow[];
  channels: KeywordChannel[];
}

/** A collect as it is read, row by row. Rows of one keyword and source come in the order of the runs. */
export interface Gathering {
  /** By keyword position; undefined for a keyword that was not asked. */
  keywordTypes: (KeywordType | undefined)[];
  sources: Map<Source, SourceGathering>;
  brandIds: Set<string>;
  collectionMethods: Set<CollectionMethod>;
  addAnswers(count: AnswerCount): void;
  addPlace(place: GatheredPlace): void;
  addSite(site: GatheredSite): void;
}

/** Starts the gathering of a collect of `keywords` keywords for an analysis whose own brand is `ownBrandId`. */
export function gatherCollect(keywords: number, ownBrandId: string): Gathering {
  const sources = new Map<Source, SourceGathering>();
  const brandIds = new Set<string>();
  const collectionMethods = new Set<CollectionMethod>();
  const keywordTypes = Array.from({ length: keywords }, (): KeywordType | undefined => undefined);
  const at = (source: Source, keyword: number) => {
    let gathering = sources.get(source);
    if (!gathering) {
      gathering = {
        eligible: Array.from({ length: keywords }, () => 0),
        rows: [],
        channels: Array.from({ length: keywords }, noChannel),
      };
      sources.set(source, gathering);
    }
    const channel = gathering.channels[keyword];
    if (!channel) throw new Error("a row of a keyword beyond the keywords of its analysis");
    return { gathering, channel };
  };
  return {
    keywordTypes,
    sources,
    brandIds,
    collectionMethods,
    addAnswers(count) {
      const { gathering, channel } = at(count.source, count.keyword);
      keywordTypes[count.keyword] = count.keywordType;
      collectionMethods.add(count.collectionMethod);
      channel.answers += count.answers;
      channel.shown += count.shown;
      channel.eligible += count.eligible;
      gathering.eligible[count.keyword] = channel.eligible;
    },
    addPlace({ keyword, source, brandId, rank, mentions, url }) {
      const { gathering, channel } = at(source, keyword);
      brandIds.add(brandId);
      gathering.rows.push({ keyword, brandId, rank, occurrences: 1, mentions });
      if (brandId !== ownBrandId) return;
      channel.occurrences += 1;
      channel.rankSum += rank;
      channel.weightSum += rankWeight(rank);
      if (url !== null) countUrl(channel, url);
    },
    addSite({ keyword, source, siteType }) {
      at(source, keyword).channel.siteTypes.add(siteType);
    },
  };
}

function countUrl(channel: KeywordChannel, url: string): void {
  const known = channel.urls.find(([seen]) => seen === url);
  if (known) known[1] += 1;
  else channel.urls.push([url, 1]);
}
