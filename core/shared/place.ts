import { z } from "zod";

/** Where and in which language an analysis asks, of its stored setup. */
const Place = z.object({ country: z.string().default("US"), language: z.string().default("en") });
export type Place = z.output<typeof Place>;

/** Where a question is asked: in its own country, if it has one. */
export function placeOf(setup: Record<string, unknown>, country: string | null = null): Place {
  const place = Place.parse(setup);
  return country === null ? place : { ...place, country };
}

/** What a country is called in a language: `Deutschland`. */
export function countryName(country: string, language: string): string {
  return new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country;
}

/** `en-US` for en in US; a language that names its own region stays as it is. */
export function localeOf({ country, language }: Place): string {
  return language.includes("-") ? language : `${language}-${country}`;
}
