import type { BackgroundHandlers } from "./background.ts";
import { finishErrand } from "./finish-errand.ts";
import { rereadAnswers } from "./reread-answers.ts";

/** Who does what. */
export const HANDLERS: BackgroundHandlers = {
  finish_errand: finishErrand,
  reread_answers: rereadAnswers,
};
