import { AppError, type ErrorCode } from "../../../core/shared/errors.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { approveQuote } from "../../../tools/quotes/approve-quote.ts";
import { invoke } from "../../call/invoke.ts";
import type { Call, Deps } from "../../call/deps.ts";

/**
 * Makes what a page showed with its setup and cost, once the person said yes to it. `confirmed` has the quote and the ids of the path. A yes that is sent again gives the first answer. It
 * is also the approval that a cost above the organization's limit needs: it is given where the whole quote stands.
 */
export async function confirmQuote(
  endpoint: AnyEndpoint,
  confirmed: Record<string, unknown>,
  call: Call,
  deps: Deps,
): Promise<unknown> {
  const { organization_id, workspace_id, quote_id } = confirmed;
  const make = () =>
    invoke(endpoint, { ...confirmed, confirmed: true }, { ...call, idempotencyKey: String(quote_id) }, deps);
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "APPROVAL_REQUIRED") throw inPageWords(error);
    await invoke(approveQuote, { organization_id, workspace_id, quote_id }, call, deps);
    return make().catch((thrown: unknown) => {
      throw inPageWords(thrown);
    });
  }
}

/** What a page says where the interface speaks of asking for a price. */
const IN_WORDS: Partial<Record<ErrorCode, string>> = {
  QUOTE_EXPIRED:
    "The price is more than 15 minutes old, so nothing was started and nothing spent. Show the price again.",
  PRICE_CHANGED:
    "The price or the setup changed since it was shown, so nothing was started and nothing spent. Show the price again.",
  QUOTE_USED: "This price was used or declined already. Show the price again to start another.",
};

/** A refusal of a quote in the words of a page; any other error as it is. */
export function inPageWords(error: unknown): unknown {
  const words = error instanceof AppError ? IN_WORDS[error.code] : undefined;
  return error instanceof AppError && words !== undefined ? new AppError(error.code, words, { cause: error }) : error;
}
