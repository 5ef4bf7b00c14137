import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startFakeProvider } from "../providers/fake-provider.ts";

/** The command as a process: its status, and its lines about providers. */
async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "tsx", "bin/brand-visibility.ts", "doctor"], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: join(import.meta.dirname, "no-data"), ...env },
  });
  const [out, failed, [status]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, "exit")]);
  return { status: status as unknown, said: (status === 0 ? out : failed).split("\n").at(-3) };
}

test("the command exits with 0 if all configured providers respond, else with 2", async () => {
  await using openai = await startFakeProvider(({ path }) =>
    path.startsWith("/responses/") ? { status: 404 } : { body: { data: [] } },
  );
  await using perplexity = await startFakeProvider(() => ({ body: { data: [{ id: "perplexity/sonar" }] } }));
  await using anthropic = await startFakeProvider(() => ({ status: 401 }));
  const right = {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: openai.url,
    OPENAI_MODEL: "gpt-5-2026-08-07",
    PERPLEXITY_API_KEY: "pplx-secret",
    PERPLEXITY_BASE_URL: perplexity.url,
  };
  const wrong = { ANTHROPIC_API_KEY: "ant-secret", ANTHROPIC_BASE_URL: anthropic.url };
  const [answering, failing] = await Promise.all([run(right), run(wrong)]);
  expect({ answering, failing }).toEqual({
    answering: { status: 0, said: "2 of 2 configured providers answer." },
    failing: { status: 2, said: "0 of 1 configured provider answers. Failing: anthropic." },
  });
});
