import type { Question } from "./provider.ts";

/** What a model is told beside the question, where its search takes no place: the language, the country, and who asks. */
export function instructionsFor({ persona, country, language }: Question): string {
  const lines = [`Answer in this language: ${language}.`, `The question is asked in this country: ${country}.`];
  return [...lines, ...(persona === null ? [] : [`Who asks: ${persona}`])].join("\n");
}
