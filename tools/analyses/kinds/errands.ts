import type { AnalysisType } from "../../../core/analyses/analysis.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { OutboxEntry, type Conclude, type Context, type PerformContext } from "../../endpoint.ts";
import type { AnalysisKind, AnalysisSetup } from "./analysis-kind.ts";

// Prices for which something outside the store is looked up first.

/** What a call answers whose setup needs an errand; undefined for one that needs none. `besides` is kept for its end. */
export async function errandOf<Setup extends AnalysisSetup>(
  kind: Pick<AnalysisKind<never, Setup>, "type" | "errand">,
  given: Setup,
  { newId, now }: Context,
  besides: Record<string, string> = {},
): Promise<OutboxEntry | undefined> {
  if (kind.errand?.isNeeded(given, now) !== true) return undefined;
  return new OutboxEntry(newId(), { ...besides, type: kind.type, given });
}

/** `perform` of an endpoint that prices: the errand, then the price of the setup that it completed. */
export function performing<Setup extends AnalysisSetup, Output>(
  kindOf: (type: AnalysisType) => Pick<AnalysisKind<never, Setup>, "errand">,
  price: (setup: Setup, context: Context, besides: Record<string, string>) => Promise<Output>,
) {
  return async (stored: unknown, outside: PerformContext): Promise<Conclude<Output>> => {
    // Safe: `errandOf` made it.
    const { type, given, ...besides } = stored as { type: AnalysisType; given: Setup } & Record<string, string>;
    const setup = (await kindOf(type).errand?.perform(given, outside)) ?? given;
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
