import { GARBLED, PAGES, textFor, type ProviderReply, type Wire } from "../wire.ts";

const MICROS = 600;

function taskReply(
  id: string,
  code: number,
  { result = null, micros = 0 }: { result?: unknown; micros?: number } = {},
): ProviderReply {
  const cost = micros / 1_000_000;
  const task = {
    id,
    status_code: code,
    status_message: code === 40_102 ? "There are no results here." : "…",
    cost,
    result,
  };
  return { body: { status_code: 20_000, status_message: "Ok.", cost, tasks_count: 1, tasks: [task] }, micros };
}

function failed(code: number): ProviderReply {
  return { body: { status_code: code, status_message: "…", cost: 0, tasks: null } };
}

interface Listing {
  datetime_from: string;
  datetime_to: string;
  limit: number;
  offset: number;
}

/**
 * DataForSEO: tasks are billed on acceptance, error codes come with status 200, and all tasks can
 * be listed by tag.
 */
export const dataforseo: Wire = {
  name: "dataforseo",
  prefix: "DATAFORSEO",
  sources: ["SEARCH_A"],
  base: "/dataforseo/v3",
  env: { DATAFORSEO_LOGIN: "login", DATAFORSEO_PASSWORD: "word", DATAFORSEO_KEYWORDS: "off" },
  read({ path, body }) {
    if (path !== "/serp/bing/organic/task_post") return undefined;
    const [{ keyword, tag }] = body as [{ keyword: string; tag: string }];
    return { source: "SEARCH_A", prompt: keyword, key: tag };
  },
  answer(question, task) {
    const items = PAGES.map((url, at) => ({
      type: "organic",
      rank_group: at + 1,
      url,
      title: question.prompt,
      description: textFor(question),
    }));
    return taskReply(task, 20_000, { result: [{ keyword: question.prompt, items_count: items.length, items }] });
  },
  says: {
    limited: () => failed(40_202),
    quota: () => failed(40_200),
    down: () => ({ status: 500, body: failed(50_000).body }),
    error: (_, { task }) => taskReply(task, 40_101),
    garbled: () => ({ body: GARBLED }),
    refusal: (_, { task }) => taskReply(task, 40_102),
    rejected: () => failed(40_501),
  },
  tasks: {
    polled: ({ path }) => /\/task_get\/advanced\/(.+)$/.exec(path)?.[1],
    taken: (_, task) => taskReply(task, 20_100, { micros: MICROS }),
    pending: (_, task) => taskReply(task, 40_602),
    // It accepts and bills the same tag again, so no submission may be repeated.
    known: (_, task) => taskReply(`${task}-again`, 20_100, { micros: MICROS }),
    polls: 0,
    listed({ path, body }, tasks) {
      if (path !== "/serp/id_list") return undefined;
      const [{ datetime_from, datetime_to, limit, offset }] = body as [Listing];
      const [from, to] = [Date.parse(datetime_from), Date.parse(datetime_to)];
      const within = tasks.filter(({ atMs }) => atMs >= from && atMs <= to).slice(offset, offset + limit);
      const result = within.map(({ id, key }) => ({ id, cost: MICROS / 1_000_000, metadata: { tag: key } }));
      return taskReply("list", 20_000, { result });
    },
  },
};
