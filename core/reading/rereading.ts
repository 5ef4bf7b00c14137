import { z } from "zod";

/** Where the reading of a workspace's stored answers is: what a resume goes on from, and what people are shown. */
export const RereadProgress = z.object({
  /** Version of the catalog that it reads with. */
  catalog: z.string(),
  /** The collect that it is at; null before the first. */
  collect: z.string().nullable(),
  /** The last answer of that collect that is done; null before its first. */
  answer: z.string().nullable(),
  answers_done: z.int(),
  answers_total: z.int(),
  started_at: z.string(),
});
export type RereadProgress = z.output<typeof RereadProgress>;
