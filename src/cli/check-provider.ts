import { remedyOf } from "../../core/sources/provider-failures.ts";
import { withTimeLimit } from "../outside/http.ts";
import { ProviderError } from "../outside/sources/provider-error.ts";
import type { DeclaredProvider, Provider } from "../outside/sources/provider.ts";

/** What was found, in words, and whether it works. */
export interface Finding {
  text: string;
  ok: boolean;
}

/** A check is never given more. */
export const MOST_SECONDS = 3600;
/** A model whose name ends with a day does not change under us. */
const PINNED = /(?:^|[-@])20\d{2}-?\d{2}-?\d{2}$/;

/** Asks a provider what is free, for so many seconds at most, and says what else there is to know of it. */
export async function checkProvider(
  provider: Provider,
  { declared, seconds }: { declared: readonly DeclaredProvider[]; seconds: number },
): Promise<Finding> {
  const { name, model, check } = provider;
  const { recorded } = declared.find((one) => one.name === name) ?? {};
  const facts = [
    ...(model === null ? [] : [`Model ${model}, ${PINNED.test(model) ? "pinned" : "not pinned: it can change"}.`]),
    `Tested with answers of ${recorded ?? "no day"}.`,
  ];
  if (!check) return { text: ["configured; it has no check that is free.", ...facts].join(" "), ok: true };
  try {
    const notes = await withTimeLimit(seconds * 1000, undefined, (signal) => check({ signal }));
    return { text: ["ok.", ...facts, ...notes].join(" "), ok: true };
  } catch (error) {
    const isOver = error instanceof DOMException && error.name === "TimeoutError";
    const message = `The provider did not answer within ${seconds} s.`;
    const failure = isOver ? new ProviderError("timeout", { message, cause: error }) : error;
    return { text: [failureOf(failure, provider), ...facts].join(" "), ok: false };
  }
}

/** What failed, and what to do next. Throws what is no failure of a provider. */
export function failureOf(error: unknown, provider: Provider): string {
  if (!(error instanceof ProviderError)) throw error;
  return `${error.kind}. ${error.message} ${remedyOf(error.kind, provider)}`;
}
