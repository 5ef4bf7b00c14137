import { responseBody, startAssistant } from "../../test/collecting/provider.ts";
import { collectScene } from "../../test/collecting/scene.ts";
import { WITHOUT_LIMITS } from "../../test/support/world.ts";
import { addBrands, readMeasured, waitForBackgroundWork, type MeasuredAnalysis, type RecordedAnswer } from "./scene.ts";

const PRODUCTS = ["Smartphone", "Laptop", "Smartwatch", "Headphones"];

/**
 * A service with a brand analysis in several countries and as two personas, answered with one
 * recorded run each. After its first collect the setup gains a country and prompts change tags,
 * which makes new questions of the same prompts.
 */
export async function brandAnalysisScene(
  answers: readonly RecordedAnswer[],
  of: { products: number; collects: number },
) {
  const products = new Set(PRODUCTS.slice(0, of.products));
  const own = answers.filter(({ product }) => products.has(product));
  let collect = 1;
  const provider = await startAssistant((prompt, _, body) => {
    const among = own.filter((row) => row.prompt === prompt);
    const rows = among.length === 0 ? own : among;
    const row = rows[hashOf(`${collect} ${JSON.stringify(body)}`) % rows.length];
    const cited = (row?.cited_urls ?? []).slice(0, 5);
    const annotations = cited.map((url) => ({ type: "url_citation", url, title: "", start_index: 0, end_index: 0 }));
    return { body: responseBody(row?.answer ?? "", annotations) };
  });
  const s = await collectScene({ env: { ...provider.env, ...WITHOUT_LIMITS } });
  const ids = await addBrands(s);
  const personas: string[] = [];
  for (const name of ["Beginner", "Expert"]) {
    personas.push((await s.owner.post(`${s.workspace.path}/personas`, { name })).body.id);
  }
  const brand = ids.get("Samsung");
  const prompts = [
    ...[...new Set(own.map(({ prompt }) => prompt))].map((text, at) => {
      return { kind: "unaided", text, ...(at % 5 === 4 ? { country: "DE" } : {}) };
    }),
    ...["Do you know Samsung?", "What is Samsung?"].map((text) => ({ kind: "aided", text, brand_id: brand })),
  ];
  const setup = {
    name: "Opinion",
    brand_id: brand,
    competitor_ids: [ids.get("Apple"), ids.get("Garmin")],
    category: "phones",
    countries: ["US", "DE"],
    persona_ids: personas,
    sources: ["ASSISTANT_A"],
    runs_per_prompt: 2,
  };
  const send = async (method: "POST" | "PUT", path: string, price: string, given: object) => {
    const priced = await s.owner.post(price, given);
    const sent = await s.owner.request(method, path, { body: { quote_id: priced.body.quote_id, confirmed: true } });
    if (sent.status >= 300) throw new Error(JSON.stringify([priced.body, sent.body]));
    return sent.body;
  };
  const kind = `${s.workspace.path}/brand-analyses`;
  const { id } = await send("POST", kind, `${kind}/price`, { ...setup, prompts });
  const path = `${s.workspace.path}/analyses/${id}`;
  await s.ended(path);
  const more = {
    ...setup,
    countries: ["US", "DE", "FR"],
    prompts: prompts.map((one, at) => (at % 4 === 0 ? { ...one, tag: "again" } : one)),
  };
  await send("PUT", `${path}/setup`, `${path}/setup/price`, more);
  for (collect = 2; collect <= of.collects; collect += 1) {
    await send("POST", `${path}/collects`, `${path}/collects/price`, {});
    await s.ended(path, collect);
  }
  await waitForBackgroundWork(s);
  const measured: MeasuredAnalysis = await readMeasured(s, path);
  return {
    measured,
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** A deterministic hash of a text (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
