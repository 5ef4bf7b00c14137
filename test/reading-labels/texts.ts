import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { RECORDED_ANSWERS } from "../measurement/truth.ts";
import { identifiedAnswers, shortHash } from "../perception/recorded.ts";
import type { LabelledAnswer } from "./label-lines.ts";

/** Folder of real answers next to the repository, with recorded answers and provider bodies. */
const DATA = dirname(dirname(RECORDED_ANSWERS));

export interface Text {
  text: string;
  /** Empty where it is not known. */
  prompt: string;
}

/** The reason why no texts can be read, or undefined if they can. */
export function missingTextsReason(): string | undefined {
  const absent = [RECORDED_ANSWERS, join(DATA, "providers")].find((path) => !existsSync(path));
  return absent && `skipped: the labelled answers are not at ${absent}`;
}

/**
 * Text and prompt of each labelled answer, in order, from the data folder next to the repository.
 * Throws when a text differs from the labelled one.
 */
export function readTexts(answers: readonly LabelledAnswer[]): Text[] {
  const recorded = new Map(identifiedAnswers()?.map((answer) => [`recorded/${answer.id}`, answer]));
  const bodies = new Map<string, unknown>();
  return answers.map((labelled) => {
    const known = recorded.get(labelled.answer.replace("#constructed", ""));
    const { text, prompt } = known ?? fromBody(labelled, bodies);
    if (shortHash(text) !== labelled.hash) throw new Error(`Another text than was labelled: ${labelled.answer}`);
    return { text, prompt: labelled.prompt ?? prompt };
  });
}

function fromBody({ answer, prompt_at = [] }: LabelledAnswer, bodies: Map<string, unknown>): Text {
  const [file = "", path = ""] = answer.split("#");
  if (!bodies.has(file)) bodies.set(file, readBody(join(DATA, file)));
  const body = bodies.get(file);
  return { text: textAt(body, path), prompt: prompt_at.map((place) => textAt(body, place)).join("; ") };
}

function readBody(path: string): unknown {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".yaml") ? parse(text) : JSON.parse(text);
}

/**
 * The text at a path of keys: `*` stands for every item of a list, joined; `(json)` parses a text
 * as JSON.
 */
function textAt(body: unknown, path: string): string {
  let values = [body];
  for (const key of path.split("/")) {
    values = values.flatMap((value) => {
      if (key === "(json)") return [JSON.parse(String(value)) as unknown];
      if (key === "*") return Object.values(value ?? {});
      // Safe: a missing key gives undefined, which is dropped.
      return [(value as Record<string, unknown> | undefined)?.[key]];
    });
  }
  return values.filter((value) => typeof value === "string").join("");
}
