/** Includes the country only if the search has no such parameter. */
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
