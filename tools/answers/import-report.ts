import { z } from "zod";

export const RejectedLinesField = z
  .array(z.object({ line: z.int().describe("Line number; the first is 1."), message: z.string() }))
  .describe("Rejected lines with reasons, up to 1,000.");
