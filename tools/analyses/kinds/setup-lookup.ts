import type { AnalysisType } from "../../../core/analyses/analysis.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { OutboxEntry, type OutboxConclusion, type Context, type PerformContext } from "../../endpoint.ts";
import type { AnalysisKind, AnalysisSetup } from "./analysis-kind.ts";

// Pricing of setups that first need a lookup outside the store.

/** `besides` is stored with the lookup and returned at its end. */
export async function startSetupLookup<Setup extends AnalysisSetup>(
  kind: Pick<AnalysisKind<never, Setup>, "type" | "lookup">,
  given: Setup,
  { newId, now }: Context,
  besides: Record<string, string> = {},
): Promise<OutboxEntry | undefined> {
  if (kind.lookup?.isNeeded(given, now) !== true) return undefined;
  return new OutboxEntry(newId(), { ...besides, type: kind.type, given });
}

export function lookUpAndPrice<Setup extends AnalysisSetup, Output>(
  kindOf: (type: AnalysisType) => Pick<AnalysisKind<never, Setup>, "lookup">,
  price: (setup: Setup, context: Context, besides: Record<string, string>) => Promise<Output>,
) {
  return async (stored: unknown, outside: PerformContext): Promise<OutboxConclusion<Output>> => {
    // Safe: `startSetupLookup` stored this value.
    const { type, given, ...besides } = stored as { type: AnalysisType; given: Setup } & Record<string, string>;
    const setup = (await kindOf(type).lookup?.perform(given, outside)) ?? given;
    return async (context) => {
      try {
        return await price(setup, context, besides);
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    };
  };
}
