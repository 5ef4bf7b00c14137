/** What a model is told beside the question: the language, the country where its search takes no place, and who asks. */
export function instructionsFor({
  persona,
  country,
  language,
}: {
  persona: string | null;
  country?: string;
  language: string;
}): string {
  return [
    `Answer in this language: ${language}.`,
    ...(country === undefined ? [] : [`The question is asked in this country: ${country}.`]),
    ...(persona === null ? [] : [`Who asks: ${persona}`]),
  ].join("\n");
}
