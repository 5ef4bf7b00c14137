import { z } from "zod";
import { analysisAccount, findBalance } from "../../../db/sources/spend-accounts.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { SourceAdapters } from "../../../core/sources/adapters.ts";
import type { FieldError } from "../../../core/shared/errors.ts";
import { capMicrosOf, microsOf, usdOf } from "../../../core/credits/micros.ts";
import { sourceOf, type AskedSource } from "../../../core/sources/asked-sources.ts";
import { SOURCE_NAMES } from "../../../core/sources/sources.ts";
import type { AnalysisSetup } from "../kinds/analysis-kind.ts";
import { refuseFaults } from "./setup-faults.ts";

// The most that providers may be paid for an analysis over its life. It is the operator's money, beside credits.

/** US dollars; millionths count, what is less is left out. */
export const MaxSpendField = z
  .number()
  .min(0.01)
  .max(1_000_000)
  .optional()
  .describe("Most that providers may charge for it.");

/** The cap of a setup in millionths of a US dollar; null for none. */
export function spendCapOf({ max_spend_usd: usd }: AnalysisSetup): number | null {
  return usd === undefined ? null : capMicrosOf(usd);
}

/** VALIDATION_FAILED where a source could not be asked even once within the cap. */
export function requireKeepableCap(
  setup: AnalysisSetup,
  { sources, adapters }: { sources: readonly AskedSource[]; adapters: SourceAdapters },
): void {
  const cap = spendCapOf(setup);
  if (cap === null) return;
  refuseFaults(
    sources.flatMap((source) => {
      const most = adapters[source].most_usd_per_question;
      const name = SOURCE_NAMES[sourceOf(source)];
      if (most === null) {
        return [fault(`cannot be kept at ${name}: the most that its provider charges for an answer is not known`)];
      }
      return microsOf(most) > cap ? [fault(`is less than an answer of ${name} can cost: ${dollars(most)}`)] : [];
    }),
  );
}

function fault(message: string): FieldError {
  return { path: "max_spend_usd", message };
}

/** The cap in lines, with what of it is spent by an analysis that is there. `expectedUsd` is what is planned. */
export async function spendCapInWords(
  db: Db,
  cap: number | null,
  { analysisId, expectedUsd }: { analysisId?: string; expectedUsd: number | null },
): Promise<string[]> {
  if (cap === null) return [];
  const { spent } = analysisId === undefined ? { spent: 0 } : await findBalance(db, analysisAccount(analysisId));
  const left = cap - spent;
  return [
    `Providers are paid at most ${dollars(usdOf(cap))} for it over its life${spent === 0 ? "" : `, of which ${dollars(usdOf(spent))} is spent`}. Questions beyond that fail, and give their credits back.`,
    ...(expectedUsd !== null && microsOf(expectedUsd) > left
      ? [`They are expected to charge ${dollars(expectedUsd)} for what is planned, which is more than is left.`]
      : []),
  ];
}

/** `$1.25`, `$0.000012`. */
function dollars(usd: number): string {
  return `$${Number(usd.toFixed(6))}`;
}
