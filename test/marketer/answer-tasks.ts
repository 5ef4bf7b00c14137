import { isResultPageSource } from "../../core/sources/sources.ts";
import { RUN_COUNT } from "../../src/demo/demo-content.ts";
import type { ExpectedAnswer } from "../metrics/simulated-scene.ts";
import type { Demo } from "./demo.ts";
import { analysisIds, workspaceIds, type Task } from "./task.ts";

// Questions about answers and cited sites.

type Brand = { name: string; id: string; relationship: string };

export const isLatest = ({ collect }: ExpectedAnswer) => collect === RUN_COUNT;
const ASSISTANTS = ["ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C", "ASSISTANT_D"];

/** Answers per cited thing, as named by `key`, most first. */
export function countCited(
  asked: ExpectedAnswer[],
  key: (citation: ExpectedAnswer["truth"]["citations"][number]) => string | null,
) {
  const counts = new Map<string, number>();
  for (const { truth } of asked) {
    for (const one of new Set(truth.citations.flatMap((citation) => key(citation) ?? []))) {
      counts.set(one, (counts.get(one) ?? 0) + 1);
    }
  }
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

export const namesBrand = (brand: string, { truth }: ExpectedAnswer, demo: Demo) =>
  truth.brandRanks.some(({ brand_id }) => brand_id === demo.brands.find(({ name }) => name === brand)?.id);

/** Citations are of AI answers by default. */
export const isLatestAiAnswer = (one: ExpectedAnswer) => isLatest(one) && !isResultPageSource(one.source);

export const ANSWER_TASKS: Task[] = [
  {
    question: "Which sites do assistants cite most?",
    async plan(call) {
      const { data } = await call("list_citations", { ...(await analysisIds(call)), sources: ASSISTANTS, limit: 3 });
      return data.map((row: { domain: string; answers: number }) => [row.domain, row.answers]);
    },
    truth: ({ asked }) =>
      countCited(
        asked.filter((one) => isLatest(one) && ASSISTANTS.includes(one.source)),
        ({ domain }) => domain,
      ).slice(0, 3),
  },
  {
    question: "Which pages of ours are cited, and by how many answers?",
    async plan(call) {
      const ids = await analysisIds(call);
      const { organization, workspace } = ids;
      const { data: brands } = await call("list_brands", { organization, workspace });
      const own = brands.find((brand: Brand) => brand.relationship === "mine");
      const { data } = await call("list_citations", { ...ids, group_by: ["page"], brand: own.name, limit: 100 });
      return Object.fromEntries(data.map((row: { url: string; answers: number }) => [row.url, row.answers]));
    },
    truth(demo) {
      const own = demo.brands.find(({ name }) => name === "Kestrova")?.id;
      const pages = countCited(demo.asked.filter(isLatestAiAnswer), ({ url, brand_id }) =>
        brand_id === own ? url : null,
      );
      return Object.fromEntries(pages);
    },
  },
  {
    question: "Which independent review sites and forums should write about us?",
    async plan(call) {
      const kinds = ["PRODUCT_REVIEW_SITE", "QA_FORUM"];
      const { data } = await call("list_citations", { ...(await analysisIds(call)), competitor_types: kinds });
      return data.map((row: { domain: string }) => row.domain);
    },
    truth: ({ asked }) =>
      countCited(asked.filter(isLatestAiAnswer), ({ domain, competitor_type }) =>
        ["PRODUCT_REVIEW_SITE", "QA_FORUM"].includes(competitor_type) ? domain : null,
      ).map(([domain]) => domain),
  },
  {
    question: "For which questions does assistant A name Brindlecup but not us?",
    async plan(call) {
      const ids = await analysisIds(call);
      const { data } = await call("list_answers", {
        ...ids,
        sources: ["ASSISTANT_A"],
        brand: "Brindlecup",
        absent_brand: "Kestrova",
        fields: ["prompt"],
        limit: 100,
      });
      return [...new Set<string>(data.map((row: { prompt: string }) => row.prompt))].toSorted();
    },
    truth(demo) {
      const found = demo.asked.filter(
        (one) =>
          isLatest(one) &&
          one.source === "ASSISTANT_A" &&
          namesBrand("Brindlecup", one, demo) &&
          !namesBrand("Kestrova", one, demo),
      );
      return [...new Set(found.map(({ keyword }) => keyword.text))].toSorted();
    },
  },
  {
    question:
      'Which brands does assistant C name first for "best espresso machine for cappuccino", and who is behind it?',
    async plan(call) {
      const ids = await analysisIds(call);
      const given = {
        ...ids,
        keyword: "best espresso machine for cappuccino",
        sources: ["ASSISTANT_C"],
        fields: ["id", "run"],
      };
      const { data: answers } = await call("list_answers", given);
      const answer = answers.find((one: { run: number }) => one.run === 1);
      const { places } = await call("get_answer", { ...ids, answer: answer.id });
      return places.map((place: { brand: string; rank: number }) => [place.rank, place.brand]);
    },
    truth({ asked, brands }) {
      const one = asked.find(
        ({ collect, source, keyword }) =>
          collect === RUN_COUNT && source === "ASSISTANT_C" && keyword.text === "best espresso machine for cappuccino",
      );
      return one?.truth.brandRanks.map(({ rank, brand_id }) => [rank, brands.find(({ id }) => id === brand_id)?.name]);
    },
  },
  {
    question: "What do we ask about offices, and how often is each searched?",
    async plan(call) {
      const { data } = await call("list_keywords", await analysisIds(call));
      const offices = data.filter((row: { topic: string }) => row.topic === "Offices");
      return offices.map((row: { text: string; search_volume: number }) => [row.text, row.search_volume]);
    },
    truth: ({ keywords }) =>
      keywords.filter(({ topic }) => topic === "Offices").map(({ text, search_volume }) => [text, search_volume]),
  },
  {
    question: "Whom do we count as competitors?",
    async plan(call) {
      const { data } = await call("list_brands", { ...(await workspaceIds(call)), relationship: "competitor" });
      return data.map((brand: Brand) => brand.name).toSorted();
    },
    truth: ({ brands }) => brands.flatMap(({ name }) => (name === "Kestrova" ? [] : [name])).toSorted(),
  },
];
