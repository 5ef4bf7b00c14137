import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "../support/world.ts";

const PERSONAS = [
  { name: "Beginner", archetype: "The careful beginner", description: "Wants good coffee without a hobby." },
  { name: "Office manager", archetype: "The one whom everybody asks", description: "Buys for twenty people." },
];

/**
 * Creates a brand analysis with simulated assistants in two countries as two personas; returns its
 * id after the first collect.
 */
export async function opinionAnalysis(owner: Person, workspacePath: string, brandId: string): Promise<string> {
  const { data: brands } = (await owner.get(`${workspacePath}/brands?limit=100`)).body;
  const rivals = (brands as { id: string }[]).map(({ id }) => id).filter((id) => id !== brandId);
  const personas: string[] = [];
  for (const persona of PERSONAS) {
    const texts = { ...persona, language: "en", country: "US" };
    personas.push((await owner.post(`${workspacePath}/personas`, texts)).body.id);
  }
  const about = { brand_id: brandId };
  const prompts = [
    ...[1, 2, 3, 4, 5, 6].map((at) => ({ kind: "unaided", text: `Which espresso machine is best for case ${at}?` })),
    { kind: "aided", text: "What do you know of the first one?", ...about },
    { kind: "aided", text: "What is Belmora?", look_alike: "Belmora", ...about },
    { kind: "perception", text: "What do people think of it?", ...about },
    { kind: "perception", text: "What are its pros and cons?", asks_pros_cons: true, ...about },
    { kind: "attribute", text: "How is its price?", attribute: "price", ...about },
    { kind: "comparison", text: "Which of both is better?", brand_id: rivals[0] },
  ];
  const priced = await owner.post(`${workspacePath}/brand-analyses/price`, {
    name: "Asked as two",
    brand_id: brandId,
    category: "espresso machines",
    competitor_ids: rivals.slice(0, 2),
    attributes: ["price"],
    countries: ["US", "DE"],
    persona_ids: personas,
    sources: ["ASSISTANT_A", "ASSISTANT_B"],
    runs_per_prompt: 1,
    prompts,
  });
  const confirmed = { quote_id: priced.body.quote_id, confirmed: true };
  const { body, status } = await owner.post(`${workspacePath}/brand-analyses`, confirmed);
  if (status !== 201) throw new Error(JSON.stringify([priced.body, body]));
  for (;;) {
    const { data } = (await owner.get(`${workspacePath}/analyses/${body.id}/collects`)).body;
    const [collect] = data as { finished_at: string | null }[];
    if (collect && collect.finished_at !== null) return body.id as string;
    await sleep(10);
  }
}
