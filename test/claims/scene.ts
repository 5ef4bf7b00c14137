import { setTimeout as sleep } from "node:timers/promises";
import { brandScene } from "../support/brand-scene.ts";

export const WIKI = "https://wiki.example/acme";
const SHOP = "https://shop.example/acme";
export const RIGHT = "Acme was founded in 2012.";
export const WRONG = `Acme was founded in 1999 ([Wiki](${WIKI})).`;
const HEAVY = `Acme weighs 300 g ([Shop](${SHOP})).`;

/** Answers per prompt, each in two countries and as two personas. */
const ANSWERS = [
  ...Array.from({ length: 5 }, () => RIGHT),
  ...Array.from({ length: 2 }, () => `Well. ${WRONG}`),
  `Acme is fine. ${HEAVY}`,
  "Rival was founded in 1999.",
];

export const FOUNDED = { attribute: "founded", value: { kind: "date", date: "2012" }, as_of: "2026-11-01" };
export const WEIGHT = { attribute: "weight", value: { kind: "number", number: 249, unit: "g" } };
const CASE = { attribute: "leather case", value: { kind: "feature", present: true } };

/** A collect of these answers, held against these facts of Acme. */
export async function claimScene(facts: object[] = [FOUNDED, WEIGHT, CASE]) {
  const texts = new Map(ANSWERS.map((text, at) => [`Which phone ${at}?`, text]));
  const s = await brandScene(texts);
  const path = `${s.workspace.path}/brands/${s.brandId}/facts`;
  const ids: string[] = [];
  for (const fact of facts) ids.push((await s.owner.post(path, fact)).body.id);
  const analysis = await s.analyse([...texts.keys()].map((text) => ({ kind: "unaided", text })));
  const claims = async (query = "") => (await s.owner.get(`${analysis}/metrics/claims?${query}`)).body;
  return {
    ...s,
    texts,
    path,
    ids,
    analysis,
    claims,
    /** The claims once answers were held against the facts as they are. */
    async settled(query = "") {
      for (let waited = 0; waited < 5000; waited += 20) {
        const found = await claims(query);
        if (!found.basis.is_rereading) return found;
        await sleep(20);
      }
      throw new Error("answers were not held against the facts in 5 s");
    },
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

type Row = Record<string, unknown>;

/** Counts of a row: answers, agreed, contradicted, not mentioned. */
export const claimCounts = ({ attribute, answers, agreed, contradicted, not_mentioned }: Row) => [
  attribute,
  answers,
  agreed,
  contradicted,
  not_mentioned,
];
