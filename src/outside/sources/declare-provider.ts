import type { z } from "zod";
import { isResultPageSource, SOURCES, type Source } from "../../../core/sources/sources.ts";
import { ProviderError } from "./provider-error.ts";
import type {
  CapturedAnswer,
  ProviderDeclaration,
  DeclaredProvider,
  KeywordTasks,
  Methods,
  ProviderFacts,
  Question,
  ProviderCallOptions,
  Tasks,
  TaskState,
  ProviderMode,
} from "./provider.ts";

export function declareProvider<Settings extends z.ZodObject, Configured>(
  declaration: ProviderDeclaration<Settings, Configured>,
): DeclaredProvider {
  const { name, title, serves, mayServe = {}, settings, needs, recordedOn, check } = declaration;
  const methods = { ...mayServe, ...serves };
  return {
    name,
    title,
    serves,
    mayServe,
    settings,
    needs,
    recordedOn,
    hasTasks: declaration.tasks !== undefined,
    hasKeywords: declaration.keywords !== undefined,
    hasCheck: check !== undefined,
    open(variables, process) {
      const configured = declaration.configure(settings.parse(variables));
      if (configured === undefined) return undefined;
      const limits = declaration.limits(configured);
      const facts: ProviderFacts = {
        name,
        title,
        needs,
        variables: Object.keys(settings.shape),
        methods,
        servedSources: SOURCES.filter((source) => serves[source] !== undefined),
        limits: {
          concurrency: limits.concurrency ?? process.concurrency,
          requestsPerMinute: limits.requestsPerMinute ?? null,
          tokensPerMinute: limits.tokensPerMinute ?? null,
          spendCapUsd: limits.spendCapUsd ?? null,
          dailyCapUsd: limits.dailyCapUsd ?? null,
        },
        model: declaration.model?.(configured) ?? null,
        price: (source) => declaration.price(configured, source),
        check: check && (({ signal }) => check({ configured, signal })),
      };
      const inside = (asked: ProviderCallOptions) => ({ ...asked, configured });
      const keywords = declaration.keywords?.(configured);
      const way = adaptMode(declaration, inside, (answer, { source }) =>
        toProviderAnswer(answer, source, { name, methods }),
      );
      return { ...facts, ...way, keywords: keywords && adaptKeywords(keywords, inside) };
    },
  };
}

/** Throws for an empty answer that is not marked as absent. */
function toProviderAnswer(answer: CapturedAnswer, source: Source, provider: { name: string; methods: Methods }) {
  const collectionMethod = provider.methods[source];
  if (collectionMethod === undefined)
    throw new Error(`${provider.name} was asked for ${source}, which it does not serve`);
  const isEmpty = isResultPageSource(source) ? answer.results.length === 0 : answer.text.trim() === "";
  if (isEmpty && !answer.showedNothing) {
    const { rawBody, costUsd } = answer;
    throw new ProviderError("malformed", {
      message: "The provider's answer has no readable content.",
      rawBody,
      costUsd: costUsd ?? undefined,
    });
  }
  return { ...answer, provider: provider.name, collectionMethod };
}

export function adaptKeywords<Inner, Outer>(
  keywords: KeywordTasks<Inner>,
  contextOf: (outer: Outer) => Inner,
): KeywordTasks<Outer> {
  return { ...keywords, ...adaptTasks(keywords, contextOf, (answer) => answer) };
}

export function adaptMode<Inner, Outer, Answer>(
  { ask, tasks }: ProviderMode<Inner>,
  contextOf: (outer: Outer) => Inner,
  answered: (answer: CapturedAnswer, question: Question) => Answer,
): ProviderMode<Outer, Answer> {
  if (ask) return { ask: async (question, outer) => answered(await ask(question, contextOf(outer)), question) };
  return { tasks: adaptTasks(tasks, contextOf, answered) };
}

function adaptTasks<Inner, Outer, Told, Answer, Asked>(
  { submit, poll, afterUnknown, pollEveryMs, maxTaskMs }: Tasks<Inner, Told, Asked>,
  contextOf: (outer: Outer) => Inner,
  answered: (answer: Told, asked: Asked) => Answer,
): Tasks<Outer, Answer, Asked> {
  const toState = (task: TaskState<Told>, asked: Asked): TaskState<Answer> =>
    task.state === "answered" ? { ...task, answer: answered(task.answer, asked) } : task;
  return {
    pollEveryMs,
    maxTaskMs,
    submit: async (asked, begun, outer) => toState(await submit(asked, begun, contextOf(outer)), asked),
    poll: async (task, asked, outer) => toState(await poll(task, asked, contextOf(outer)), asked),
    afterUnknown:
      typeof afterUnknown === "string"
        ? afterUnknown
        : async (begun, asked, outer) => {
            const found = await afterUnknown(begun, asked, contextOf(outer));
            return !found || found.state === "untold" ? found : toState(found, asked);
          },
  };
}
