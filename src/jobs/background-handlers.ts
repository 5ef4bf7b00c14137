import type { BackgroundHandlers } from "./background.ts";
import { rereadAnswers } from "./reread-answers.ts";

/** Who does what. */
export const HANDLERS: BackgroundHandlers = {
  reread_answers: rereadAnswers,
};
