import { z } from "zod";

/** Where the reading of a workspace's stored answers is: what a resume goes on from, and what people are shown. */
export const RereadProgress = z.object({
  /** Version of the catalog that it reads with. */
  catalog: z.string(),
  /** The collect with which the reading with this catalog began; null for the newest. */
  first: z.string().nullable().default(null),
  /** The collect that it is at; null before the first. */
  collect: z.string().nullable(),
  /** The last answer of that collect that is done; null before its first. */
  answer: z.string().nullable(),
  answers_done: z.int(),
  answers_total: z.int(),
  started_at: z.string(),
});
export type RereadProgress = z.output<typeof RereadProgress>;

/**
 * Collects, given with the newest first, in the order in which they are read: from `first` on to the oldest, then those
 * that are newer. So a catalog that changes again and again is read with everywhere in turn.
 */
export function inReadingOrder<Collect extends { id: string }>(
  collects: readonly Collect[],
  first: string | null,
): readonly Collect[] {
  if (first === null) return collects;
  return [...collects.filter(({ id }) => id <= first), ...collects.filter(({ id }) => id > first)];
}
