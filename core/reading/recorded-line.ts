import { z } from "zod";
import { formatIssueMessage } from "../shared/format-issue-message.ts";
import {
  toSafeIssueMessage,
  ImportLine,
  parseJsonLines,
  parseJsonLine,
  type LineResult,
  type ParsedLines,
} from "./import-line.ts";

/** Answer in the format of recorded studies: prompt, text and addresses without titles. */
const RecordedLineSchema = z
  .object({
    prompt: z.string().trim().min(1).max(2_000),
    product: z.string().max(200).optional(),
    run: z.int().min(1).max(1_000).default(1),
    answer: z.string().min(1).max(1_000_000),
    cited_urls: z.array(z.string().min(1).max(4_000)).max(1_000).default([]),
    additional_urls: z.array(z.string().min(1).max(4_000)).max(1_000).default([]),
  })
  // Drops `additional_urls` from citations: these pages were opened, not cited.
  .transform(({ prompt, product, run, answer, cited_urls, additional_urls }): ImportLine => ({
    keyword: prompt,
    source: "ASSISTANT_A",
    text: answer,
    citations: cited_urls.map((url, i) => ({ url, position: i + 1 })),
    retrieved: additional_urls.map((url, i) => ({ url, position: i + 1 })),
    results: [],
    run,
    thematic: product,
  }));

/** Either format: a line with `prompt` and without `keyword` is a recorded answer. */
const AnswerLineSchema = z.unknown().transform((value, context): ImportLine => {
  const recorded = typeof value === "object" && value !== null && "prompt" in value && !("keyword" in value);
  const result = (recorded ? RecordedLineSchema : ImportLine).safeParse(value, { error: formatIssueMessage });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    context.addIssue({ code: "custom", path: [...issue.path], message: toSafeIssueMessage(issue) });
  }
  return z.NEVER;
});

export function parseAnswerLines(text: string): ParsedLines<ImportLine> {
  return parseJsonLines(text, AnswerLineSchema);
}

export function parseAnswerLine(raw: string): LineResult<ImportLine> {
  return parseJsonLine(raw, AnswerLineSchema);
}
