import { AppError, type ErrorCode } from "../../../core/shared/errors.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { approveQuote } from "../../../tools/quotes/approve-quote.ts";
import { invoke } from "../../call/invoke.ts";
import type { Call, Deps } from "../../call/deps.ts";

/** Repeated confirmations of a quote return the first result. Confirming also approves the cost. */
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
    if (!(error instanceof AppError) || error.code !== "APPROVAL_REQUIRED") throw rewordQuoteError(error);
    await invoke(approveQuote, { organization_id, workspace_id, quote_id }, call, deps);
    return make().catch((thrown: unknown) => {
      throw rewordQuoteError(thrown);
    });
  }
}

const QUOTE_ERROR_MESSAGES: Partial<Record<ErrorCode, string>> = {
  QUOTE_EXPIRED:
    "The price is more than 15 minutes old, so nothing was started and nothing spent. Show the price again.",
  PRICE_CHANGED:
    "The price or the setup changed since it was shown, so nothing was started and nothing spent. Show the price again.",
  QUOTE_USED: "This price was used or declined already. Show the price again to start another.",
};

/** Rewords quote errors for a page; returns other errors unchanged. */
export function rewordQuoteError(error: unknown): unknown {
  const words = error instanceof AppError ? QUOTE_ERROR_MESSAGES[error.code] : undefined;
  return error instanceof AppError && words !== undefined ? new AppError(error.code, words, { cause: error }) : error;
}
