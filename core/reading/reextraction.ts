import { z } from "zod";

/** Resume point of re-extracting a workspace's answers, and counts shown to users. */
export const ReextractionProgress = z.object({
  catalog: z.string(),
  /** Collect at which this catalog's pass began; null for the newest. */
  first: z.string().nullable().default(null),
  /** Current collect; null before the first one. */
  collect: z.string().nullable(),
  /** Last completed answer of that collect; null before its first. */
  answer: z.string().nullable(),
  answers_done: z.int(),
  answers_total: z.int(),
  started_at: z.string(),
});
export type ReextractionProgress = z.output<typeof ReextractionProgress>;

/**
 * Orders collects (given newest first) from `first` to the oldest, then the newer ones. A catalog
 * that changes repeatedly thus reaches all collects.
 */
export function orderForReextraction<Collect extends { id: string }>(
  collects: readonly Collect[],
  first: string | null,
): readonly Collect[] {
  if (first === null) return collects;
  return [...collects.filter(({ id }) => id <= first), ...collects.filter(({ id }) => id > first)];
}
