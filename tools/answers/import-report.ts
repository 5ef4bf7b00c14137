import { z } from "zod";

export const RejectedLines = z
  .array(z.object({ line: z.int().describe("1 for the first line."), message: z.string() }))
  .describe("Lines that were not accepted, and why; the first 1,000 of them.");
