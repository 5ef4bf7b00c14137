import { z } from "zod";
import { approveQuote as approveQuoteRow } from "../../db/credits/quotes.ts";
import { Id, workspacePath } from "../../core/shared/fields.ts";
import { consoleEndpoint } from "../endpoint.ts";
import { requireUsableQuote } from "./quote.ts";

/** Only the approval page calls this, never a program. */
export const approveQuote = consoleEndpoint({
  name: "approveQuote",
  method: "POST",
  path: "/approve/:quote_id",
  group: "Analyses",
  summary: "Approve a quote in the browser",
  logged: "Approved a quote",
  description: "Approves a quote for a person who has seen setup and cost on the approval page.",
  access: { workspace: "editor" },
  scope: "analyses:create",
  notATool: "a person's own decision",
  input: z.strictObject({ ...workspacePath, quote_id: Id }),
  output: z.object({ approved: z.literal(true) }),
  errors: ["QUOTE_EXPIRED", "QUOTE_USED", "QUOTE_FOREIGN"],
  async handle({ quote_id }, context) {
    const quote = await requireUsableQuote(context, quote_id);
    await approveQuoteRow(context.tenant, quote.id, context.now);
    context.recordCost(quote.totalCredits);
    return { approved: true as const };
  },
});
