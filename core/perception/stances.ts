import { isAside } from "./asides.ts";
import type { Passage } from "./passages.ts";
import type { ReadPoint, ReadStance, Stance, Mention } from "../reading/capture.ts";
import { DISCOURAGED, NEWS, PLATFORM, RECOMMENDED, WINNER } from "./stance-words.ts";

/** Signals about a brand in one item. */
interface Standing {
  isWinner: boolean;
  isDiscouraged: boolean;
  isRecommended: boolean;
  hasCon: boolean;
}

/** Stance at each mention, based on the item around it. */
export function readStances(
  text: string,
  mentions: readonly Mention[],
  passages: readonly Passage[],
  points: readonly ReadPoint[],
  prompt: string,
): ReadStance[] {
  const isNews = NEWS.test(prompt);
  const standings = standingsOf(text, passages, points);
  let at = 0;
  return mentions.map((mention): ReadStance => {
    while ((passages[at]?.end ?? Infinity) <= mention.start) at += 1;
    const own = passages[at];
    const passage = own && own.start <= mention.start ? own : undefined;
    const stance = passage ? stanceOf(text, mention, { passage, standings, isNews }) : "mentioned";
    return { brandId: mention.brand_id, start: mention.start, end: mention.end, stance };
  });
}

/** In answers about news, list positions recommend nothing. */
function stanceOf(
  text: string,
  mention: Mention,
  { passage, standings, isNews }: { passage: Passage; standings: ReadonlyMap<string, Standing>; isNews: boolean },
): Stance {
  if (passage.kind === "card" || !passage.subjects.includes(mention.brand_id)) return "mentioned";
  if (isAside(text, mention)) return "mentioned";
  const standing = standings.get(keyOf(passage.item, mention.brand_id));
  if (!standing) return "mentioned";
  if (standing.isDiscouraged) return "discouraged";
  if (standing.isWinner) return "winner";
  if (standing.hasCon) return "caveated";
  const isListed = passage.kind !== "prose" && !isNews;
  return isListed || standing.isRecommended ? "recommended" : "mentioned";
}

function keyOf(item: number, brandId: string): string {
  return `${item} ${brandId}`;
}

function standingsOf(text: string, passages: readonly Passage[], points: readonly ReadPoint[]): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  let point = 0;
  let lastWinner = -1;
  for (const [i, passage] of passages.entries()) {
    const words = text.slice(passage.start, Math.min(passage.end, passage.start + LONGEST_READ));
    const before = passages[i - 1];
    const isSplit = before !== undefined && before.item === lastWinner && before.block === passage.block;
    const lead = before !== undefined && before.subjects.length === 0 ? text.slice(before.start, before.end) : "";
    // "I would go with:" announces the pick.
    const isAnnounced = /:\s*$/.test(lead) && WINNER.test(lead);
    const isWinner =
      isAnnounced || WINNER.test(words) || (isSplit && PLATFORM.test(words) && !/\balternatives?\b/i.test(words));
    if (isWinner && passage.subjects.length > 0) lastWinner = passage.item;
    for (const brandId of passage.subjects) {
      const standing = standingIn(standings, keyOf(passage.item, brandId));
      standing.isWinner ||= isWinner;
      standing.isDiscouraged ||= DISCOURAGED.test(words);
      standing.isRecommended ||= RECOMMENDED.test(words);
    }
    for (; (points[point]?.start ?? Infinity) < passage.end; point += 1) {
      const { brandId, polarity } = points[point] ?? {};
      const standing = standingIn(standings, keyOf(passage.item, brandId ?? ""));
      if (polarity === "con") standing.hasCon = true;
      else standing.isRecommended = true;
    }
  }
  return standings;
}

const LONGEST_READ = 600;

function standingIn(standings: Map<string, Standing>, key: string): Standing {
  const known = standings.get(key) ?? { isWinner: false, isDiscouraged: false, isRecommended: false, hasCon: false };
  standings.set(key, known);
  return known;
}
