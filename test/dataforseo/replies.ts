import type { Reply } from "../providers/fake-provider.ts";

export const ID = "11231400-0001-0066-0000-000000000001";
/** Response about one task. */
export function taskReply(code: number, { message = "Ok.", cost = 0, result = null }: Said = {}): Reply {
  const task = { id: ID, status_code: code, status_message: message, time: "0.1 sec.", cost, result };
  return { body: { status_code: 20000, status_message: "Ok.", cost, tasks_count: 1, tasks: [task] } };
}
interface Said {
  message?: string;
  cost?: number;
  result?: object[] | null;
}
export const createdReply = taskReply(20100, { message: "Task Created.", cost: 0.0012 });
export const doneReply = (...result: object[]) => taskReply(20000, { result });
export const resultPageReply = (...items: object[]) =>
  doneReply({ keyword: "best phone", items_count: items.length, items });
/** Response of a failed request. */
export const failedReply = (code: number): Reply => ({
  body: { status_code: code, status_message: "No.", cost: 0, tasks: null },
});

export const organic = (rank: number, host: string, more: object = {}) => ({
  type: "organic",
  rank_group: rank,
  rank_absolute: rank + 3,
  url: `https://${host}.example/`,
  title: `${host} phones`,
  description: `All of ${host}.`,
  ...more,
});
const reference = (host: string, title: string | null = null) => ({
  type: "ai_overview_reference",
  url: `https://${host}.example/`,
  title,
});
export const OVERVIEW = {
  type: "ai_overview",
  asynchronous_ai_overview: false,
  markdown:
    "Acme is solid.[](https://b.example/) [[1]](https://b.example/)[[2]](https://a.example/x_(y))\n\n![Acme](https://i.example/1.png)\n\n- **Rival**: light.",
  items: [{ type: "ai_overview_element", markdown: "Acme is solid.", references: [reference("b", "B on phones")] }],
  references: [reference("c", "C"), reference("b")],
};
