import { findAnswerKey } from "../../../core/metrics/facts/collect-perception.ts";
import type { StoredPerception } from "../../../core/metrics/facts/stored-perception.ts";
import type { PointTallies, PointTally } from "../../../core/metrics/facts/tally-opinions.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { removeInvisible } from "../../../core/shared/fields.ts";
import type { PerceptionRow } from "../../metrics/perception-row.ts";
import { readQuotations } from "./perception-quotations.ts";
import type { Opinions } from "../selection/open-prompts.ts";

const MAX_LISTED = 5;
const MAX_QUOTED = 2;

export interface CollectPoints {
  opinions: Opinions;
  pointTallies: PointTallies;
}

interface MergedPoint {
  polarity: "pro" | "con";
  head: string;
  answers: number;
  asked: number;
  phrases: Map<string, number>;
  from: Set<Opinions>;
  key: number;
}

export interface PointQuote extends Pick<MergedPoint, "polarity" | "head" | "key"> {
  brands: readonly number[];
}

/** Points in unprompted answers come first. */
export function listCommonestPoints(
  collects: readonly CollectPoints[],
  { brands, isSlot }: { brands: readonly number[]; isSlot: (slot: string) => boolean },
): Pick<PerceptionRow, "pros" | "cons"> & { quotes: PointQuote[] } {
  const [brand = 0] = brands;
  const merged = new Map<string, MergedPoint>();
  for (const collect of collects) {
    for (const [slot, points] of collect.pointTallies.get(brand) ?? []) {
      if (isSlot(slot)) for (const point of points.values()) addPoint(merged, collect.opinions, point);
    }
  }
  const listed = (polarity: "pro" | "con") =>
    [...merged.values()]
      .filter((point) => point.polarity === polarity)
      .toSorted((a, b) => b.answers - a.answers || b.asked - a.asked || (a.head < b.head ? -1 : 1))
      .slice(0, MAX_LISTED);
  const [pros, cons] = [listed("pro"), listed("con")];
  const quoted = [...pros.slice(0, MAX_QUOTED), ...cons.slice(0, MAX_QUOTED)];
  return {
    pros: pros.map(shapePoint),
    cons: cons.map(shapePoint),
    quotes: quoted.map(({ polarity, head, key }) => ({ polarity, head, key, brands })),
  };
}

function addPoint(merged: Map<string, MergedPoint>, from: Opinions, tally: PointTally): void {
  const group = from.facts.groups[tally.groupIndex];
  if (!group) throw new Error("a pro or con of a group that is not there");
  const { polarity, head, phrase, said } = group;
  const id = `${polarity} ${head}`;
  const known = merged.get(id) ?? createEmptyPoint({ polarity, head });
  merged.set(id, known);
  const isCounted = tally.answers > 0;
  if (known.from.size === 0 || (isCounted && known.answers === 0)) known.key = findAnswerKey(from.facts, tally);
  known.answers += tally.answers;
  known.asked += tally.askingAnswerCount;
  if (!known.from.has(from)) known.phrases.set(phrase, (known.phrases.get(phrase) ?? 0) + said);
  known.from.add(from);
}

function createEmptyPoint(of: Pick<MergedPoint, "polarity" | "head">): MergedPoint {
  return { ...of, answers: 0, asked: 0, phrases: new Map(), from: new Set(), key: 0 };
}

function shapePoint({ head, answers, asked, phrases }: MergedPoint): PerceptionRow["pros"][number] {
  const [named] = [...phrases].toSorted(([a, said], [b, more]) => more - said || (a < b ? -1 : 1));
  return { phrase: removeInvisible(named?.[0] ?? head), head: removeInvisible(head), answers, asked };
}

export async function readPointQuotations(
  tenant: Tenant,
  rows: readonly (readonly PointQuote[])[],
): Promise<PerceptionRow["quotations"][]> {
  const wanted = ({ polarity, head, key, brands }: PointQuote) => ({
    key,
    find: ({ points }: StoredPerception) => {
      const span = points.find((one) => one.polarity === polarity && one.head === head && brands.includes(one.brand));
      return span && { polarity, head: removeInvisible(head), start: span.start, end: span.end };
    },
  });
  return readQuotations(
    tenant,
    rows.map((quotes) => quotes.map(wanted)),
  );
}
