import { expect, test } from "vitest";
import { z } from "zod";
import { SOURCES } from "../../core/sources/sources.ts";
import { openSources } from "../../src/outside/sources/open-sources.ts";
import { declareProvider } from "../../src/outside/sources/declare-provider.ts";
import type { CapturedAnswer } from "../../src/outside/sources/provider.ts";
import { collectScene } from "../collecting/scene.ts";

/** Answers of the source, by prompt. */
const SAID: Record<string, Omit<CapturedAnswer, "rawBody" | "model" | "costUsd" | "tokens">> = {
  "best phone": {
    text: "Acme leads.\nRival follows.",
    citations: [
      { position: 1, url: "https://a.example/", title: "A", spans: [{ start: 0, end: 11 }] },
      { position: 2, url: "https://a.example/?utm_source=x", spans: [{ start: 12, end: 26 }] },
    ],
    results: [],
    retrieved: [{ position: 1, url: "https://read.example/" }],
    queries: ["phones"],
    products: [{ position: 1, title: "Acme One\0", url: "https://acme.test/one", price: "499 €" }],
  },
  "bad phone": { text: "I can't help with that.", citations: [], results: [], isRefusal: true },
  "no phone": { text: "", citations: [], results: [], showedNothing: true },
};

const saying = declareProvider({
  name: "saying",
  title: "a source of known answers",
  serves: { ASSISTANT_A: "capture" },
  settings: z.object({}),
  needs: [],
  recordedOn: null,
  configure: () => ({}),
  limits: () => ({}),
  price: () => ({ expectedUsd: null, maxUsd: null }),
  ask({ prompt }) {
    const said = SAID[prompt];
    if (!said) throw new Error(`not known: ${prompt}`);
    return Promise.resolve({ ...said, rawBody: "{}", model: "m-1", costUsd: null, tokens: 0 });
  },
});

const urls = (pages: { url: string }[]) => pages.map(({ url }) => url);

test("stores and returns a provider's method, products, refusals and empty answers", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(Object.keys(SAID));
  const opened = saying.open({}, { concurrency: 2 });
  const chosen = Object.fromEntries(SOURCES.map((source) => [source, "saying"]));
  await using _worker = await s.otherWorker(5000, undefined, openSources(opened ? [opened] : [], chosen));
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", succeeded: 3, collection_methods: ["capture"] });
  const { body } = await s.owner.get(`${analysis}/answers`);
  const read = await Promise.all(
    body.data.map(async ({ id, prompt }: { id: string; prompt: string }) => {
      const answer = (await s.owner.get(`${analysis}/answers/${id}`)).body;
      const { collection_method, shown, refused, products, citations, retrieved, queries } = answer;
      return [
        prompt,
        { collection_method, shown, refused, products, cited: urls(citations), read: urls(retrieved), queries },
      ];
    }),
  );
  const nothing = { collection_method: "capture", products: [], cited: [], read: [], queries: [] };
  expect(Object.fromEntries(read)).toEqual({
    "best phone": {
      collection_method: "capture",
      shown: true,
      refused: false,
      products: [{ position: 1, title: "Acme One", url: "https://acme.test/one", price: "499 €", seller: null }],
      cited: ["https://a.example/"],
      read: ["https://read.example/"],
      queries: ["phones"],
    },
    "bad phone": { ...nothing, shown: true, refused: true },
    "no phone": { ...nothing, shown: false, refused: false },
  });
  const stored = await s.store.read((db) => db.q.select({ spans: db.t.citations.spans }).from(db.t.citations));
  expect(stored.map(({ spans }) => spans)).toContainEqual([
    { start: 0, end: 11 },
    { start: 12, end: 26 },
  ]);
});
