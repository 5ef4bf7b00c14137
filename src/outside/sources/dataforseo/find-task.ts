import { z } from "zod";
import type { HttpContext } from "../http-provider.ts";
import { ProviderError } from "../provider-error.ts";
import type { StartedSubmission } from "../provider.ts";
import { readPart } from "./elements.ts";
import { readTask } from "./task.ts";

/** Delay until the provider lists an accepted task. */
const LISTED_AFTER_MS = 60_000;
/** Around the submission. At 2,000 requests per minute, its tasks fit into the pages of a list. */
const [SEARCH_FROM_MS, SEARCH_TO_MS] = [-60_000, 120_000];
const LIST_PAGE_SIZE = 1000;
const MAX_LIST_PAGES = 10;

const TaskListSchema = z.array(
  z.object({
    id: z.string(),
    cost: z.number().nullish(),
    metadata: z.looseObject({ tag: z.string().nullish() }).nullish(),
  }),
);

type FoundTask = { state: "pending"; taskId: string; costUsd: number } | { state: "untold"; waitMs: number };

/** docs.dataforseo.com/v3/appendix/id_list, which is free. Throws ProviderError. */
export async function findTask(
  { key, begunAt }: StartedSubmission,
  listed: string,
  { call }: Pick<HttpContext<unknown>, "call">,
): Promise<FoundTask | undefined> {
  const begun = Date.parse(begunAt);
  const now = Date.now();
  if (now < begun + LISTED_AFTER_MS) return { state: "untold", waitMs: begun + LISTED_AFTER_MS - now };
  const span = {
    datetime_from: formatTime(begun + SEARCH_FROM_MS),
    datetime_to: formatTime(Math.min(begun + SEARCH_TO_MS, now)),
    limit: LIST_PAGE_SIZE,
    include_metadata: true,
  };
  for (let list = 0; list < MAX_LIST_PAGES; list++) {
    const { text } = await call(listed, { json: [{ ...span, offset: list * LIST_PAGE_SIZE }] });
    const { error, result } = readTask(text);
    if (error) throw error;
    const tasks = readPart(result, TaskListSchema, text);
    const task = tasks.find(({ metadata }) => metadata?.tag === key);
    if (task) return { state: "pending", taskId: task.id, costUsd: task.cost ?? 0 };
    if (tasks.length < LIST_PAGE_SIZE) return undefined;
  }
  throw new ProviderError("unavailable", { message: "The provider lists too many tasks to find one." });
}

function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} +00:00`;
}
