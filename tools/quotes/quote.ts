import { z } from "zod";
import { formatInteger, formatCount } from "../../core/shared/format-count.ts";
import { QUOTE_LIFETIME_MS, type QuoteKind } from "../../core/credits/credits.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { Id, InstantField, workspacePath } from "../../core/shared/fields.ts";
import { addMs } from "../../core/shared/time.ts";
import { type Balance, findBalance } from "../../db/credits/credits.ts";
import { findQuote, insertQuote, type QuoteRow } from "../../db/credits/quotes.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { findOrganization } from "../../db/identity/organizations.ts";
import type { Context } from "../endpoint.ts";

const costFields = {
  credits: z.int().describe("Credits reserved on confirmation, for all planned runs."),
  total_credits: z.int(),
  breakdown: z.array(
    z.object({
      what: z.string(),
      quantity: z.int(),
      unit_credits: z.int(),
      credits: z.int(),
      questions: z.int().optional().describe("Prompts to send, if one unit covers several."),
    }),
  ),
  estimated_provider_cost_usd: z
    .number()
    .nullable()
    .describe("Expected provider charges, US dollars; null if unknown."),
};

/** See service.md section 4. */
export const Cost = z.object(costFields).meta({ id: "Cost" });
export type Cost = z.output<typeof Cost>;

export const CollectsCost = z
  .object({
    ...costFields,
    per_collect: z.int().describe("Credits per run."),
    collects_planned: z.int(),
    total_credits: z.int().describe("per_collect × collects_planned."),
  })
  .meta({ id: "CollectsCost" });
export type CollectsCost = z.output<typeof CollectsCost>;

export function quoteSchema<S extends z.ZodRawShape>(shown: S) {
  return z.object({
    quote_id: Id.describe("Send this id with confirmed: true, and no setup, to create exactly the setup shown."),
    presentation: z.string().describe("Setup and cost in words. Show it to the person before asking for confirmation."),
    ...shown,
    balance: z.object({ available: z.int(), after: z.int().describe("Available credits after confirmation.") }),
    obstacle: z.string().nullable().describe("Why the setup cannot run as priced, with the remedy; null if it can."),
    expires_at: InstantField.describe("Time until which the price is valid."),
  });
}

export const confirmation = {
  ...workspacePath,
  quote_id: Id.describe("Quote shown to the person, from the pricing tool."),
  confirmed: z.literal(true).describe("Required: true, only after the person saw setup and cost and agreed."),
};

export const QUOTE_ERROR_CODES = [
  "QUOTE_EXPIRED",
  "QUOTE_USED",
  "QUOTE_FOREIGN",
  "PRICE_CHANGED",
  "APPROVAL_REQUIRED",
  "INSUFFICIENT_CREDITS",
] as const;

/** `fullListAddress` is the page that lists what is too long; null on that page. */
export type PresentLines = (fullListAddress: string | null) => Promise<string[]>;

export async function storeQuote(
  context: Context,
  quote: { kind: QuoteKind; setup: object; cost: Cost; present: PresentLines; obstacle?: string | undefined },
) {
  const { tenant, userId, now, newId } = context;
  const id = newId();
  const expiresAt = addMs(now, QUOTE_LIFETIME_MS);
  const { kind, setup, cost } = quote;
  await insertQuote(tenant, {
    id,
    userId,
    kind,
    setup: { ...setup },
    cost,
    totalCredits: cost.total_credits,
    createdAt: now,
    expiresAt,
  });
  const balance = await findBalance(tenant, now);
  const shown = { id, totalCredits: cost.total_credits, approvedAt: null };
  const { available } = balance;
  return {
    quote_id: id,
    presentation: await renderPresentation(quote.present, { quote: shown, cost, balance }, context),
    balance: { available, after: available - cost.total_credits },
    obstacle: describeShortage(cost.total_credits, balance) ?? quote.obstacle ?? null,
    expires_at: expiresAt,
  };
}

type ApprovableQuote = Pick<QuoteRow, "id" | "totalCredits" | "approvedAt">;

/** The page of the quote lists everything; other texts link to it for long lists. */
export async function renderPresentation(
  present: PresentLines,
  { quote, cost, balance }: { quote: ApprovableQuote; cost: Cost; balance: Balance },
  { tenant, baseUrl, confirmation: way }: Context,
): Promise<string> {
  const page = `${baseUrl}${buildApprovalPath(quote)}`;
  const isOnPage = way === "browser";
  const mustApprove = !isOnPage && (await findApprovalPath(tenant, quote)) !== null;
  return [
    ...(await present(isOnPage ? null : page)),
    ...renderCostLines(cost, balance, mustApprove ? page : null),
  ].join("\n");
}

/** Operation that uses a quote of each kind. */
export const OPERATION_BY_QUOTE_KIND: Readonly<Record<QuoteKind, string>> = {
  search_analysis: "create_search_analysis",
  brand_analysis: "create_brand_analysis",
  geo_audit: "create_geo_audit",
  asset_evaluation: "create_asset_evaluation",
  asset_evaluation_rerun: "rerun_asset_evaluation",
  collect: "run_collect",
  setup_change: "change_setup",
};

/** NOT_FOUND in another workspace or of another kind; else QUOTE_FOREIGN, QUOTE_USED or QUOTE_EXPIRED. */
export async function requireUsableQuote(
  { tenant, userId, now }: Context,
  id: string,
  kind?: QuoteKind,
): Promise<QuoteRow> {
  const quote = requireFound(await findQuote(tenant, id), "quote");
  if (kind !== undefined && quote.kind !== kind) {
    const operation = OPERATION_BY_QUOTE_KIND[quote.kind];
    const message = `This quote is for ${operation}. Send it there, or request a price for this call.`;
    throw new AppError("NOT_FOUND", message, { subject: "quote" });
  }
  if (quote.userId !== userId) {
    throw new AppError(
      "QUOTE_FOREIGN",
      "This quote was made for another person. Request your own price and confirm it.",
    );
  }
  if (quote.usedAt !== null) throw quoteUsedError(quote);
  if (quote.declinedAt !== null) {
    throw new AppError(
      "QUOTE_USED",
      "The person declined this quote. Do not retry. Request a new price only if the person asks for it.",
    );
  }
  if (quote.expiresAt <= now) {
    throw new AppError("QUOTE_EXPIRED", "The price has expired. Request a new price, show it, and confirm again.");
  }
  return quote;
}

/** PRICE_CHANGED if the cost of the setup has changed; INSUFFICIENT_CREDITS if it cannot be paid. */
export function checkPayable(quote: QuoteRow, cost: Cost, balance: Balance): void {
  if (cost.total_credits !== quote.totalCredits) {
    throw new AppError(
      "PRICE_CHANGED",
      "The price has changed since it was shown. Request a new price, show it, and confirm again.",
    );
  }
  const shortage = describeShortage(cost.total_credits, balance);
  if (shortage !== undefined) throw new AppError("INSUFFICIENT_CREDITS", shortage);
}

export async function findApprovalPath(tenant: Tenant, quote: ApprovableQuote): Promise<string | null> {
  const organization = await findOrganization(tenant);
  const bound = organization?.approvalAboveCredits ?? null;
  return bound === null || quote.totalCredits <= bound || quote.approvedAt !== null ? null : buildApprovalPath(quote);
}

function buildApprovalPath({ id }: Pick<QuoteRow, "id">): string {
  return `/approve/${id}`;
}

/** QUOTE_USED, with the id of the created resource. */
export function quoteUsedError({ kind, resultId }: Pick<QuoteRow, "kind" | "resultId">): AppError {
  const made = `the ${kind.replaceAll("_", " ")}${resultId === null ? "" : ` ${resultId}`}`;
  return new AppError("QUOTE_USED", `This quote was already used, for ${made}. Ask for a new price to create another.`);
}

export async function requireApproval(tenant: Tenant, quote: QuoteRow): Promise<void> {
  const path = await findApprovalPath(tenant, quote);
  if (path === null) return;
  throw new AppError(
    "APPROVAL_REQUIRED",
    `A person must approve this cost in the browser. Open ${path} at the address of the service, approve, and send this again.`,
  );
}

function renderCostLines(cost: Cost, balance: Balance, approvalAddress: string | null): string[] {
  return [
    ...renderProviderCost(cost.estimated_provider_cost_usd),
    formatCredits(cost.total_credits, balance),
    ...(approvalAddress === null
      ? []
      : [`Approval: a person must approve this in the browser first, at ${approvalAddress}`]),
  ];
}

function renderProviderCost(usd: number | null): string[] {
  if (usd === 0) return [];
  if (usd === null) return ["Providers charge the operator besides; how much is not known."];
  const amount = usd < 0.01 ? "less than $0.01" : `about $${usd.toFixed(2)}`;
  return [`Providers are expected to charge the operator ${amount} besides.`];
}

function formatCredits(credits: number, balance: Balance): string {
  const shortage = describeShortage(credits, balance);
  const { available } = balance;
  if (shortage === undefined)
    return `Available: ${formatCount(available, "credit")}; after this: ${formatInteger(available - credits)}.`;
  return `Available: ${formatCount(available, "credit")}. ${shortage}`;
}

function describeShortage(credits: number, { available, monthlyCap, committedThisMonth }: Balance): string | undefined {
  if (credits > available) {
    return `This costs ${formatCount(credits, "credit")}: more than are available. Make the setup smaller, or ask an owner for more credits.`;
  }
  const left = monthlyCap === null ? Infinity : Math.max(0, monthlyCap - committedThisMonth);
  if (credits <= left) return undefined;
  return `This costs ${formatCount(credits, "credit")}, and the monthly cap leaves ${formatInteger(left)}. Make the setup smaller, wait for next month, or ask an owner to raise the cap.`;
}
