import type { z } from "zod";
import type { getAnswer } from "../../../../tools/answers/get-answer.ts";
import { describeUnread } from "../../../../core/reading/capture.ts";
import { OUTSIDE_NOTE, plain, quotation, table } from "./markdown.ts";

export function renderAnswerPage(answer: z.output<typeof getAnswer.output>): string {
  return [
    `# ${plain(answer.prompt)}`,
    OUTSIDE_NOTE,
    table(
      ["", ""],
      [
        ["source", answer.source],
        ["model", answer.model],
        ["run", answer.collect_number],
        ["collected at", answer.collected_at],
        ["collected by", answer.collection_method],
      ],
    ),
    ...(answer.unread_reason === null ? [] : [describeUnread(answer.unread_reason)]),
    "## Text",
    quotation(answer.text),
    "## Brands, best rank first",
    table(
      ["rank", "brand", "mentions", "page"],
      answer.places.map((one) => [one.rank, one.brand, one.mentions, one.url]),
    ),
    "## Cited pages",
    table(
      ["position", "page", "title", "type"],
      answer.citations.map((one) => [one.position, one.url, one.title, one.competitor_type]),
    ),
  ].join("\n\n");
}
