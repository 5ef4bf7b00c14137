import type { DeclaredProvider } from "./provider.ts";
import { anthropicProvider } from "./providers/anthropic.ts";
import { cloroProvider } from "./providers/cloro.ts";
import { compatibleProvider } from "./providers/compatible.ts";
import { dataforseoProvider } from "./providers/dataforseo.ts";
import { deepseekProvider } from "./providers/deepseek.ts";
import { geminiProvider } from "./providers/google.ts";
import { mistralProvider } from "./providers/mistral.ts";
import { openaiProvider } from "./providers/openai.ts";
import { perplexityProvider } from "./providers/perplexity.ts";
import { serpapiProvider } from "./providers/serpapi.ts";
import { xaiProvider } from "./providers/xai.ts";
import { simulated } from "./simulated/simulated.ts";

/** Order matters: the first configured provider serves a source unless another is selected. */
export const PROVIDERS: readonly DeclaredProvider[] = [
  openaiProvider,
  perplexityProvider,
  anthropicProvider,
  geminiProvider,
  dataforseoProvider,
  serpapiProvider,
  cloroProvider,
  compatibleProvider,
  xaiProvider,
  mistralProvider,
  deepseekProvider,
  simulated,
];
