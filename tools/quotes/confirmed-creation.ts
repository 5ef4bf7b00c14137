import { findBalance, reserveCredits, type LedgerCause } from "../../db/credits/credits.ts";
import { declineQuote, useQuote, type QuoteRow } from "../../db/credits/quotes.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { QuoteKind } from "../../core/credits/credits.ts";
import type { Context, QuotePresentation } from "../endpoint.ts";
import {
  quoteUsedError,
  findApprovalPath,
  checkPayable,
  renderPresentation,
  requireApproval,
  requireUsableQuote,
  type Cost,
} from "./quote.ts";

export interface PricedSetup<Setup, Price extends Cost> {
  setup: Setup;
  cost: Price;
}

export interface Creation<Input extends { quote_id: string }, Setup, Price extends Cost, Made> {
  kind: QuoteKind;
  /** Rejects a quote made for another resource than the call names. */
  checkQuote?(quote: QuoteRow, input: Input): void;
  priceSetup(quote: QuoteRow, context: Context): Promise<PricedSetup<Setup, Price>>;
  /** `fullListAddress` is the page that lists what is too long here; null on that page. */
  present(priced: PricedSetup<Setup, Price>, context: Context, fullListAddress: string | null): Promise<string[]>;
  buildReservation(
    setup: Setup,
    newId: () => string,
  ): { id: string; ledgerCause: Pick<LedgerCause, "note" | "analysisId" | "collectId" | "evaluationId"> };
  /** Runs in the transaction that reserves the credits. */
  create(id: string, priced: PricedSetup<Setup, Price> & { quoteId: string }, context: Context): Promise<Made>;
}

/** Exactly the presented setup is paid and created, once. */
export function confirmedCreation<Input extends { quote_id: string }, Setup, Price extends Cost, Made>(
  creation: Creation<Input, Setup, Price, Made>,
) {
  async function payable(input: Input, context: Context) {
    const quote = await requireUsableQuote(context, input.quote_id, creation.kind);
    creation.checkQuote?.(quote, input);
    const priced = await creation.priceSetup(quote, context).catch((error: unknown) => {
      throw toPriceChangedError(error);
    });
    const balance = await findBalance(context.tenant, context.now);
    checkPayable(quote, priced.cost, balance);
    return { quote, priced, balance };
  }
  return {
    async present(input: Input, context: Context): Promise<QuotePresentation> {
      const { quote, priced, balance } = await payable(input, context);
      const { cost } = priced;
      const present = (fullListAddress: string | null) => creation.present(priced, context, fullListAddress);
      const message = await renderPresentation(present, { quote, cost, balance }, context);
      return { message, credits: cost.total_credits, approvalPath: await findApprovalPath(context.tenant, quote) };
    },
    async decline({ quote_id }: Input, { tenant, userId, now }: Context): Promise<void> {
      await declineQuote(tenant, { id: quote_id, userId }, now);
    },
    async handle(input: Input, context: Context): Promise<Made> {
      const { quote, priced } = await payable(input, context);
      const { id, ledgerCause } = creation.buildReservation(priced.setup, context.newId);
      await payQuote(context, { quote, credits: priced.cost.total_credits, resultId: id, ledgerCause });
      return creation.create(id, { ...priced, quoteId: quote.id }, context);
    },
  };
}

/** A setup that was valid when it was priced can only be invalid after a change in the workspace. */
function toPriceChangedError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return error;
  const message =
    "The setup does not apply any more: the named fields have changed since it was priced. Correct them, request a new price, show it, and confirm again.";
  return new AppError("PRICE_CHANGED", message, { fields: error.fields, cause: error });
}

async function payQuote(
  context: Context,
  by: { quote: QuoteRow; credits: number; resultId: string; ledgerCause: Pick<LedgerCause, "note"> },
): Promise<void> {
  const { tenant, userId, now, newId } = context;
  const { quote, credits, resultId, ledgerCause } = by;
  await requireApproval(tenant, quote);
  if (!(await useQuote(tenant, quote.id, { resultId, usedAt: now }))) {
    throw quoteUsedError(quote);
  }
  const ids = { id: newId(), workspaceId: tenant.workspaceId, quoteId: quote.id, userId };
  if (!(await reserveCredits(tenant, credits, { ...ledgerCause, ...ids, at: now }))) {
    throw new AppError(
      "INSUFFICIENT_CREDITS",
      "The credits were just spent by another request. Ask an owner for more credits.",
    );
  }
  context.recordCost(credits);
}
