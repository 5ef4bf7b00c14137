import type { Answered, Question, Tasks, TaskState, Way } from "./provider.ts";

/** The same way to be asked in another context, with what becomes of its answers. */
export function wayIn<Inner, Outer, Answer>(
  { ask, tasks }: Way<Inner>,
  contextOf: (outer: Outer) => Inner,
  answered: (answer: Answered, question: Question) => Answer,
): Way<Outer, Answer> {
  if (ask) return { ask: async (question, outer) => answered(await ask(question, contextOf(outer)), question) };
  return { tasks: tasksIn(tasks, contextOf, answered) };
}

/** The same tasks in another context, with what becomes of their answers. */
export function tasksIn<Inner, Outer, Told, Answer, Asked>(
  { submit, poll, afterUnknown, pollEveryMs, giveUpAfterMs }: Tasks<Inner, Told, Asked>,
  contextOf: (outer: Outer) => Inner,
  answered: (answer: Told, asked: Asked) => Answer,
): Tasks<Outer, Answer, Asked> {
  const stateOf = (task: TaskState<Told>, asked: Asked): TaskState<Answer> =>
    task.state === "answered" ? { ...task, answer: answered(task.answer, asked) } : task;
  return {
    pollEveryMs,
    giveUpAfterMs,
    submit: async (asked, begun, outer) => stateOf(await submit(asked, begun, contextOf(outer)), asked),
    poll: async (task, asked, outer) => stateOf(await poll(task, asked, contextOf(outer)), asked),
    afterUnknown:
      typeof afterUnknown === "string"
        ? afterUnknown
        : async (begun, asked, outer) => {
            const found = await afterUnknown(begun, asked, contextOf(outer));
            return !found || found.state === "untold" ? found : stateOf(found, asked);
          },
  };
}
