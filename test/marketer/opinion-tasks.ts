import { BRAND_ANALYSIS_SETUP, OWN_BRAND } from "../../src/demo/demo-content.ts";
import type { Demo } from "./demo.ts";
import type { OpinionAnswer } from "./opinion-rows.ts";
import type { Fact, Question } from "./question.ts";
import { workspaceIds, type Call, type Task } from "./task.ts";

// Questions about models' opinions, answered by the demo's brand analysis.

// oxlint-disable-next-line typescript/no-explicit-any -- a plan says what it reads of a result
type Rows = any[];

/** Its rows of a metric; three calls. */
async function metric(call: Call, tool: string, given: Record<string, unknown> = {}): Promise<Rows> {
  const ids = await workspaceIds(call);
  const { data } = await call("list_analyses", ids);
  const own = data.find(({ type }: { type: string }) => type === "brand_analysis");
  return (await call(tool, { ...ids, analysis: own.name, ...given })).data;
}

const latestAnswers = ({ opinions }: Demo) =>
  opinions.answers.filter(({ collect }) => collect === BRAND_ANALYSIS_SETUP.collects);
/** Answers to prompts without invented names and without pros and cons. */
const unsolicitedAnswers = (demo: Demo) =>
  latestAnswers(demo).filter(
    ({ kind, lookAlike, asksProsCons }) =>
      ["unaided", "aided", "perception"].includes(kind ?? "") && lookAlike === null && !asksProsCons,
  );
const unsolicitedAnswersOfAnyKind = (demo: Demo) =>
  latestAnswers(demo).filter(({ lookAlike, asksProsCons }) => lookAlike === null && !asksProsCons);
/** Clauses that judge a brand by an attribute, and answers with one. */
function judgedOn(demo: Demo, brand: string, attribute: string): [spans: number, answers: number] {
  const spans = unsolicitedAnswersOfAnyKind(demo)
    .map(({ attributes }) => attributes.filter((one) => one.brand === brand && one.attribute === attribute).length)
    .filter((count) => count > 0);
  return [spans.reduce((sum, count) => sum + count, 0), spans.length];
}

/** Per rival in an answer: 0 if it prefers us as a whole, 1 the rival, 2 for a draw. */
function preferences(answer: OpinionAnswer): [rival: string, at: number][] {
  const comparisons = answer.comparisons
    .filter(({ aspect }) => aspect === null)
    .flatMap((one) => (one.isDraw ? [one, { ...one, better: one.worse, worse: one.better }] : [one]));
  const won = new Set(comparisons.filter(({ better }) => better === OWN_BRAND).map(({ worse }) => worse));
  const lost = new Set(comparisons.filter(({ worse }) => worse === OWN_BRAND).map(({ better }) => better));
  return [...new Set([...won, ...lost])].map((rival) => [rival, won.has(rival) ? (lost.has(rival) ? 2 : 0) : 1]);
}

const aided = (demo: Demo, of: (answer: OpinionAnswer) => boolean = () => true) =>
  latestAnswers(demo).filter(
    (one) => one.kind === "aided" && one.lookAlike === null && one.asked === OWN_BRAND && of(one),
  );
const names = (one: OpinionAnswer, brand = OWN_BRAND) => one.stances.some((stance) => stance.brand === brand);
const share = (some: readonly unknown[], all: readonly unknown[]) => Number((some.length / all.length).toFixed(6));

/** Answers per head with such a point of the own brand, most first. */
function heads(demo: Demo, polarity: "pro" | "con"): [head: string, answers: number][] {
  const counts = new Map<string, number>();
  for (const { points } of unsolicitedAnswers(demo)) {
    const own = points.filter((point) => point.brand === OWN_BRAND && point.polarity === polarity);
    for (const head of new Set(own.map((point) => point.head))) counts.set(head, (counts.get(head) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 5);
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]) => (String(a) < String(b) ? -1 : 1);
const phraseCounts = (points: Rows) => points.map(({ head, answers }) => [head, answers]);
const counted = (claims: OpinionAnswer[], attribute: string, verdict: string) =>
  claims.filter((one) => one.claims.some((claim) => claim.attribute === attribute && claim.verdict === verdict)).length;

export const OPINION_TASKS: Task[] = [
  {
    question: "What do assistants hold against us?",
    plan: async (call) => phraseCounts((await metric(call, "get_brand_perception", { brands: [OWN_BRAND] }))[0].cons),
    truth: (demo) => heads(demo, "con"),
  },
  {
    question: "What do assistants praise about us?",
    plan: async (call) => phraseCounts((await metric(call, "get_brand_perception", { brands: [OWN_BRAND] }))[0].pros),
    truth: (demo) => heads(demo, "pro"),
  },
  {
    question: "Do they know us in Germany?",
    async plan(call) {
      const rows = await metric(call, "get_brand_awareness", { group_by: ["country"] });
      const { asked, recognised } = rows.find(({ country }) => country === "DE");
      return [recognised, asked];
    },
    truth(demo) {
      const asked = aided(demo, ({ country, verdict }) => country === "DE" && verdict !== null);
      return [asked.filter(({ verdict }) => verdict === "recognised").length, asked.length];
    },
  },
  {
    question: "Which facts do they get wrong, and where from?",
    async plan(call) {
      const rows = await metric(call, "list_claims", { verdict: "contradicted" });
      return rows.map(({ attribute, contradicted, pages }) => {
        const wrong = pages.filter((page: { contradicted: number }) => page.contradicted > 0);
        return [attribute, contradicted, wrong.map(({ url }: { url: string }) => url).toSorted()];
      });
    },
    truth(demo) {
      const attributes = new Set(latestAnswers(demo).flatMap(({ claims }) => claims.map(({ attribute }) => attribute)));
      return [...attributes]
        .map((attribute): [string, number, string[]] => {
          const wrong = latestAnswers(demo).flatMap(({ claims }) =>
            claims.filter((one) => one.attribute === attribute && one.verdict === "contradicted"),
          );
          const pages = [...new Set(wrong.flatMap(({ url }) => url ?? []))].toSorted();
          return [attribute, counted(latestAnswers(demo), attribute, "contradicted"), pages];
        })
        .filter(([, contradicted]) => contradicted > 0)
        .toSorted(([, a], [, b]) => b - a);
    },
  },
  {
    question: "Which facts do they get right?",
    async plan(call) {
      const rows = await metric(call, "list_claims", { verdict: "agreed" });
      return Object.fromEntries(rows.map(({ attribute, agreed }) => [attribute, agreed]));
    },
    truth(demo) {
      const right = latestAnswers(demo).flatMap(({ claims }) => claims.filter(({ verdict }) => verdict === "agreed"));
      const attributes = [...new Set(right.map(({ attribute }) => attribute))];
      return Object.fromEntries(attributes.map((one) => [one, counted(latestAnswers(demo), one, "agreed")]));
    },
  },
  {
    question: "Do we come to mind when nobody names us?",
    async plan(call) {
      const [{ unaided, answers }] = await metric(call, "get_brand_awareness", { brands: [OWN_BRAND] });
      return [unaided, answers];
    },
    truth(demo) {
      const all = latestAnswers(demo).filter(({ kind }) => kind === "unaided");
      return [
        share(
          all.filter((one) => names(one)),
          all,
        ),
        all.length,
      ];
    },
  },
  {
    question: "Which assistant advises against us most often?",
    async plan(call) {
      const rows = await metric(call, "get_brand_perception", { group_by: ["source"] });
      return rows.map(({ answers, discouraged }) => [answers, discouraged]);
    },
    truth: (demo) =>
      BRAND_ANALYSIS_SETUP.sources.map((source) => {
        const own = unsolicitedAnswers(demo).filter((one) => one.source === source && names(one));
        const against = own.filter(({ stances }) => {
          const mine = new Set(stances.filter(({ brand }) => brand === OWN_BRAND).map(({ stance }) => stance));
          return mine.has("discouraged") && !mine.has("winner") && !mine.has("recommended");
        });
        return [own.length, against.length];
      }),
  },
  {
    question: "Has what they hold against us changed since the collect before?",
    async plan(call) {
      const [{ con_rate, judged, con_rate_change: change }] = await metric(call, "get_brand_perception", {
        brands: [OWN_BRAND],
      });
      return [con_rate, judged, typeof change.verdict];
    },
    truth(demo) {
      const all = unsolicitedAnswers(demo).filter((one) => names(one));
      const cons = all.filter(({ points }) =>
        points.some(({ brand, polarity }) => brand === OWN_BRAND && polarity === "con"),
      );
      return [share(cons, all), all.length, "string"];
    },
  },
  {
    question: "Which rivals do they prefer to us?",
    async plan(call) {
      const rows = await metric(call, "get_comparisons");
      return rows.map(({ rival, wins, losses, both }) => [rival, wins, losses, both]).toSorted(byName);
    },
    truth(demo) {
      const rivals = new Map<string, number[]>();
      for (const answer of latestAnswers(demo).filter(({ asksProsCons }) => !asksProsCons)) {
        for (const [rival, at] of preferences(answer)) {
          // Prompts that name only one of the pair do not count.
          if (answer.kind !== "unaided" && !(answer.kind === "comparison" && answer.other === rival)) continue;
          const counts = rivals.get(rival) ?? [0, 0, 0];
          counts[at] = (counts[at] ?? 0) + 1;
          rivals.set(rival, counts);
        }
      }
      return [...rivals].map(([rival, counts]) => [rival, ...counts]).toSorted(byName);
    },
  },
  {
    question: "Who wins against us on price?",
    async plan(call) {
      const rows = await metric(call, "get_attributes", { attributes: ["price"] });
      const judged = rows.filter(({ spans }) => spans > 0);
      return judged.map(({ brand, spans, answers }) => [brand, spans, answers]).toSorted(byName);
    },
    truth(demo) {
      const spoken = unsolicitedAnswersOfAnyKind(demo).flatMap(({ attributes }) =>
        attributes.map(({ brand }) => brand),
      );
      const rows = [...new Set(spoken)].map((brand) => [brand, ...judgedOn(demo, brand, "price")]);
      return rows.filter(([, spans]) => Number(spans) > 0).toSorted(byName);
    },
  },
  {
    question: "How do they judge us on ease of cleaning and on price?",
    async plan(call) {
      const rows = await metric(call, "get_attributes", { brands: [OWN_BRAND] });
      return Object.fromEntries(rows.map(({ attribute, spans, answers }) => [attribute, [spans, answers]]));
    },
    truth: (demo) =>
      Object.fromEntries(
        BRAND_ANALYSIS_SETUP.attributes.map((attribute) => [attribute, judgedOn(demo, OWN_BRAND, attribute)]),
      ),
  },
];

const facts = (question: string): Question["facts"] => {
  const task = OPINION_TASKS.find((one) => one.question === question);
  if (!task) throw new Error(`no task is called ${question}`);
  return (demo) => task.truth(demo) as Fact[];
};

/** Questions also played, each with the rows its results must have. */
export const OPINION_QUESTIONS: Question[] = [
  {
    question: "What do models praise about us, and what do they blame?",
    facts: facts("What do assistants praise about us?"),
  },
  { question: "Which cons do models name of us?", facts: facts("What do assistants hold against us?") },
  {
    question: "How often do we come to mind unaided?",
    facts: (demo) => [[OWN_BRAND, ...(facts("Do we come to mind when nobody names us?")(demo) as unknown as number[])]],
  },
  {
    question: "Do assistants know our brand when it is not named in the prompt?",
    facts: (demo) => [[OWN_BRAND, ...(facts("Do we come to mind when nobody names us?")(demo) as unknown as number[])]],
  },
  {
    question: "Which facts are told wrong, and where from?",
    facts: (demo) =>
      (facts("Which facts do they get wrong, and where from?")(demo) as [string, number][]).map(
        ([attribute, wrong]) => [attribute, wrong],
      ),
  },
  { question: "Which rivals do answers prefer to us?", facts: facts("Which rivals do they prefer to us?") },
  { question: "Who does best on the attribute price?", facts: facts("Who wins against us on price?") },
];
