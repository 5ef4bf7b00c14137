import { SOURCES, WEBSITE, type Source } from "./sources.ts";

/** Methods of which a setup can name several, to have the same prompts asked in each. */
export const CHOSEN_METHODS = ["api", "capture"] as const;
export type ChosenMethod = (typeof CHOSEN_METHODS)[number];

/** Sources that can be asked by them. There is one way to read a page of results, whatever a setup names. */
const ASSISTANTS = [
  "ASSISTANT_A",
  "ASSISTANT_B",
  "ASSISTANT_C",
  "ASSISTANT_D",
  "MARKETPLACE_ASSISTANT",
] as const satisfies readonly Source[];
type Assistant = (typeof ASSISTANTS)[number];

/** A source as jobs ask it: by whichever provider answers it here, or by one of a method that the setup names. */
export type AskedSource = Source | `${Assistant}:${ChosenMethod}`;

const BY_METHOD = ASSISTANTS.flatMap((source) =>
  CHOSEN_METHODS.map((method): `${Assistant}:${ChosenMethod}` => `${source}:${method}`),
);
export const ASKED_SOURCES: readonly AskedSource[] = [...SOURCES, ...BY_METHOD];

/** Whatever the jobs of a collect ask. */
export const ASKED = [...SOURCES, ...BY_METHOD, WEBSITE] as const;
export type Asked = AskedSource | typeof WEBSITE;

/** True for what is asked a question, and false for a website, whose pages are fetched. */
export function isSource(asked: Asked): asked is AskedSource {
  return asked !== WEBSITE;
}

/** What a setup with these sources and methods asks: assistants by each method, or as they are answered here where it names none. */
export function askedSources(sources: readonly Source[], methods: readonly ChosenMethod[]): AskedSource[] {
  return sources.flatMap((source): readonly AskedSource[] => {
    return isAssistant(source) && methods.length > 0 ? methods.map((method) => askedBy(source, method)) : [source];
  });
}

function isAssistant(source: Source): source is Assistant {
  return ASSISTANTS.some((assistant) => assistant === source);
}

function askedBy(source: Assistant, method: ChosenMethod): `${Assistant}:${ChosenMethod}` {
  return `${source}:${method}`;
}

/** What is asked, whatever the method. */
export function sourceOf(asked: AskedSource): Source {
  const found = SOURCES.find((source) => asked === source || asked.startsWith(`${source}:`));
  if (!found) throw new Error("an asked source that is none");
  return found;
}

/** The method that a setup names for it; undefined where it names none. */
export function methodNamed(asked: AskedSource): ChosenMethod | undefined {
  return CHOSEN_METHODS.find((method) => asked.endsWith(`:${method}`));
}

/** A source as it is asked in each way. */
export function waysToAsk(source: Source): AskedSource[] {
  return ASKED_SOURCES.filter((asked) => sourceOf(asked) === source);
}
