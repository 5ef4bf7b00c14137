import { z } from "zod";
import { buildAnalysisAccount, findSpendBalance } from "../../../db/sources/spend-accounts.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { SourceAdapters } from "../../../core/sources/adapters.ts";
import type { FieldError } from "../../../core/shared/errors.ts";
import { toCapMicros, usdToMicros, toUsd } from "../../../core/credits/micros.ts";
import { toSource, type JobSource, SOURCE_NAMES } from "../../../core/sources/sources.ts";
import type { AnalysisSetup } from "../kinds/analysis-kind.ts";
import { rejectFaults } from "./setup-faults.ts";

// The spend cap is the operator's money, separate from credits.

/** US dollars, truncated to millionths. */
export const MaxSpendField = z
  .number()
  .min(0.01)
  .max(1_000_000)
  .optional()
  .describe("Spending limit for provider charges.");

export function getSpendCap({ max_spend_usd: usd }: AnalysisSetup): number | null {
  return usd === undefined ? null : toCapMicros(usd);
}

export function requireSufficientCap(
  setup: AnalysisSetup,
  { sources, adapters }: { sources: readonly JobSource[]; adapters: SourceAdapters },
): void {
  const cap = getSpendCap(setup);
  if (cap === null) return;
  rejectFaults(
    sources.flatMap((source) => {
      const most = adapters[source].most_usd_per_question;
      const name = SOURCE_NAMES[toSource(source)];
      if (most === null) {
        return [createCapError(`cannot be enforced for ${name}: the maximum price of an answer is unknown`)];
      }
      return usdToMicros(most) > cap
        ? [createCapError(`is below the maximum price of an answer of ${name}: ${formatDollars(most)}`)]
        : [];
    }),
  );
}

function createCapError(message: string): FieldError {
  return { path: "max_spend_usd", message };
}

/** `expectedUsd` is the planned amount. */
export async function spendCapLines(
  db: Db,
  cap: number | null,
  { analysisId, expectedUsd }: { analysisId?: string; expectedUsd: number | null },
): Promise<string[]> {
  if (cap === null) return [];
  const { spent } =
    analysisId === undefined ? { spent: 0 } : await findSpendBalance(db, buildAnalysisAccount(analysisId));
  const left = cap - spent;
  return [
    `Providers are paid at most ${formatDollars(toUsd(cap))} for it over its life${spent === 0 ? "" : `, of which ${formatDollars(toUsd(spent))} is spent`}. Questions beyond that fail, and give their credits back.`,
    ...(expectedUsd !== null && usdToMicros(expectedUsd) > left
      ? [`They are expected to charge ${formatDollars(expectedUsd)} for what is planned, which is more than is left.`]
      : []),
  ];
}

/** `$1.25`, `$0.000012`. */
function formatDollars(usd: number): string {
  return `$${Number(usd.toFixed(6))}`;
}
