import type { Cost } from "../quotes/quote.ts";
import type { Creation } from "../quotes/confirmed-creation.ts";
import { presentEvaluation } from "./evaluation-presentation.ts";
import { computePrice } from "./evaluation-price.ts";
import { normaliseSetup, loadRerunSetup, StoredSetupSchema, type EvaluationSetup } from "./evaluation-setup.ts";

export const evaluationCreation: Pick<
  Creation<{ quote_id: string }, EvaluationSetup, Cost, unknown>,
  "priceSetup" | "present" | "buildReservation"
> = {
  async priceSetup(quote, context) {
    const { evaluation_id: evaluationId, asset_class: _, ...shown } = StoredSetupSchema.parse(quote.setup);
    const setup =
      evaluationId === null
        ? await normaliseSetup(context.tenant, shown)
        : await loadRerunSetup(context.tenant, evaluationId);
    return { setup, cost: computePrice(setup, context) };
  },
  present: ({ setup, cost }, { tenant, scorer }) => presentEvaluation(tenant, setup, { cost, scorer }),
  buildReservation({ evaluation_id, name }, newId) {
    const evaluationId = evaluation_id ?? newId();
    return { id: evaluationId, ledgerCause: { evaluationId, note: `Reserved for the asset evaluation ${name}` } };
  },
};
