import { z } from "zod";

/** Where and in which language an analysis asks, of its stored setup. */
const Place = z.object({ country: z.string().default("US"), language: z.string().default("en") });
export type Place = z.output<typeof Place>;

export function placeOf(setup: Record<string, unknown>): Place {
  return Place.parse(setup);
}

/** `en-US` for en in US; a language that names its own region stays as it is. */
export function localeOf({ country, language }: Place): string {
  return language.includes("-") ? language : `${language}-${country}`;
}
