import { describeRemedy } from "../../core/sources/provider-failures.ts";
import { withTimeLimit } from "../outside/http.ts";
import { ProviderError } from "../outside/sources/provider-error.ts";
import type { DeclaredProvider, Provider } from "../outside/sources/provider.ts";

export interface CheckResult {
  text: string;
  ok: boolean;
}

export const MAX_SECONDS = 3600;
/** A version pinned to a date does not change without notice. */
const DATED_MODEL_PATTERN = /(?:^|[-@])20\d{2}-?\d{2}-?\d{2}$/;

/** Calls only free endpoints. */
export async function checkProvider(
  provider: Provider,
  { declared, seconds }: { declared: readonly DeclaredProvider[]; seconds: number },
): Promise<CheckResult> {
  const { name, model, check } = provider;
  const { recordedOn } = declared.find((one) => one.name === name) ?? {};
  const facts = [
    ...(model === null
      ? []
      : [`Model ${model}, ${DATED_MODEL_PATTERN.test(model) ? "pinned" : "not pinned: it can change"}.`]),
    recordedOn ? `Tested with recorded answers of ${recordedOn}.` : "Not tested with recorded answers.",
  ];
  if (!check) return { text: ["configured; it has no free check.", ...facts].join(" "), ok: true };
  try {
    const notes = await withTimeLimit(seconds * 1000, undefined, (signal) => check({ signal }));
    return { text: ["ok.", ...facts, ...notes].join(" "), ok: true };
  } catch (error) {
    const isOver = error instanceof DOMException && error.name === "TimeoutError";
    const message = `The provider did not answer within ${seconds} s.`;
    const failure = isOver ? new ProviderError("timeout", { message, cause: error }) : error;
    return { text: [describeFailure(failure, provider), ...facts].join(" "), ok: false };
  }
}

export function describeFailure(error: unknown, provider: Provider): string {
  if (!(error instanceof ProviderError)) throw error;
  return `${error.kind}. ${error.message} ${describeRemedy(error.kind, provider)}`;
}
