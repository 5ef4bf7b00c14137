import { findAnswerKey, type CollectPerception, iterateAnswers } from "../../metrics/facts/collect-perception.ts";
import { SENTIMENT_KINDS } from "../../prompts/brand-prompt.ts";
import type { Evidence } from "../action.ts";
import { ownColumns, type ActionFinding, type RuleInput } from "../finding.ts";
import {
  buildOpinionFinding,
  opinionRow,
  buildPageRows,
  buildPromptRows,
  buildSourceRows,
  type OpinionRowContext,
} from "./opinion-rows.ts";
import {
  indexPromptsByQuestion,
  groupShares,
  sumShare,
  type CountedAnswer,
  type OpinionView,
} from "../opinion-view.ts";
import { findCitedPageAt, groupCitedPages, sampleEvenly, extractExcerpt, type OpenedAnswers } from "./opened-answer.ts";

/** Min answers with a con, min share of the answers with the brand, and min prompts. */
const MIN_CON_ANSWERS = 5;
const MIN_CON_SHARE = 0.1;
const MIN_CON_PROMPTS = 5;

const MAX_CONS_OPENED = 10;
const MAX_ANSWERS_OPENED = 30;

export interface Con {
  headNoun: string;
  phrase: string;
  /** Answers that name the brand, with value 1 if they contain the con and 0 if not. */
  counted: CountedAnswer[];
  openedKeys: number[];
}

/** Frequent unprompted cons of the own brand, most frequent first. */
export function findCons({ compared }: Pick<RuleInput, "compared">, view: OpinionView): Con[] {
  const ownNumber = view.numberByBrandId.get(compared.ownId);
  if (ownNumber === undefined) return [];
  const named = listAnswersWithBrand(view, ownNumber);
  const least = Math.max(MIN_CON_ANSWERS, MIN_CON_SHARE * named.length);
  return [...groupConsByHead(view, ownNumber)]
    .flatMap(([headNoun, { answerKeys, pointGroups }]): Con[] => {
      const counted = named.map((one) => ({ ...one, value: answerKeys.has(one.key) ? 1 : 0 }));
      const held = counted.filter(({ value }) => value === 1);
      if (held.length < least || groupShares(held, "prompt").size < MIN_CON_PROMPTS) return [];
      return [
        {
          headNoun,
          phrase: findMostFrequentPhrase(pointGroups) ?? headNoun,
          counted,
          openedKeys: held.map(({ key }) => key),
        },
      ];
    })
    .toSorted((a, b) => b.openedKeys.length - a.openedKeys.length || (a.headNoun < b.headNoun ? -1 : 1))
    .map((con, at): Con => {
      const openedKeys = at < MAX_CONS_OPENED ? sampleEvenly(con.openedKeys, MAX_ANSWERS_OPENED) : [];
      return { ...con, openedKeys };
    });
}

/** Answers that name a brand, with value 1 if they contain the con and 0 if not. */
export function countConAnswers(view: OpinionView, brandId: string, head: string): CountedAnswer[] {
  const brand = view.numberByBrandId.get(brandId);
  if (brand === undefined) return [];
  const keys = groupConsByHead(view, brand).get(head)?.answerKeys;
  return listAnswersWithBrand(view, brand).map((one) => ({ ...one, value: keys?.has(one.key) ? 1 : 0 }));
}

function listAnswersWithBrand(view: OpinionView, brand: number): CountedAnswer[] {
  const prompts = indexSentimentPrompts(view);
  return view.sources.flatMap(({ source, perception }) =>
    [...iterateAnswers(perception.opinions, prompts.keys())].flatMap((answer): CountedAnswer[] => {
      const names = perception.opinions.brands.subarray(answer.from, answer.to).includes(brand);
      const prompt = prompts.get(answer.question) ?? 0;
      return names ? [{ source, prompt, key: findAnswerKey(perception, answer), value: 1 }] : [];
    }),
  );
}

/** The prompts of brand perception, so that both count the same answers. */
function indexSentimentPrompts(view: OpinionView): ReadonlyMap<number, number> {
  return indexPromptsByQuestion(
    view,
    ({ kind, asksProsCons }) => !asksProsCons && SENTIMENT_KINDS.some((one) => one === kind),
  );
}

/** By con of a brand: the answers with it, and its phrases by source with frequencies. */
function groupConsByHead(view: OpinionView, brand: number) {
  const prompts = indexSentimentPrompts(view);
  const cons = new Map<string, { answerKeys: Set<number>; pointGroups: CollectPerception["groups"][number][] }>();
  for (const { perception } of view.sources) {
    const own = perception.groups.map((group) => (group.brand === brand && group.polarity === "con" ? group : null));
    for (const answer of iterateAnswers(perception.points, prompts.keys())) {
      for (let at = answer.from; at < answer.to; at += 1) {
        const group = own[perception.points.groupIndexes[at] ?? 0];
        if (!group) continue;
        const con = cons.get(group.head) ?? { answerKeys: new Set(), pointGroups: [] };
        cons.set(group.head, con);
        con.answerKeys.add(findAnswerKey(perception, answer));
        if (!con.pointGroups.includes(group)) con.pointGroups.push(group);
      }
    }
  }
  return cons;
}

function findMostFrequentPhrase(phrases: CollectPerception["groups"]): string | undefined {
  return phrases.toSorted((a, b) => b.said - a.said || (a.phrase < b.phrase ? -1 : 1))[0]?.phrase;
}

/** One finding per con. `brands`: numbers of the own brand, its sub-brands and products. */
export function findFrequentCons(
  input: RuleInput,
  view: OpinionView,
  facts: { cons: readonly Con[]; opened: OpenedAnswers; ownNumbers: ReadonlySet<number> },
): ActionFinding[] {
  return facts.cons.map((con) => {
    const rows = toEvidenceRows(input, view, con, facts);
    const held = con.counted.filter(({ value }) => value === 1);
    return buildOpinionFinding(view, {
      rule: "frequent_con",
      subject: `con:${con.headNoun}`,
      subjectName: con.phrase,
      evidence: rows,
      gap: sumShare(con.counted).x / con.counted.length,
      counted: held,
      rival: null,
    });
  });
}

function toEvidenceRows(
  input: RuleInput,
  view: OpinionView,
  con: Con,
  { opened, ownNumbers }: { opened: OpenedAnswers; ownNumbers: ReadonlySet<number> },
): Evidence[] {
  const at = (key: number) =>
    opened.answers
      .get(key)
      ?.spans.points.find((one) => one.polarity === "con" && one.head === con.headNoun && ownNumbers.has(one.brand));
  const cited = con.openedKeys.flatMap((key) => {
    const answer = opened.answers.get(key);
    const span = at(key);
    return answer && span ? [{ key, url: findCitedPageAt(answer, span) }] : [];
  });
  const context: OpinionRowContext = {
    rule: "frequent_con",
    collectId: input.collect.id,
    opinion: { kind: "con", about: con.headNoun, said: con.phrase },
    opened,
    own: ownColumns(input),
  };
  const words = (key: number) => {
    const answer = opened.answers.get(key);
    const span = at(key);
    return answer && span ? extractExcerpt(answer, span) : null;
  };
  return [
    opinionRow(con.counted, context),
    ...buildSourceRows(con.counted, context),
    ...buildPageRows(groupCitedPages(cited, opened.ownHosts), { ...context, words }),
    ...buildPromptRows(view, con.counted, (isOf) => opinionRow(con.counted.filter(isOf), context)),
  ];
}
