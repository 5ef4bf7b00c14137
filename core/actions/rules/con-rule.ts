import { answerKeyOf, type CollectPerception, answersIn } from "../../metrics/facts/collect-perception.ts";
import type { Evidence } from "../action.ts";
import { ownColumns, type Finding, type RuleInput } from "../finding.ts";
import { opinionFinding, opinionRow, pageRows, promptRows, sourceRows, type RowOf } from "./opinion-rows.ts";
import { promptPlaces, sharesBy, shareOf, type Counted, type OpinionView } from "../opinion-view.ts";
import { pageAt, pagesOf, spread, wordsAt, type SaidAnswer, type SaidAnswers } from "./said-answer.ts";

/** Min answers with a con, min share of the answers with the brand, and min prompts. */
const LEAST_CON_ANSWERS = 5;
const LEAST_CON_SHARE = 0.1;
const LEAST_CON_PROMPTS = 5;

/** Max cons, and max answers per con, that are opened to find cited pages. */
const MOST_CONS_OPENED = 10;
const MOST_ANSWERS_OPENED = 30;

export interface Con {
  head: string;
  phrase: string;
  /** Answers that name the brand; 1 if they contain the con. */
  counted: Counted[];
  /** Keys of the opened answers. */
  keys: number[];
}

/** Frequent unprompted cons of the own brand, most frequent first. */
export function consOf({ compared }: Pick<RuleInput, "compared">, view: OpinionView): Con[] {
  const own = view.numbers.get(compared.ownId);
  if (own === undefined) return [];
  const named = namingAnswers(view, own);
  const least = Math.max(LEAST_CON_ANSWERS, LEAST_CON_SHARE * named.length);
  return [...consByHead(view, own)]
    .flatMap(([head, { keys, phrases }]): Con[] => {
      const counted = named.map((one) => ({ ...one, value: keys.has(one.key) ? 1 : 0 }));
      const held = counted.filter(({ value }) => value === 1);
      if (held.length < least || sharesBy(held, "prompt").size < LEAST_CON_PROMPTS) return [];
      return [{ head, phrase: commonest(phrases) ?? head, counted, keys: held.map(({ key }) => key) }];
    })
    .toSorted((a, b) => b.keys.length - a.keys.length || (a.head < b.head ? -1 : 1))
    .map((con, at) => ({ ...con, keys: at < MOST_CONS_OPENED ? spread(con.keys, MOST_ANSWERS_OPENED) : [] }));
}

/** Answers that name a brand; 1 if they contain this con. */
export function holding(view: OpinionView, brandId: string, head: string): Counted[] {
  const brand = view.numbers.get(brandId);
  if (brand === undefined) return [];
  const keys = consByHead(view, brand).get(head)?.keys;
  return namingAnswers(view, brand).map((one) => ({ ...one, value: keys?.has(one.key) ? 1 : 0 }));
}

/** Answers to the counted prompts that name a brand. */
function namingAnswers(view: OpinionView, brand: number): Counted[] {
  const prompts = promptPlaces(view);
  return view.sources.flatMap(({ source, said }) =>
    [...answersIn(said.opinions, prompts.keys())].flatMap((answer): Counted[] => {
      const names = said.opinions.brands.subarray(answer.from, answer.to).includes(brand);
      const prompt = prompts.get(answer.question) ?? 0;
      return names ? [{ source, prompt, key: answerKeyOf(said, answer), value: 1 }] : [];
    }),
  );
}

/** By con of a brand: the answers with it, and its phrases by source with frequencies. */
function consByHead(view: OpinionView, brand: number) {
  const prompts = promptPlaces(view);
  const cons = new Map<string, { keys: Set<number>; phrases: CollectPerception["groups"][number][] }>();
  for (const { said } of view.sources) {
    const own = said.groups.map((group) => (group.brand === brand && group.polarity === "con" ? group : null));
    for (const answer of answersIn(said.points, prompts.keys())) {
      for (let at = answer.from; at < answer.to; at += 1) {
        const group = own[said.points.groups[at] ?? 0];
        if (!group) continue;
        const con = cons.get(group.head) ?? { keys: new Set(), phrases: [] };
        cons.set(group.head, con);
        con.keys.add(answerKeyOf(said, answer));
        if (!con.phrases.includes(group)) con.phrases.push(group);
      }
    }
  }
  return cons;
}

/** Most frequent phrase over all sources. */
function commonest(phrases: CollectPerception["groups"]): string | undefined {
  return phrases.toSorted((a, b) => b.said - a.said || (a.phrase < b.phrase ? -1 : 1))[0]?.phrase;
}

/**
 * One finding per con: answers by source, the pages cited for it, and the prompts that lead to it.
 * `brands` are the numbers of the own brand, its sub-brands and products.
 */
export function frequentCons(
  input: RuleInput,
  view: OpinionView,
  facts: { cons: readonly Con[]; opened: SaidAnswers; brands: ReadonlySet<number> },
): Finding[] {
  return facts.cons.map((con) => {
    const rows = rowsOf(input, view, con, facts);
    const held = con.counted.filter(({ value }) => value === 1);
    return opinionFinding(view, {
      rule: "frequent_con",
      subject: `con:${con.head}`,
      about: con.phrase,
      evidence: rows,
      gap: shareOf(con.counted).x / con.counted.length,
      counted: held,
      rival: null,
    });
  });
}

function rowsOf(
  input: RuleInput,
  view: OpinionView,
  con: Con,
  { opened, brands }: { opened: SaidAnswers; brands: ReadonlySet<number> },
): Evidence[] {
  const at = (key: number) => conIn(opened.answers.get(key), con.head, brands);
  const cited = con.keys.flatMap((key) => {
    const answer = opened.answers.get(key);
    const place = at(key);
    return answer && place ? [{ key, url: pageAt(answer, place) }] : [];
  });
  const of: RowOf = {
    rule: "frequent_con",
    collectId: input.collect.id,
    opinion: { kind: "con", about: con.head, said: con.phrase },
    opened,
    own: ownColumns(input),
  };
  const words = (key: number) => {
    const answer = opened.answers.get(key);
    const place = at(key);
    return answer && place ? wordsAt(answer, place) : null;
  };
  return [
    opinionRow(con.counted, of),
    ...sourceRows(con.counted, of),
    ...pageRows(pagesOf(cited, opened.ownHosts), { ...of, words }),
    ...promptRows(view, con.counted, (isOf) => opinionRow(con.counted.filter(isOf), of)),
  ];
}

function conIn(answer: SaidAnswer | undefined, head: string, brands: ReadonlySet<number>) {
  return answer?.spans.points.find((one) => one.polarity === "con" && one.head === head && brands.has(one.brand));
}
