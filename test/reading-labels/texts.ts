import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { RECORDED_ANSWERS } from "../measurement/truth.ts";
import { identifiedAnswers, shortHash } from "../perception/recorded.ts";
import type { LabelledAnswer } from "./label-lines.ts";

/** The folder of real answers beside the project, which holds the recorded ones and bodies of providers. */
const DATA = dirname(dirname(RECORDED_ANSWERS));

export interface Text {
  text: string;
  /** Empty where it is not known. */
  prompt: string;
}

/** Why there is nothing to read, or undefined where there is. */
export function whyNoTexts(): string | undefined {
  const absent = [RECORDED_ANSWERS, join(DATA, "providers")].find((path) => !existsSync(path));
  return absent && `skipped: the labelled answers are not at ${absent}`;
}

/**
 * Text and prompt of each labelled answer, in their order, from the data beside the project. Throws where a text is another one
 * than was labelled.
 */
export function textsOf(answers: readonly LabelledAnswer[]): Text[] {
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

/** The text at a path of keys: `*` stands for every item of a list, whose texts are joined, and `(json)` reads a text as JSON. */
function textAt(body: unknown, path: string): string {
  let values = [body];
  for (const key of path.split("/")) {
    values = values.flatMap((value) => {
      if (key === "(json)") return [JSON.parse(String(value)) as unknown];
      if (key === "*") return Object.values(value ?? {});
      // Safe: a key that is not there gives undefined, which is left out.
      return [(value as Record<string, unknown> | undefined)?.[key]];
    });
  }
  return values.filter((value) => typeof value === "string").join("");
}
