import { collectScene } from "../../test/collecting/scene.ts";
import { addBrands, recordedAnswers, waitForBackgroundWork, type RecordedAnswer } from "../recompute/scene.ts";

/** The reported brand, and the product categories that it sells. */
export const OWN = "Samsung";
const PRODUCTS = ["Smartphone", "Laptop", "Smartwatch", "Headphones", "Portable Projector"];
const RIVALS = ["Apple", "Garmin", "Sony", "Dell", "Anker", "Google"];

/** REST access to the imported answers, and the collects in order. */
export interface ReportScene {
  answers: readonly RecordedAnswer[];
  get: (path: string) => Promise<Record<string, unknown>>;
  collects: string[];
  [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * An import of the recorded answers, one collect for each of their three runs; undefined if they
 * are missing.
 */
export async function reportScene(): Promise<ReportScene | undefined> {
  const answers = recordedAnswers()?.filter(({ product }) => PRODUCTS.includes(product));
  if (!answers) return undefined;
  const s = await collectScene();
  const ids = await addBrands(s);
  const path = await s.create([], {
    name: "Consumer electronics",
    sources: [],
    brand_id: ids.get(OWN),
    competitor_ids: RIVALS.map((name) => ids.get(name)),
    thematics: [
      { name: "Electronics", topics: PRODUCTS.map((name) => ({ name, keywords: keywordsOf(answers, name) })) },
    ],
  });
  const collects: string[] = [];
  for (const run of [1, 2, 3]) {
    const lines = answers.filter((row) => row.run === run).map((row) => JSON.stringify(lineOf(row)));
    const sent = await s.owner.request("POST", `${path}/answers/import`, {
      body: lines.join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    });
    if (sent.status !== 201 || sent.body.rejected.length > 0) throw new Error(JSON.stringify(sent.body));
    await s.ended(path, sent.body.number);
    collects.push(sent.body.collect_id as string);
  }
  await waitForBackgroundWork(s);
  return {
    answers,
    collects,
    async get(at) {
      const { status, body } = await s.owner.get(`${path}${at}`);
      if (status !== 200) throw new Error(`${at}: ${JSON.stringify(body)}`);
      return body as Record<string, unknown>;
    },
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

function keywordsOf(answers: readonly RecordedAnswer[], product: string) {
  const texts = new Set(answers.filter((row) => row.product === product).map(({ prompt }) => prompt));
  return [...texts].map((text) => ({ text, type: "Generic" }));
}

function lineOf({ prompt, product, answer, cited_urls: cited, additional_urls: read }: RecordedAnswer) {
  return {
    keyword: prompt,
    thematic: "Electronics",
    topic: product,
    source: "ASSISTANT_A",
    text: answer,
    citations: cited.map((url) => ({ url })),
    retrieved: read.map((url) => ({ url })),
  };
}
