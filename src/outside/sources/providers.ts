import { openai } from "./openai.ts";
import type { DeclaredProvider } from "./provider.ts";
import { simulated } from "./simulated.ts";

/** Every provider. Of those that are configured the first in this order answers a source. */
export const PROVIDERS: readonly DeclaredProvider[] = [openai, simulated];
