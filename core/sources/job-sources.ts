import { SOURCES, WEBSITE, type Source } from "./sources.ts";

/** Methods that a setup can name, to compare them on the same prompts. */
export const CHOSEN_METHODS = ["api", "capture"] as const;
export type ChosenMethod = (typeof CHOSEN_METHODS)[number];

/** Sources with a choice of method; result pages have one. */
const ASSISTANTS = [
  "ASSISTANT_A",
  "ASSISTANT_B",
  "ASSISTANT_C",
  "ASSISTANT_D",
  "MARKETPLACE_ASSISTANT",
] as const satisfies readonly Source[];
type Assistant = (typeof ASSISTANTS)[number];

/** A source as addressed by jobs: with the default provider, or one of a named method. */
export type JobSource = Source | `${Assistant}:${ChosenMethod}`;

const SOURCES_WITH_METHOD = ASSISTANTS.flatMap((source) =>
  CHOSEN_METHODS.map((method): `${Assistant}:${ChosenMethod}` => `${source}:${method}`),
);
export const JOB_SOURCES: readonly JobSource[] = [...SOURCES, ...SOURCES_WITH_METHOD];

/** Targets of a collect's jobs. */
export const JOB_TARGETS = [...SOURCES, ...SOURCES_WITH_METHOD, WEBSITE] as const;
export type JobTarget = JobSource | typeof WEBSITE;

/** False for a website, whose pages are fetched. */
export function isSource(asked: JobTarget): asked is JobSource {
  return asked !== WEBSITE;
}

/** Expands the sources of a setup by its methods; only assistants have methods. */
export function expandSources(sources: readonly Source[], methods: readonly ChosenMethod[]): JobSource[] {
  return sources.flatMap((source): readonly JobSource[] => {
    return isAssistant(source) && methods.length > 0 ? methods.map((method) => withMethod(source, method)) : [source];
  });
}

function isAssistant(source: Source): source is Assistant {
  return ASSISTANTS.some((assistant) => assistant === source);
}

function withMethod(source: Assistant, method: ChosenMethod): `${Assistant}:${ChosenMethod}` {
  return `${source}:${method}`;
}

/** Source without its method. */
export function sourceOf(asked: JobSource): Source {
  const found = SOURCES.find((source) => asked === source || asked.startsWith(`${source}:`));
  if (!found) throw new Error("an asked source that is none");
  return found;
}

/** Named method, or undefined. */
export function namedMethodOf(asked: JobSource): ChosenMethod | undefined {
  return CHOSEN_METHODS.find((method) => asked.endsWith(`:${method}`));
}

/** A source with each of its methods. */
export function listSourceVariants(source: Source): JobSource[] {
  return JOB_SOURCES.filter((asked) => sourceOf(asked) === source);
}
