import type { Wire } from "../wire.ts";
import { anthropic } from "./anthropic.ts";
import { cloro } from "./cloro.ts";
import { dataforseo } from "./dataforseo.ts";
import { google } from "./google.ts";
import { marketplace } from "./marketplace.ts";
import { openai } from "./openai.ts";
import { perplexity } from "./perplexity.ts";
import { serpapi } from "./serpapi.ts";

/** Ten sources from eight providers. */
export const WIRES: readonly Wire[] = [openai, perplexity, anthropic, google, serpapi, dataforseo, cloro, marketplace];
