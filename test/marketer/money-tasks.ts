import { RUN_COUNT } from "../../src/demo/demo-content.ts";
import type { Demo } from "./demo.ts";
import { analysisIds, findByName, workspaceIds, type Call, type Task } from "./task.ts";

// Questions about credits, and about creations by tools.

/** Pages in the sitemap of the bundled site. */
const AUDITED_PAGES = 12;

const ONE_QUESTION = {
  name: "Travel",
  website: "https://kestrova.example",
  thematics: [{ name: "Travel", topics: [{ name: "Travel", keywords: [{ text: "best travel espresso machine" }] }] }],
  runs_per_prompt: 3,
};

async function priceOf(call: Call, sources: string[]) {
  const ids = await workspaceIds(call);
  const { data: brands } = await call("list_brands", ids);
  const own = findByName<{ name: string; id: string }>(brands, "Kestrova");
  return { ids, quote: await call("price_search_analysis", { ...ids, ...ONE_QUESTION, brand: own.name, sources }) };
}

export async function readCredits({ person, organizationPath }: Demo) {
  return (await person.get(`${organizationPath}/credits`)).body;
}

export const MONEY_TASKS: Task[] = [
  {
    question: "How many credits are left, and how many are reserved?",
    async plan(call) {
      const { organization } = await workspaceIds(call);
      const { available, reserved } = await call("get_credits", { organization });
      return { available, reserved };
    },
    async truth(demo) {
      const { available, reserved } = await readCredits(demo);
      return { available, reserved };
    },
  },
  {
    question: "What did the last collect cost, and how many of its questions were answered?",
    async plan(call) {
      const { data } = await call("list_collects", { ...(await analysisIds(call)), limit: 1 });
      const [{ cost, succeeded, planned }] = data;
      return { cost: cost.spent_credits, succeeded, planned };
    },
    truth({ asked }) {
      const questions = asked.filter(({ collect }) => collect === RUN_COUNT).length;
      return { cost: questions, succeeded: questions, planned: questions };
    },
  },
  {
    question: "What were credits spent on so far?",
    async plan(call) {
      const { organization } = await workspaceIds(call);
      const { data } = await call("list_credit_ledger", { organization, limit: 100 });
      return data
        .filter((entry: { kind: string }) => entry.kind === "spend")
        .reduce((sum: number, entry: { reserved_delta: number }) => sum - entry.reserved_delta, 0);
    },
    // Search analysis: one per answer. Brand analysis: its credits. Audit: one per page.
    // Evaluation: one page.
    truth: ({ asked, opinions }) => asked.length + opinions.credits + AUDITED_PAGES + 1,
  },
  {
    question: "What would it cost to ask assistants A and B about travel machines, three times each?",
    async plan(call) {
      const { quote } = await priceOf(call, ["ASSISTANT_A", "ASSISTANT_B"]);
      return { credits: quote.cost.total_credits, after: quote.balance.after };
    },
    async truth(demo) {
      const { available } = await readCredits(demo);
      return { credits: 6, after: available - 6 };
    },
  },
  {
    question: "And what does it add to ask search engine A too?",
    async plan(call) {
      const { quote } = await priceOf(call, ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A"]);
      return quote.cost.breakdown.reduce((sum: number, row: { credits: number }) => sum + row.credits, 0) - 6;
    },
    truth: () => 3,
  },
  {
    question: "Good: set that up for assistant A.",
    async plan(call) {
      const { ids, quote } = await priceOf(call, ["ASSISTANT_A"]);
      const made = await call("create_search_analysis", { ...ids, quote_id: quote.quote_id });
      return { name: made.name, type: made.type };
    },
    async truth({ person, path }) {
      const { data } = (await person.get(`${path}/analyses`)).body;
      const { name, type } = data.at(-1);
      return { name, type };
    },
  },
  {
    question: "What would it cost to have our page judged for small kitchens?",
    async plan(call) {
      const ids = await workspaceIds(call);
      const { data } = await call("list_assets", ids);
      const given = { name: "Small kitchens", category: "small kitchens", attributes: ["narrow"], language: "en" };
      const { cost } = await call("price_asset_evaluation", { ...ids, ...given, assets: [data[0].name] });
      return cost.total_credits;
    },
    truth: () => 1,
  },
  {
    question: "Add a persona for café owners.",
    async plan(call) {
      const given = { name: "Café owner", language: "en", country: "US", motivations: ["A machine that never stops"] };
      const { id, name } = await call("create_persona", { ...(await workspaceIds(call)), ...given });
      return { id, name };
    },
    async truth({ person, path }) {
      const { data } = (await person.get(`${path}/personas`)).body;
      const { id, name } = findByName<{ name: string; id: string }>(data, "Café owner");
      return { id, name };
    },
  },
  {
    question: "May I create things here?",
    async plan(call) {
      const { organizations } = await call("get_me");
      return findByName<{ name: string; role: string }>(organizations, "Demo (simulated)").role;
    },
    truth: () => "owner",
  },
];
