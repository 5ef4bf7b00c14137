import { isSecondaryMention } from "./asides.ts";
import type { Passage } from "./passages.ts";
import type { OpinionPoint, MentionStance, Stance, Mention } from "../reading/capture.ts";
import {
  DISCOURAGED_PATTERN,
  NEWS_PATTERN,
  PLATFORM_PATTERN,
  RECOMMENDED_PATTERN,
  WINNER_PATTERN,
} from "./stance-words.ts";

interface StanceSignals {
  isWinner: boolean;
  isDiscouraged: boolean;
  isRecommended: boolean;
  hasCon: boolean;
}

export function findStances(
  text: string,
  mentions: readonly Mention[],
  passages: readonly Passage[],
  points: readonly OpinionPoint[],
  prompt: string,
): MentionStance[] {
  const asksForNews = NEWS_PATTERN.test(prompt);
  const signalsByKey = collectSignals(text, passages, points);
  let at = 0;
  return mentions.map((mention): MentionStance => {
    while ((passages[at]?.end ?? Infinity) <= mention.start) at += 1;
    const own = passages[at];
    const passage = own && own.start <= mention.start ? own : undefined;
    const stance = passage ? toStance(text, mention, { passage, signalsByKey, asksForNews }) : "mentioned";
    return { brandId: mention.brand_id, start: mention.start, end: mention.end, stance };
  });
}

/** Converts signals to a stance. List positions recommend nothing in answers about news. */
function toStance(
  text: string,
  mention: Mention,
  {
    passage,
    signalsByKey,
    asksForNews,
  }: { passage: Passage; signalsByKey: ReadonlyMap<string, StanceSignals>; asksForNews: boolean },
): Stance {
  if (passage.kind === "card" || !passage.subjectIds.includes(mention.brand_id)) return "mentioned";
  if (isSecondaryMention(text, mention)) return "mentioned";
  const standing = signalsByKey.get(buildStandingKey(passage.item, mention.brand_id));
  if (!standing) return "mentioned";
  if (standing.isDiscouraged) return "discouraged";
  if (standing.isWinner) return "winner";
  if (standing.hasCon) return "caveated";
  const isListed = passage.kind !== "prose" && !asksForNews;
  return isListed || standing.isRecommended ? "recommended" : "mentioned";
}

function buildStandingKey(item: number, brandId: string): string {
  return `${item} ${brandId}`;
}

function collectSignals(text: string, passages: readonly Passage[], points: readonly OpinionPoint[]) {
  const standings = new Map<string, StanceSignals>();
  let point = 0;
  let lastWinner = -1;
  for (const [i, passage] of passages.entries()) {
    const words = text.slice(passage.start, Math.min(passage.end, passage.start + MAX_READ_LENGTH));
    const before = passages[i - 1];
    const isSplit = before !== undefined && before.item === lastWinner && before.block === passage.block;
    const lead = before !== undefined && before.subjectIds.length === 0 ? text.slice(before.start, before.end) : "";
    // "I would go with:" announces the pick.
    const isAnnounced = /:\s*$/.test(lead) && WINNER_PATTERN.test(lead);
    const isWinner =
      isAnnounced ||
      WINNER_PATTERN.test(words) ||
      (isSplit && PLATFORM_PATTERN.test(words) && !/\balternatives?\b/i.test(words));
    if (isWinner && passage.subjectIds.length > 0) lastWinner = passage.item;
    for (const brandId of passage.subjectIds) {
      const standing = findOrAddSignals(standings, buildStandingKey(passage.item, brandId));
      standing.isWinner ||= isWinner;
      standing.isDiscouraged ||= DISCOURAGED_PATTERN.test(words);
      standing.isRecommended ||= RECOMMENDED_PATTERN.test(words);
    }
    for (; (points[point]?.start ?? Infinity) < passage.end; point += 1) {
      const { brandId, polarity } = points[point] ?? {};
      const standing = findOrAddSignals(standings, buildStandingKey(passage.item, brandId ?? ""));
      if (polarity === "con") standing.hasCon = true;
      else standing.isRecommended = true;
    }
  }
  return standings;
}

const MAX_READ_LENGTH = 600;

function findOrAddSignals(standings: Map<string, StanceSignals>, key: string): StanceSignals {
  const known = standings.get(key) ?? { isWinner: false, isDiscouraged: false, isRecommended: false, hasCon: false };
  standings.set(key, known);
  return known;
}
