import type { DeclaredProvider } from "./provider.ts";
import { anthropic } from "./providers/anthropic.ts";
import { cloro } from "./providers/cloro.ts";
import { compatible } from "./providers/compatible.ts";
import { dataforseo } from "./providers/dataforseo.ts";
import { deepseek } from "./providers/deepseek.ts";
import { google } from "./providers/google.ts";
import { mistral } from "./providers/mistral.ts";
import { openai } from "./providers/openai.ts";
import { perplexity } from "./providers/perplexity.ts";
import { serpapi } from "./providers/serpapi.ts";
import { xai } from "./providers/xai.ts";
import { simulated } from "./simulated/simulated.ts";

/** Order matters: the first configured provider serves a source unless another is selected. */
export const PROVIDERS: readonly DeclaredProvider[] = [
  openai,
  perplexity,
  anthropic,
  google,
  dataforseo,
  serpapi,
  cloro,
  compatible,
  xai,
  mistral,
  deepseek,
  simulated,
];
