import type { Source } from "../../core/sources/sources.ts";
import { RUN_COUNT } from "../../src/demo/demo-content.ts";
import { expectedKeywords, expectedTopBrands, type AnswerFilter, type Row } from "../metrics/expected-metrics.ts";
import type { Demo } from "./demo.ts";
import { analysisIds, findByName, readProjectIds, type Task } from "./task.ts";

// Questions about visibility and ranks.

const generic: AnswerFilter = ({ keyword }) => keyword.type !== "Brand";
/** Result pages, in which a brand is present by its site. */
export const RESULT_PAGE_SOURCES = new Set<Source>(["SEARCH_A", "SEARCH_B"]);
const namingOwn: AnswerFilter = (one) => !generic(one) && !RESULT_PAGE_SOURCES.has(one.source);

/** Brands of answers; result pages only if nothing else is selected. */
export function rankBrands(demo: Demo, chosen: AnswerFilter = () => true, collect = RUN_COUNT): Row[] {
  const answers = demo.asked.filter((one) => generic(one) && chosen(one));
  const isByName = answers.some(({ source }) => !RESULT_PAGE_SOURCES.has(source));
  const asked = answers.filter(({ source }) => !isByName || !RESULT_PAGE_SOURCES.has(source));
  return expectedTopBrands({ asked, brands: demo.brands }, () => true, [collect], [collect - 1]).data;
}

export function presenceOverTime(demo: Demo): unknown[][] {
  return Array.from({ length: RUN_COUNT }, (_, index) => [
    index + 1,
    rowOf(
      rankBrands(demo, () => true, index + 1),
      "Kestrova",
    )["presence_rate"],
  ]);
}

export function keywordRows(demo: Demo, sources: readonly Source[]): Row[] {
  return expectedKeywords(demo, { keyword: () => true, sources, current: [RUN_COUNT], previous: [RUN_COUNT - 1] }).data;
}

/** Columns of presenceGain; a tool returns the last only by name. */
const GAIN_COLUMNS = ["brand", "is_my_brand", "presence_rate", "presence_rate_prev_collect"];
export const presenceGain = (row: Row) => Number(row["presence_rate"]) - Number(row["presence_rate_prev_collect"]);
export const findMax = <T>(rows: T[], value: (row: T) => number) => rows.toSorted((a, b) => value(b) - value(a))[0];
export const rivals = (rows: Row[]) => rows.filter((row) => row["is_my_brand"] !== true);
const texts = (rows: Row[]) => rows.map((row) => row["keyword_text"]);

const CHANNELS = ["search_a_seo", "search_a_aio", "search_b_seo", "search_b_aio", "assistant_a", "assistant_b"];

/** Keywords on which the brand appears, channel by channel. */
const reach = (rows: Row[]) =>
  CHANNELS.map((channel) => ({ channel, keywords: rows.filter((row) => row[`${channel}_rank`] !== undefined).length }));

/** Mean score of the keywords of each stage of the funnel. */
function funnel(rows: Row[]) {
  return ["ToFu", "MoFu", "BoFu"].map((stage) => {
    const scores = rows.filter((row) => row["funnel_stage"] === stage).map((row) => Number(row["score"]));
    return { stage, score: scores.reduce((sum, score) => sum + score, 0) / scores.length };
  });
}

export const VISIBILITY_TASKS: Task[] = [
  {
    question: "Which competitor gained most on assistant A since the last collect?",
    async plan(call) {
      const given = { ...(await readProjectIds(call)), sources: ["ASSISTANT_A"], fields: GAIN_COLUMNS };
      const { data } = await call("list_top_brands", given);
      return findMax(rivals(data), presenceGain)?.["brand"];
    },
    truth: (demo) =>
      findMax(rivals(rankBrands(demo, ({ source }) => source === "ASSISTANT_A")), presenceGain)?.["brand"],
  },
  {
    question: "How visible are we, and who is ahead of us?",
    async plan(call) {
      const { data } = await call("list_top_brands", await readProjectIds(call));
      const at = data.findIndex((row: Row) => row["is_my_brand"]);
      return { score: data[at].visibility_score, ahead: data.slice(0, at).map((row: Row) => row["brand"]) };
    },
    truth(demo) {
      const data = rankBrands(demo);
      const at = data.findIndex((row) => row["is_my_brand"]);
      return { score: data[at]?.["visibility_score"], ahead: data.slice(0, at).map((row) => row["brand"]) };
    },
  },
  {
    question: "Did our presence go up or down since the collect before, in all channels together?",
    async plan(call) {
      const given = { ...(await readProjectIds(call)), brands: ["Kestrova"], fields: GAIN_COLUMNS };
      const { data } = await call("list_top_brands", given);
      return Math.sign(presenceGain(data[0]));
    },
    truth: (demo) => Math.sign(presenceGain(rowOf(rankBrands(demo), "Kestrova"))),
  },
  {
    question: "How did our presence develop over all collects?",
    async plan(call) {
      const { data } = await call("get_visibility", { ...(await analysisIds(call)), group_by: ["collect"] });
      return data.map((row: Row) => [row["collect"], row["presence_rate"]]);
    },
    truth: presenceOverTime,
  },
  {
    question: "Which of our sources did a new model make incomparable?",
    async plan(call) {
      const { data } = await call("get_visibility", { ...(await analysisIds(call)), group_by: ["source"] });
      const changed = data.filter((row: { change: Row }) => row.change["verdict"] === "model_changed");
      return changed.map((row: Row) => row["source"]);
    },
    truth: () => ["ChatGPT"],
  },
  {
    question: "On which channel do we appear for the fewest keywords?",
    async plan(call) {
      const { data } = await call("list_keywords_metrics", { ...(await readProjectIds(call)) });
      return findMax(reach(data), ({ keywords }) => -keywords);
    },
    truth: (demo) => findMax(reach(keywordRows(demo, demo.sources)), ({ keywords }) => -keywords),
  },
  {
    question: "For which questions does assistant B not name us?",
    async plan(call) {
      const given = { ...(await readProjectIds(call)), sources: ["ASSISTANT_B"] };
      const { data } = await call("list_keywords_metrics", given);
      return texts(data.filter((row: Row) => row["assistant_b_main_brand_ranked"] === false));
    },
    truth: (demo) =>
      texts(keywordRows(demo, ["ASSISTANT_B"]).filter((row) => row["assistant_b_main_brand_ranked"] === false)),
  },
  {
    question: "Where did we lose rank in search engine A?",
    async plan(call) {
      const given = { ...(await readProjectIds(call)), sources: ["SEARCH_A"] };
      const { data } = await call("list_keywords_metrics", given);
      return texts(data.filter(isLost));
    },
    truth: (demo) => texts(keywordRows(demo, ["SEARCH_A"]).filter(isLost)),
  },
  {
    question: "Which of our pages rank in search engine A?",
    async plan(call) {
      const given = { ...(await readProjectIds(call)), sources: ["SEARCH_A"] };
      const { data } = await call("list_keywords_metrics", given);
      return pages(data);
    },
    truth: (demo) => pages(keywordRows(demo, ["SEARCH_A"])),
  },
  {
    question: "Who leads among people who look for an office machine?",
    async plan(call) {
      const ids = await readProjectIds(call);
      const { topics } = await call("get_project_filters", ids);
      const { data } = await call("list_top_brands", {
        ...ids,
        topics: [findByName<{ name: string }>(topics, "Offices").name],
      });
      return data[0].brand;
    },
    truth: (demo) => rankBrands(demo, ({ keyword }) => keyword.topic === "Offices")[0]?.["brand"],
  },
  {
    question: "How present are we for first-time buyers?",
    async plan(call) {
      const ids = await readProjectIds(call);
      const { personas } = await call("get_project_filters", ids);
      const persona = findByName<{ name: string }>(personas, "First-time buyer");
      const given = { ...ids, personas: [persona.name], brands: ["Kestrova"] };
      return (await call("list_top_brands", given)).data[0].presence_rate;
    },
    truth: (demo) =>
      rowOf(
        rankBrands(demo, ({ keyword }) => keyword.persona_id === demo.personas["First-time buyer"]),
        "Kestrova",
      )["presence_rate"],
  },
  {
    question: "At which stage of the funnel are we strongest?",
    async plan(call) {
      const given = { ...(await readProjectIds(call)), keyword_types: ["Generic"] };
      const { data } = await call("list_keywords_metrics", given);
      return findMax(funnel(data), ({ score }) => score)?.stage;
    },
    truth(demo) {
      const rows = keywordRows(demo, demo.sources).filter((row) => row["type"] === "Generic");
      return findMax(funnel(rows), ({ score }) => score)?.stage;
    },
  },
  {
    question: "When people ask about us by name, which competitor is named most with us?",
    async plan(call) {
      const { data } = await call("list_top_brands", { ...(await readProjectIds(call)), keyword_types: ["Brand"] });
      return findMax(rivals(data), (row) => Number(row["occurrences"]))?.["brand"];
    },
    truth(demo) {
      const { data } = expectedTopBrands(demo, namingOwn, [RUN_COUNT], [RUN_COUNT - 1]);
      return findMax(rivals(data), (row) => Number(row["occurrences"]))?.["brand"];
    },
  },
  {
    question: "Are these figures measured on real assistants?",
    async plan(call) {
      const { basis } = await call("list_top_brands", { ...(await readProjectIds(call)), limit: 1 });
      return /collected by (.*)/.exec(String(basis.legend))?.[1];
    },
    truth: () => "simulated",
  },
];

export function isLost(row: Row): boolean {
  const [now, before] = [row["search_a_seo_rank"], row["search_a_seo_previous_rank"]];
  return before !== undefined && (now === undefined || Number(now) > Number(before));
}

function pages(rows: Row[]): string[] {
  const urls = rows.map((row) => row["search_a_seo_url"]).filter((url) => typeof url === "string");
  return [...new Set(urls)].toSorted();
}

function rowOf(rows: Row[], brand: string): Row {
  return rows.find((row) => row["brand"] === brand) ?? {};
}
