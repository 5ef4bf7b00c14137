import { pino } from "pino";
import { expect, test } from "vitest";
import { listSourceOutcomes } from "../../db/analyses/source-outcomes.ts";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";

test("a collect reports outcomes by source with remedies; the log has a line per batch", async () => {
  await using provider = await startAssistant((prompt) =>
    prompt === "bad" ? { status: 401 } : { body: responseBody("Acme") },
  );
  const lines: { msg: string; [field: string]: unknown }[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await using s = await collectScene({ env: { ...provider.env, SIMULATION: "0", COLLECT_CONCURRENCY: "1" }, log });
  const analysis = await s.create(["bad", "good"], { sources: ["ASSISTANT_A", "ASSISTANT_B"] });
  const { id } = await s.ended(analysis);
  const { body } = await s.owner.get(`${analysis}/collects/${id}`);
  expect(body.progress).toEqual({ done: 4, planned: 4, eta: null });
  const none = { not_shown: 0, refused: 0 };
  expect(body.sources).toEqual([
    {
      source: "ASSISTANT_A",
      planned: 2,
      answered: 1,
      ...none,
      failed: 1,
      failures: [
        { cause: "unauthorized", questions: 1, remedy: "The operator must set a key that the provider accepts." },
      ],
    },
    {
      source: "ASSISTANT_B",
      planned: 2,
      answered: 0,
      ...none,
      failed: 2,
      failures: [
        {
          cause: "not_configured",
          questions: 2,
          remedy:
            "No provider is configured for this source. The operator of this service must configure one, or the analysis must leave the source out.",
        },
      ],
    },
  ]);
  const stranger = { organizationId: s.organization.id, workspaceId: s.deps.newId() };
  expect(await s.store.read((db) => listSourceOutcomes({ db, ...stranger }, id))).toEqual([]);
  const said = (msg: string) => lines.filter((line) => line.msg === msg);
  expect(said("run started")).toMatchObject([{ collectId: id }]);
  expect(said("run finished")).toMatchObject([{ collectId: id, planned: 4, succeeded: 1, failed: 3 }]);
  expect(said("a provider is failing")).toMatchObject([
    { provider: "openai", reason: "The provider rejected the configured key (HTTP 401)." },
  ]);
});
