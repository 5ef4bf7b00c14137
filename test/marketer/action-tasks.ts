import { RUN_COUNT } from "../../src/demo/demo-content.ts";
import { planAnswer } from "../../src/outside/sources/simulated/plan.ts";
import { readWorld } from "../../src/outside/sources/simulated/world-file.ts";
import type { Demo } from "./demo.ts";
import { isForPeople, isManagedByPeople, pageOf } from "./person-tasks.ts";
import { workspaceIds, type Call, type Task } from "./task.ts";

// Questions about recommended actions and other stored things.

interface Action {
  id: string;
  organization_id: string;
  workspace_id: string;
  action_label: string;
  channel: string;
  score: number;
}

const ANALYSIS = "Espresso machines in assistants and search";

/** The most valuable action of the search analysis, as a list shows it; two calls. */
async function topAction(call: Call) {
  const ids = await workspaceIds(call);
  const { data } = await call("list_recommended_actions", { ...ids, analysis: ANALYSIS, limit: 1 });
  return { ids: { ...ids, action: (data[0] as Action).id }, action: data[0] as Action };
}

/** Every action of the search analysis over REST, or of all, the most valuable first. */
export async function listActions({ person, path, analysis }: Demo, ofAll = false): Promise<Action[]> {
  const of = ofAll ? "" : `&analysis_id=${analysis.id}`;
  const { data } = (await person.get(`${path}/recommended-actions?limit=100${of}`)).body;
  return data.toSorted((a: Action, b: Action) => b.score - a.score);
}

interface Row {
  keyword: string | null;
  source: string | null;
  domain: string | null;
  answers: number;
  occurrences: number;
}

/** Evidence of a keyword on one channel. */
const shown = ({ keyword, source, answers, occurrences }: Row) => ({ keyword, source, answers, occurrences });
const ofOneKeyword = ({ keyword, source, domain }: Row) =>
  keyword !== null && source !== null && (domain ?? null) === null;

export const ACTION_TASKS: Task[] = [
  {
    question: "What should we do first?",
    async plan(call) {
      const { action } = await topAction(call);
      return action.action_label;
    },
    truth: async (demo) => (await listActions(demo))[0]?.action_label,
  },
  {
    question: "Why? On which keywords are we missing there, and how often did we look?",
    async plan(call) {
      const { ids } = await topAction(call);
      const { evidence } = await call("get_recommended_action", ids);
      return evidence.filter(ofOneKeyword).map(shown);
    },
    async truth(demo) {
      const [first] = await listActions(demo);
      const { evidence } = (await demo.person.get(`${demo.path}/recommended-actions/${first?.id}`)).body;
      const own = demo.brands.find(({ name }) => name === "Kestrova")?.id;
      return evidence.filter(ofOneKeyword).map(({ keyword, source }: Row) => {
        const answers = demo.asked.filter(
          (one) =>
            one.collect === RUN_COUNT &&
            one.keyword.text === keyword &&
            one.source === source &&
            one.truth.isInformative,
        );
        const seen = answers.filter(({ truth }) => truth.brandRanks.some(({ brand_id }) => brand_id === own));
        return { keyword, source, answers: answers.length, occurrences: seen.length };
      });
    },
  },
  {
    question: "Send the brief of our top action to the writers by Friday.",
    async plan(call) {
      const { ids } = await topAction(call);
      const { data } = await call("list_recommended_action_tasks", ids);
      const which = { ...ids, task: data[0].id };
      const brief = await call("get_recommended_action_brief", which);
      return { title: brief.title, sent: brief.partner_brief_id, page: pageOf(brief) };
    },
    async truth(demo) {
      const [first] = await listActions(demo);
      if (!first) throw new Error("the demo has no action");
      const at = `${demo.path}/recommended-actions/${first.id}/tasks`;
      const { data } = (await demo.person.get(at)).body;
      const { title } = (await demo.person.get(`${at}/${data[0].id}/brief`)).body;
      const { organization_id, workspace_id, id } = first;
      const page = `${demo.baseUrl}/actions/${organization_id}/${workspace_id}/${id}/${data[0].id}`;
      return { title, sent: null, page };
    },
  },
  {
    question: "We cannot do that one. Dismiss it.",
    async plan(call) {
      const { ids } = await topAction(call);
      return pageOf(await call("get_recommended_action", ids));
    },
    async truth(demo) {
      const [first] = await listActions(demo);
      return `${demo.baseUrl}/actions/${first?.organization_id}/${first?.workspace_id}/${first?.id}`;
    },
  },
  {
    question: "What can we do about AI overviews?",
    async plan(call) {
      const given = { ...(await workspaceIds(call)), channel: "ai_overviews" };
      const { data } = await call("list_recommended_actions", given);
      return data.map((action: Action) => action.action_label);
    },
    truth: async (demo) =>
      (await listActions(demo, true))
        .filter(({ channel }) => channel === "ai_overviews")
        .map(({ action_label }) => action_label),
  },
  {
    question: "Is there a brand in the answers that we do not track yet?",
    async plan(call) {
      const { data } = await call("list_brand_suggestions", await workspaceIds(call));
      return data.map(({ text, occurrences }: { text: string; occurrences: number }) => [text, occurrences]);
    },
    truth: (demo) => [["Mondocup", answersNaming(demo, "Mondocup")]],
  },
  {
    question: "Which questions is the page about offices to answer?",
    async plan(call) {
      const ids = await workspaceIds(call);
      const { data } = await call("list_content_briefs", ids);
      const brief = await call("get_content_brief", { ...ids, content_brief: data[0].title });
      return brief.target_prompts.map((prompt: { keyword: string }) => prompt.keyword).toSorted();
    },
    truth: ({ keywords }) =>
      keywords
        .filter(({ topic }) => topic === "Offices")
        .map(({ text }) => text)
        .toSorted((a, b) => (a < b ? -1 : 1)),
  },
  {
    question: "Plan a page for small kitchens as well.",
    plan: async () => isManagedByPeople("content briefs"),
    truth: (demo) => isForPeople(demo, "create_content_brief"),
  },
  {
    question: "Which analyses are tagged with Winter?",
    async plan(call) {
      const ids = await workspaceIds(call);
      const { data } = await call("list_analyses", { ...ids, tag: "Winter" });
      return data.map(({ name }: { name: string }) => name);
    },
    truth: ({ analysis }) => [analysis.name],
  },
  {
    question: "How well does our page do, and on which points does it say nothing?",
    async plan(call) {
      const ids = await workspaceIds(call);
      const { data: evaluations } = await call("list_asset_evaluations", ids);
      const given = { ...ids, evaluation: evaluations[0].name };
      const { data } = await call("list_asset_evaluation_scores", given);
      return judged(data[0]);
    },
    async truth({ person, path }) {
      const { data } = (await person.get(`${path}/asset-evaluations`)).body;
      const scores = (await person.get(`${path}/asset-evaluations/${data[0].id}/scores`)).body.data;
      return judged(scores[0]);
    },
  },
  {
    question: "Which pages of ours are kept here, and how many words have they?",
    async plan(call) {
      const { data } = await call("list_assets", await workspaceIds(call));
      return data.map(({ name, word_count }: { name: string; word_count: number }) => [name, word_count]);
    },
    async truth({ person, path }) {
      const { data } = (await person.get(`${path}/assets`)).body;
      return data.map(({ name, word_count }: { name: string; word_count: number }) => [name, word_count]);
    },
  },
];

interface Judged {
  status: string;
  score: number;
  attributes: { attribute: string; score: number; quotes: object[] }[];
}

function judged({ status, score, attributes }: Judged) {
  const silent = attributes.filter(({ quotes }) => quotes.length === 0).map(({ attribute }) => attribute);
  return { status, score, silent };
}

/** Answers of all collects that name a brand, by the plan that each was written from. */
export function answersNaming(demo: Demo, name: string): number {
  const world = readWorld();
  const searched = demo.questions.filter((question) => {
    const { listed, aside, pages } = planAnswer(world, question);
    const members = [...listed, ...aside, ...pages].map(({ member }) => member?.name);
    return members.includes(name);
  });
  const asked = demo.opinions.answers.filter(({ text, lookAlike }) => lookAlike === null && text.includes(name));
  return searched.length + asked.length;
}
