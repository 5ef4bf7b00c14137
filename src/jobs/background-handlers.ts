import type { BackgroundHandlers } from "./background.ts";

/** Who does what. */
export const HANDLERS: BackgroundHandlers = {};
