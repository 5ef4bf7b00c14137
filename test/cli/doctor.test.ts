import { expect, test, vi } from "vitest";
import { runDoctorCommand } from "../../src/cli/doctor-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { anthropicProvider } from "../../src/outside/sources/providers/anthropic.ts";
import { openaiProvider } from "../../src/outside/sources/providers/openai.ts";
import { perplexityProvider } from "../../src/outside/sources/providers/perplexity.ts";
import { xaiProvider } from "../../src/outside/sources/providers/xai.ts";
import { simulated } from "../../src/outside/sources/simulated/simulated.ts";
import { startFakeProvider, type Reply, type SentRequest } from "../providers/fake-provider.ts";

// Complete output of the doctor in common situations. Providers are servers on loopback.

const DECLARED = [openaiProvider, perplexityProvider, anthropicProvider, xaiProvider, simulated];
const MODELS = { data: [{ id: "perplexity/sonar" }] };

/** A working provider: it knows its models, has requests left, and no response of that name. */
function replyOk({ path }: SentRequest): Reply {
  const headers = { "x-ratelimit-remaining-requests": "59" };
  return path.startsWith("/responses/") ? { status: 404 } : { body: MODELS, headers };
}

type Play = (sent: SentRequest) => Reply;

const hang: Play = () => ({ hangs: true });

/** Three working providers, except for the given ones. */
async function clinic(plays: { openai?: Play; perplexity?: Play; anthropic?: Play } = {}) {
  const servers = {
    openai: await startFakeProvider(plays.openai ?? replyOk),
    perplexity: await startFakeProvider(plays.perplexity ?? replyOk),
    anthropic: await startFakeProvider(plays.anthropic ?? replyOk),
  };
  const env = {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: servers.openai.url,
    OPENAI_MODEL: "gpt-5-2026-08-07",
    PERPLEXITY_API_KEY: "pplx-secret",
    PERPLEXITY_BASE_URL: servers.perplexity.url,
    ANTHROPIC_API_KEY: "ant-secret",
    ANTHROPIC_BASE_URL: servers.anthropic.url,
  };
  return {
    servers,
    env,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(servers).map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

async function runDoctor(env: Record<string, string>, args: string[] = []) {
  const environment = readConfig(env, DECLARED);
  return runDoctorCommand({ environment, declared: DECLARED, store: undefined }, args);
}

const COST = "npx brand-visibility doctor --ask sends 3 prompts, for about $0.0925 and the unknown price of 1 answer.";
const CHATGPT =
  "openai, api: ok. Model gpt-5-2026-08-07, pinned. Tested with recorded answers of 2026-10. 59 requests left.";
const PERPLEXITY =
  "perplexity, api: ok. Model perplexity/sonar, not pinned: it can change. Tested with recorded answers of 2026-09-25. 59 requests left.";
const CLAUDE =
  "anthropic, api: ok. Model claude-sonnet-5-5, not pinned: it can change. Tested with recorded answers of 2026-08-21. 59 requests left.";

/** Complete output, with the lines of the three sources that have a provider, and the end. */
function output(of: { chatgpt?: string; perplexity?: string; claude?: string; end: string }): string {
  return `Bing (SEARCH_A)                             simulated. No provider supports this source yet.
Bing AI answers (SEARCH_A_AIO)              simulated. No provider supports this source yet.
ChatGPT (ASSISTANT_A)                       ${of.chatgpt ?? CHATGPT}
Perplexity (ASSISTANT_B)                    ${of.perplexity ?? PERPLEXITY}
Google (SEARCH_B)                           simulated. No provider supports this source yet.
Google AI Overviews (SEARCH_B_AIO)          simulated. No provider supports this source yet.
Google AI Mode (SEARCH_B_AI_MODE)           simulated. No provider supports this source yet.
Claude (ASSISTANT_C)                        ${of.claude ?? CLAUDE}
Gemini (ASSISTANT_D)                        simulated. No provider supports this source yet.
Amazon's assistant (MARKETPLACE_ASSISTANT)  simulated. No provider supports this source yet.
Search volume of prompts                    none.
${of.end}
`;
}

test("without configuration, the doctor names the settings and succeeds", async () => {
  expect(await runDoctor({})).toEqual({
    ok: true,
    text:
      output({
        chatgpt: "simulated. For real answers, set OPENAI_API_KEY (an OpenAI-compatible Responses API).",
        perplexity: "simulated. For real answers, set PERPLEXITY_API_KEY (the Perplexity Agent API).",
        claude: "simulated. For real answers, set ANTHROPIC_API_KEY (the Anthropic Messages API).",
        end: "",
      }).trimEnd() + "\n",
  });
});

test("if all providers respond, the doctor reports model, remaining quota, and tested versions", async () => {
  await using at = await clinic();
  expect(await runDoctor(at.env)).toEqual({
    ok: true,
    text: output({ end: `3 of 3 configured providers answer.\n${COST}` }),
  });
});

test("a wrong key fails the doctor, which names the variable to correct", async () => {
  await using at = await clinic({ anthropic: () => ({ status: 401 }) });
  expect(await runDoctor(at.env)).toEqual({
    ok: false,
    text: output({
      claude:
        "anthropic, api: unauthorized. The provider rejected the configured key (HTTP 401). Correct ANTHROPIC_API_KEY. Model claude-sonnet-5-5, not pinned: it can change. Tested with recorded answers of 2026-08-21.",
      end: `2 of 3 configured providers answer. Failing: anthropic.\n${COST}`,
    }),
  });
});

test("a dead address fails the doctor, which names the variable to correct", async () => {
  await using at = await clinic();
  await at.servers.openai[Symbol.asyncDispose]();
  expect(await runDoctor(at.env)).toEqual({
    ok: false,
    text: output({
      chatgpt:
        "openai, api: unavailable. The provider could not be reached, or broke off its answer. Correct OPENAI_BASE_URL, or check whether it can be reached from here, and whether the provider reports a fault. Model gpt-5-2026-08-07, pinned. Tested with recorded answers of 2026-10.",
      end: `2 of 3 configured providers answer. Failing: openai.\n${COST}`,
    }),
  });
});

test("reports a clock that is minutes off with the remedy, without failing", async () => {
  await using at = await clinic({
    openai: () => ({ headers: { date: new Date(Date.now() + 600_000).toUTCString() } }),
  });
  const { text, ok } = await runDoctor(at.env);
  // The header has whole seconds.
  expect({ ok, text: text.replace(/(?:599|600|601) s/, "600 s") }).toEqual({
    ok: true,
    text: output({
      chatgpt:
        "openai, api: ok. Model gpt-5-2026-08-07, pinned. Tested with recorded answers of 2026-10. The local clock is 600 s behind the provider's: synchronise it with a time server.",
      end: `3 of 3 configured providers answer.\n${COST}`,
    }),
  });
});

test("aborts a hanging provider after its timeout, without delaying others", async () => {
  await using at = await clinic({ perplexity: hang });
  expect(await runDoctor(at.env, ["--seconds", "0.2"])).toEqual({
    ok: false,
    text: output({
      perplexity:
        "perplexity, api: timeout. The provider did not answer within 0.2 s. Check whether PERPLEXITY_BASE_URL can be reached from here, and whether the provider reports a fault; raise PERPLEXITY_TIMEOUT_SECONDS if the provider is only slow. Model perplexity/sonar, not pinned: it can change. Tested with recorded answers of 2026-09-25.",
      end: `2 of 3 configured providers answer. Failing: perplexity.\n${COST}`,
    }),
  });
});

test("checks all providers concurrently, and sends no paid prompt after a failed check", async () => {
  await using at = await clinic({ openai: hang, perplexity: hang, anthropic: hang });
  const said = runDoctor(at.env, ["--ask"]);
  await vi.waitFor(() => expect(Object.values(at.servers).map(({ sent }) => sent.length)).toEqual([1, 1, 1]));
  await Promise.all(Object.values(at.servers).map((server) => server[Symbol.asyncDispose]()));
  const { text, ok } = await said;
  expect([ok, text.match(/api: unavailable/g)?.length]).toEqual([false, 3]);
  expect(Object.values(at.servers).flatMap(({ sent }) => sent.map(({ method }) => method))).toEqual([
    "GET",
    "GET",
    "GET",
  ]);
});

test("checks a configured provider that is not in use, and says how to choose it", async () => {
  await using server = await startFakeProvider([{ status: 403 }]);
  const { text, ok } = await runDoctor({ XAI_API_KEY: "xai-secret", XAI_BASE_URL: server.url, XAI_MODEL: "grok-test" });
  const line = text.split("\n").find((one) => one.startsWith("xai"));
  expect([ok, line]).toEqual([
    false,
    "xai is not in use; to choose it, set SOURCE_ASSISTANT_B=xai: unauthorized. The provider rejected the configured key (HTTP 403). Correct XAI_API_KEY. Model grok-test, not pinned: it can change. Tested with recorded answers of 2026-08.",
  ]);
});

test("rejects a timeout that is no number before any request", async () => {
  const refused = { ok: false, text: "--seconds takes a number from 0 to 3600.\n" };
  expect(await runDoctor({}, ["--seconds", "soon"])).toEqual(refused);
  expect(await runDoctor({}, ["--seconds", "0"])).toEqual(refused);
});
