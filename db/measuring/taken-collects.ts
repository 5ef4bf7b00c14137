import { gt, lte, or, and, sql, type SQL } from "drizzle-orm";
import type { Instant } from "../../core/time.ts";
import type { Db } from "../engine/store.ts";

/** Which collects a worker takes questions of, by how many they have in all. */
export interface TakenCollects {
  /** At most so many. */
  most: number;
  /** Those that have at most so many, and came after `leftSince`, are left to another worker. */
  left: number;
  leftSince: Instant;
}

const ALL: TakenCollects = { most: Number.MAX_SAFE_INTEGER, left: -1, leftSince: "1970-01-01T00:00:00.000Z" };

/** The condition, with placeholders for what `takenValues` gives. */
export function isTaken({ planned, createdAt }: Db["t"]["collects"]): SQL | undefined {
  const isLeftNoMore = lte(createdAt, sql.placeholder("leftSince"));
  return and(lte(planned, sql.placeholder("most")), or(gt(planned, sql.placeholder("left")), isLeftNoMore));
}

export function takenValues({ most, left, leftSince } = ALL) {
  return { most, left, leftSince: Date.parse(leftSince) };
}
