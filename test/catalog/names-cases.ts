import { type NameGatherer, type NameSighting } from "../../core/brands/name-gatherer.ts";
import { recordedAnswers } from "../measurement/truth.ts";

export const AT = "2026-11-21T08:00:00.000Z";

export function finishGathering(gathering: NameGatherer): NameSighting[] {
  const steps = gathering.finish();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export const answers = recordedAnswers();
