import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { RECORDED_ANSWERS } from "../measurement/truth.ts";

/** A recorded answer with an identifier of its position in the recordings. */
export interface IdentifiedAnswer {
  /** Product, level of the question and run: `3d-printer/4/2`. */
  id: string;
  product: string;
  prompt: string;
  text: string;
}

interface RecordedRow {
  product: string;
  query_level: string;
  prompt: string;
  run: number;
  answer: string;
}

/** Undefined where the folder of recorded data is absent. */
export function identifiedAnswers(): IdentifiedAnswer[] | undefined {
  if (!existsSync(RECORDED_ANSWERS)) return undefined;
  const lines = readFileSync(RECORDED_ANSWERS, "utf8").trim().split("\n");
  return lines.map((line) => {
    // Safe: the recorded file's rows have these fields (its README).
    const { product, query_level, prompt, run, answer } = JSON.parse(line) as RecordedRow;
    const level = query_level.split("&").length;
    const id = `${product.toLowerCase().replaceAll(" ", "-")}/${level}/${run}`;
    return { id, product, prompt, text: answer };
  });
}

/** Eight hexadecimal digits, by which a changed text is noticed without keeping it. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
