import { connect } from "node:net";
import { openGuard } from "../../src/outside/guard.ts";
import { anthropicProvider } from "../../src/outside/sources/providers/anthropic.ts";
import { dataforseoProvider } from "../../src/outside/sources/providers/dataforseo.ts";
import { createGoogleProvider } from "../../src/outside/sources/providers/google.ts";
import type { Scene } from "./ask-provider.ts";
import { startFakeProvider, type Reply } from "./fake-provider.ts";

// Scenes of providers whose cases and recorded bodies are in separate files.

export const PRICES = { input_per_million: 1, output_per_million: 10, per_search: 0.01 };
export const ANTHROPIC: Scene = {
  declared: anthropicProvider,
  prefix: "ANTHROPIC",
  env: {
    ANTHROPIC_API_KEY: "sk-ant-test",
    ANTHROPIC_MODEL: "claude-test",
    ANTHROPIC_PRICES: JSON.stringify(PRICES),
  },
  question: { source: "ASSISTANT_C" },
};

export const DATAFORSEO: Scene = {
  declared: dataforseoProvider,
  prefix: "DATAFORSEO",
  env: { DATAFORSEO_LOGIN: "login", DATAFORSEO_PASSWORD: "word" },
  question: { source: "SEARCH_B" },
};

/** Targets of Google redirects other than pages of resolved.example. */
const TARGETS: Record<string, Reply> = {
  gone: { status: 404 },
  silent: { hangs: true },
  page: { status: 200, body: "<html>" },
  script: { status: 302, headers: { location: "javascript:alert(1)" } },
  there: { status: 302, headers: { location: "/over/there" } },
};
/** The Google provider, with redirects served on loopback. */
export async function openGoogle() {
  const redirects = await startFakeProvider(({ path }) => {
    const name = path.split("/").at(-1) ?? "";
    return TARGETS[name] ?? { status: 302, headers: { location: `https://resolved.example/${name.slice(-12)}` } };
  });
  // Names of the internet lead to that server, which has no certificate of theirs.
  const guard = openGuard({
    resolver: () => Promise.resolve(["93.184.215.14"]),
    dialler: () => connect(Number(new URL(redirects.url).port), "127.0.0.1"),
  });
  const scene: Scene = {
    declared: createGoogleProvider({
      guard: {
        ...guard,
        request: (url, question) => guard.request(new URL(url.href.replace(/^https:/u, "http:")), question),
      },
      redirectMs: 200,
    }),
    prefix: "GEMINI",
    env: { GEMINI_API_KEY: "AIza-test", GEMINI_MODEL: "gemini-test", GEMINI_PRICES: JSON.stringify(PRICES) },
    question: { source: "ASSISTANT_D" },
  };
  return { scene, redirects };
}
