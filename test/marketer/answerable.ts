import type { Source } from "../../core/sources/sources.ts";
import { DEMO_AUDIT } from "../../src/demo/demo-content.ts";
import type { Row } from "../metrics/expected-metrics.ts";
import type { ExpectedAnswer } from "../metrics/simulated-scene.ts";
import { listActions, answersNaming } from "./action-tasks.ts";
import { countCited, isLatest, isLatestAiAnswer, namesBrand } from "./answer-tasks.ts";
import type { Demo } from "./demo.ts";
import { readCredits } from "./money-tasks.ts";
import { OPINION_QUESTIONS } from "./opinion-tasks.ts";
import type { Fact, Question } from "./question.ts";
import {
  presenceGain,
  keywordRows,
  isLost,
  findMax,
  RESULT_PAGE_SOURCES,
  presenceOverTime,
  rivals,
  rankBrands,
} from "./visibility-tasks.ts";

// Questions that the demo answers, each with the rows that its results must have.

const from =
  (...sources: Source[]) =>
  (one: ExpectedAnswer) =>
    sources.includes(one.source);
const columns = (rows: readonly Row[], ...keys: string[]): Fact[] => rows.map((row) => keys.map((key) => row[key]));
const named = (rows: readonly Row[], ...brands: string[]) =>
  rows.filter((row) => brands.includes(String(row["brand"])));
const ranked = (rows: readonly Row[], key: string) => rows.filter((row) => row[key] !== undefined);
const six = (value: number) => Math.round(value * 1e6) / 1e6;
const read = async ({ person }: Demo, path: string) => (await person.get(path)).body;

const VISIBILITY: Question[] = [
  {
    question: "How visible are we compared with our competitors?",
    facts: (demo) => columns(rankBrands(demo), "brand", "visibility_score"),
  },
  {
    question: "Who leads in the topic Offices?",
    facts: (demo) =>
      columns(
        rankBrands(demo, ({ keyword }) => keyword.topic === "Offices"),
        "brand",
        "visibility_score",
      ),
  },
  {
    question: "how does kestrova compare with brindlecup?",
    facts: (demo) =>
      columns(named(rankBrands(demo), "Kestrova", "Brindlecup"), "brand", "visibility_score", "presence_rate"),
  },
  {
    question: "Compare the brands Tavollino and Nordkafa.",
    facts: (demo) =>
      columns(named(rankBrands(demo), "Tavolino", "Nordkaffa"), "brand", "average_rank", "presence_rate"),
  },
  {
    question: "Which competitor gained most on ChatGPT since the collect before?",
    facts: (demo) => {
      const best = findMax(rivals(rankBrands(demo, from("ASSISTANT_A"))), presenceGain);
      return columns(best ? [best] : [], "brand", "presence_rate", "presence_rate_prev_collect");
    },
  },
  {
    question: "Did our presence go up or down since the previous collect?",
    facts: (demo) =>
      columns(named(rankBrands(demo), "Kestrova"), "brand", "presence_rate").map((row) => [...row, "moved"]),
  },
  {
    question: "How present are we for first-time buyers?",
    facts: (demo) => {
      const persona = demo.personas["First-time buyer"];
      return columns(
        named(
          rankBrands(demo, ({ keyword }) => keyword.persona_id === persona),
          "Kestrova",
        ),
        "brand",
        "presence_rate",
      );
    },
  },
  {
    question: "Which brands are most present in Google AI Overviews?",
    facts: (demo) => columns(rankBrands(demo, from("SEARCH_B_AIO")), "brand", "presence_rate"),
  },
  {
    question: "What is the average rank of nordkaffa in perplexity?",
    facts: (demo) => columns(named(rankBrands(demo, from("ASSISTANT_B")), "Nordkaffa"), "brand", "average_rank"),
  },
  {
    question: "Which brand is most visible for milk drinks?",
    facts: (demo) =>
      columns(
        rankBrands(demo, ({ keyword }) => keyword.topic === "Milk drinks").slice(0, 1),
        "brand",
        "visibility_score",
      ),
  },
  {
    question: "Compare brands for keywords at the stage BoFu.",
    facts: (demo) =>
      columns(
        rankBrands(demo, ({ keyword }) => keyword.funnel_stage === "BoFu"),
        "brand",
        "visibility_score",
      ),
  },
  {
    question: "What rank do we have for each keyword in Gemini?",
    facts: (demo) =>
      columns(ranked(keywordRows(demo, demo.sources), "assistant_d_rank"), "keyword_text", "assistant_d_rank"),
  },
  {
    question: "Where did our rank get worse in Bing since the previous collect?",
    facts: (demo) =>
      columns(keywordRows(demo, demo.sources).filter(isLost), "keyword_text", "search_a_seo_previous_rank"),
  },
  {
    question: "Which page of ours ranks for each keyword in Google?",
    facts: (demo) =>
      columns(ranked(keywordRows(demo, demo.sources), "search_b_seo_url"), "keyword_text", "search_b_seo_url"),
  },
  {
    question: "For which keywords about small kitchens do we score best?",
    facts: (demo) =>
      demo.keywords
        .filter(({ topic }) => topic === "Small kitchens")
        .flatMap(({ text }) => {
          const rows = named(
            rankBrands(demo, ({ keyword }) => keyword.text === text),
            "Kestrova",
          );
          return rows.map((row) => [text, row["visibility_score"]]);
        }),
  },
];

const OVER_TIME: Question[] = [
  {
    question: "What is our share of voice?",
    facts(demo) {
      const rows = rankBrands(demo).map(({ brand, visibility_score: score }) => ({ brand, score: Number(score) }));
      const all = rows.reduce((sum, { score }) => sum + score, 0);
      return rows.map(({ brand, score }) => [brand, six(score / all)]);
    },
  },
  {
    question: 'Which brand stands first, second and third for the keyword "best compact espresso machine"?',
    facts: (demo) => {
      const rows = rankBrands(demo, ({ keyword }) => keyword.text === "best compact espresso machine");
      return columns(rows.slice(0, 3), "brand", "presence_rate", "visibility_score");
    },
  },
  {
    question: "Which sites are cited where Brindlecup is named but not us?",
    facts: (demo) => {
      const asked = demo.asked.filter(
        (one) => isLatestAiAnswer(one) && namesBrand("Brindlecup", one, demo) && !namesBrand("Kestrova", one, demo),
      );
      return countCited(asked, ({ domain }) => domain).slice(0, 5);
    },
  },
  {
    question: "Did our presence really change since the previous collect, or is it chance?",
    facts: () => [["Kestrova", "moved"]],
  },
  {
    question: "Did Orbarista gain in Amazon's assistant for office managers?",
    facts: () => [["Orbarista", "insufficient_data"]],
  },
  {
    question: "Can the figures of ChatGPT be compared although its model changed?",
    facts: () => [["Kestrova", "model_changed"]],
  },
  {
    question: "Which source is our weakest: how present are we in each?",
    facts: (demo) =>
      demo.sources
        .filter((source) => !RESULT_PAGE_SOURCES.has(source))
        .flatMap((source) => columns(named(rankBrands(demo, from(source)), "Kestrova"), "presence_rate", "total")),
  },
  { question: "How did our presence develop over all collects?", facts: presenceOverTime },
];

const ANSWERS: Question[] = [
  {
    question: "Which sites are cited most?",
    facts: ({ asked }) => countCited(asked.filter(isLatestAiAnswer), ({ domain }) => domain).slice(0, 10),
  },
  {
    question: "Which sites does Perplexity cite?",
    facts: ({ asked }) =>
      countCited(
        asked.filter((one) => isLatest(one) && one.source === "ASSISTANT_B"),
        ({ domain }) => domain,
      ).slice(0, 5),
  },
  {
    question: "Which single page do answers cite most?",
    facts: ({ asked }) => countCited(asked.filter(isLatestAiAnswer), ({ url }) => url).slice(0, 1),
  },
  {
    question: "Which pages of ours are cited?",
    facts: (demo) => {
      const own = demo.brands.find(({ name }) => name === "Kestrova")?.id;
      return countCited(demo.asked.filter(isLatestAiAnswer), ({ url, brand_id }) => (brand_id === own ? url : null));
    },
  },
  {
    question: "Which product review sites are cited?",
    facts: ({ asked }) =>
      countCited(asked.filter(isLatestAiAnswer), ({ domain, competitor_type }) =>
        competitor_type === "PRODUCT_REVIEW_SITE" ? domain : null,
      ),
  },
  {
    question: "In how many answers of ChatGPT is Brindlecup named but not us?",
    facts: (demo) => {
      const found = demo.asked.filter(
        (one) =>
          isLatest(one) &&
          from("ASSISTANT_A")(one) &&
          namesBrand("Brindlecup", one, demo) &&
          !namesBrand("Kestrova", one, demo),
      );
      return [[found.length], ...found.map(({ keyword }) => [keyword.text, "ASSISTANT_A"])];
    },
  },
  {
    question: 'What do the assistants answer to the keyword "best compact espresso machine"?',
    facts: () => [
      ["best compact espresso machine", "ASSISTANT_A"],
      ["best compact espresso machine", "ASSISTANT_B"],
    ],
  },
];

const COLLECTS: Question[] = [
  {
    question: "How present was orbarista in collect 1?",
    facts: (demo) =>
      columns(
        named(
          rankBrands(demo, () => true, 1),
          "Orbarista",
        ),
        "brand",
        "presence_rate",
      ),
  },
  {
    question: "How many answers of collect 1 name steamwell?",
    facts: (demo) => [[demo.asked.filter((one) => one.collect === 1 && namesBrand("Steamwell", one, demo)).length]],
  },
];

const ACTIONS: Question[] = [
  {
    question: "What should we do next?",
    facts: async (demo) => (await listActions(demo, true)).map(({ action_label, score }) => [action_label, score]),
  },
  {
    question: "Which actions are recommended for AI overviews?",
    facts: async (demo) =>
      (await listActions(demo, true))
        .filter(({ channel }) => channel === "ai_overviews")
        .map(({ action_label }) => [action_label]),
  },
  {
    question: "Why is our most valuable action recommended: what is the evidence?",
    facts: async (demo) => {
      const [first] = await listActions(demo, true);
      const { evidence } = await read(demo, `${demo.path}/recommended-actions/${first?.id}`);
      return evidence.map((row: Row) =>
        [row["keyword"], row["answers"], row["occurrences"]].filter((value) => value !== null && value !== undefined),
      );
    },
  },
  {
    question: "What are the tasks of the first recommended action?",
    facts: async (demo) => {
      const [first] = await listActions(demo, true);
      const { data } = await read(demo, `${demo.path}/recommended-actions/${first?.id}/tasks`);
      return data.map(({ title, position }: Row) => [title, position]);
    },
  },
  {
    question: "Show me the brief that the writer gets for that task.",
    facts: async (demo) => {
      const [first] = await listActions(demo, true);
      const tasks = `${demo.path}/recommended-actions/${first?.id}/tasks`;
      const { data } = await read(demo, tasks);
      const { title, body } = await read(demo, `${tasks}/${data[0].id}/brief`);
      return [[title, body]];
    },
  },
];

const CATALOG: Question[] = [
  {
    question: "Whom do we track as competitors?",
    facts: ({ brands }) => brands.flatMap(({ name }) => (name === "Kestrova" ? [] : [[name, "competitor"]])),
  },
  {
    question: "Which brands do answers name that our catalog lacks?",
    facts: (demo) => [["Mondocup", answersNaming(demo, "Mondocup")]],
  },
  {
    question: "Which domains belong to Steemwell?",
    facts: () => [["Steamwell", "steamwell.example"]],
  },
  {
    question: "Which kinds of customer have we described?",
    facts: ({ personas }) => Object.keys(personas).map((name) => [name]),
  },
  {
    question: "Which keywords do we ask about offices, and how often is each searched?",
    facts: ({ keywords }) =>
      keywords.filter(({ topic }) => topic === "Offices").map(({ text, search_volume }) => [text, search_volume]),
  },
  {
    question: "Which analyses carry the tag winter?",
    facts: ({ analysis }) => [[analysis.name]],
  },
  {
    question: "How well does our page score?",
    facts: async (demo) => {
      const { data } = await read(demo, `${demo.path}/asset-evaluations`);
      return [[data[0].name, data[0].score]];
    },
  },
  {
    question: "On which attributes does our page score badly?",
    facts: async (demo) => {
      const { data } = await read(demo, `${demo.path}/asset-evaluations`);
      const scores = (await read(demo, `${demo.path}/asset-evaluations/${data[0].id}/scores`)).data;
      return scores[0].attributes.map(({ attribute, score }: Row) => [attribute, score]);
    },
  },
  {
    question: "Which prompts is the content brief about offices to answer?",
    facts: ({ keywords }) => keywords.filter(({ topic }) => topic === "Offices").map(({ text }) => [text]),
  },
];

const MONEY: Question[] = [
  {
    question: "How many credits do we have left?",
    facts: async (demo) => {
      const { available, reserved } = await readCredits(demo);
      return [[available, reserved]];
    },
  },
  {
    question: "What were our credits spent on?",
    facts: ({ asked }) =>
      [1, 2].map((collect) => {
        const answered = asked.filter((one) => one.collect === collect).length;
        return ["spend", -answered, `Answers of run ${collect}: ${answered}`];
      }),
  },
  {
    question: "Which analyses are a geo audit?",
    facts: () => [[DEMO_AUDIT.name, "geo_audit"]],
  },
  {
    question: "What did each collect cost, and how many of its questions were answered?",
    facts: ({ asked }) =>
      [1, 2].map((collect) => {
        const answered = asked.filter((one) => one.collect === collect).length;
        return [collect, answered, "completed"];
      }),
  },
  {
    question: "How much of our quotas is used?",
    facts: async (demo) => {
      const { used } = await read(demo, demo.organizationPath);
      return [[used.brands, used.answers, used.personas]];
    },
  },
  {
    question: "Compare our workspaces: how many answers does each hold?",
    facts: ({ asked, opinions }) => [["Espresso machines", asked.length + opinions.answers.length]],
  },
  {
    question: "Which role do I have here?",
    facts: () => [["Demo (simulated)", "owner"]],
  },
  {
    question: "How were these answers collected, from real assistants?",
    facts: () => [["simulated"]],
  },
];

export const ANSWERABLE: Question[] = [
  ...VISIBILITY,
  ...OVER_TIME,
  ...ANSWERS,
  ...OPINION_QUESTIONS,
  ...COLLECTS,
  ...ACTIONS,
  ...CATALOG,
  ...MONEY,
];
