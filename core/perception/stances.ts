import { isSecondaryMention } from "./asides.ts";
import type { Passage } from "./passages.ts";
import type { OpinionPoint, MentionStance, Stance, Mention } from "../reading/capture.ts";
import { DISCOURAGED_WORDS, NEWS_WORDS, PLATFORM_WORDS, RECOMMENDED_WORDS, WINNER_WORDS } from "./stance-words.ts";

/** Signals about a brand in one item. */
interface StanceSignals {
  isWinner: boolean;
  isDiscouraged: boolean;
  isRecommended: boolean;
  hasCon: boolean;
}

/** Stance at each mention, based on the item around it. */
export function findStances(
  text: string,
  mentions: readonly Mention[],
  passages: readonly Passage[],
  points: readonly OpinionPoint[],
  prompt: string,
): MentionStance[] {
  const asksForNews = NEWS_WORDS.test(prompt);
  const standings = collectSignals(text, passages, points);
  let at = 0;
  return mentions.map((mention): MentionStance => {
    while ((passages[at]?.end ?? Infinity) <= mention.start) at += 1;
    const own = passages[at];
    const passage = own && own.start <= mention.start ? own : undefined;
    const stance = passage ? toStance(text, mention, { passage, standings, asksForNews }) : "mentioned";
    return { brandId: mention.brand_id, start: mention.start, end: mention.end, stance };
  });
}

/** Converts signals to a stance. List positions recommend nothing in answers about news. */
function toStance(
  text: string,
  mention: Mention,
  {
    passage,
    standings,
    asksForNews,
  }: { passage: Passage; standings: ReadonlyMap<string, StanceSignals>; asksForNews: boolean },
): Stance {
  if (passage.kind === "card" || !passage.subjectIds.includes(mention.brand_id)) return "mentioned";
  if (isSecondaryMention(text, mention)) return "mentioned";
  const standing = standings.get(standingKey(passage.item, mention.brand_id));
  if (!standing) return "mentioned";
  if (standing.isDiscouraged) return "discouraged";
  if (standing.isWinner) return "winner";
  if (standing.hasCon) return "caveated";
  const isListed = passage.kind !== "prose" && !asksForNews;
  return isListed || standing.isRecommended ? "recommended" : "mentioned";
}

function standingKey(item: number, brandId: string): string {
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
    const isAnnounced = /:\s*$/.test(lead) && WINNER_WORDS.test(lead);
    const isWinner =
      isAnnounced ||
      WINNER_WORDS.test(words) ||
      (isSplit && PLATFORM_WORDS.test(words) && !/\balternatives?\b/i.test(words));
    if (isWinner && passage.subjectIds.length > 0) lastWinner = passage.item;
    for (const brandId of passage.subjectIds) {
      const standing = findOrAddSignals(standings, standingKey(passage.item, brandId));
      standing.isWinner ||= isWinner;
      standing.isDiscouraged ||= DISCOURAGED_WORDS.test(words);
      standing.isRecommended ||= RECOMMENDED_WORDS.test(words);
    }
    for (; (points[point]?.start ?? Infinity) < passage.end; point += 1) {
      const { brandId, polarity } = points[point] ?? {};
      const standing = findOrAddSignals(standings, standingKey(passage.item, brandId ?? ""));
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
