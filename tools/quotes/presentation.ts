import type { Balance } from "../../db/catalog/credits.ts";
import type { Cost } from "./quote.ts";
import { count, counted } from "../../core/counts.ts";

/** What every presentation ends with: the providers' money, the credits that are left, and where a person must approve. */
export function consequences(cost: Cost, balance: Balance, approvalAddress: string | null): string[] {
  return [
    ...providersCharge(cost.estimated_provider_cost_usd),
    availability(cost.total_credits, balance),
    ...(approvalAddress === null
      ? []
      : [`Approval: a person must approve this in the browser first, at ${approvalAddress}`]),
  ];
}

function providersCharge(usd: number | null): string[] {
  if (usd === 0) return [];
  if (usd === null) return ["Providers charge the operator besides; how much is not known."];
  const amount = usd < 0.01 ? "less than $0.01" : `about $${usd.toFixed(2)}`;
  return [`Providers are expected to charge the operator ${amount} besides.`];
}

function availability(credits: number, balance: Balance): string {
  const shortage = shortageOf(credits, balance);
  const { available } = balance;
  if (shortage === undefined)
    return `Available: ${counted(available, "credit")}; after this: ${count(available - credits)}.`;
  return `Available: ${counted(available, "credit")}. ${shortage}`;
}

/** Why this cannot be paid now, and what helps; undefined where it can. */
export function shortageOf(
  credits: number,
  { available, monthlyCap, committedThisMonth }: Balance,
): string | undefined {
  if (credits > available) {
    return `This costs ${counted(credits, "credit")}: more than are available. Make the setup smaller, or ask an owner for more credits.`;
  }
  const left = monthlyCap === null ? Infinity : Math.max(0, monthlyCap - committedThisMonth);
  if (credits <= left) return undefined;
  return `This costs ${counted(credits, "credit")}, and the monthly cap leaves ${count(left)}. Make the setup smaller, wait for next month, or ask an owner to raise the cap.`;
}
