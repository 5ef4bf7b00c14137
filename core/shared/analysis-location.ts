import { z } from "zod";

const AnalysisLocation = z.object({ country: z.string().default("US"), language: z.string().default("en") });
export type AnalysisLocation = z.output<typeof AnalysisLocation>;

/** Place of a question; its own country overrides the setup's. */
export function parseLocation(setup: Record<string, unknown>, country: string | null = null): AnalysisLocation {
  const location = AnalysisLocation.parse(setup);
  return country === null ? location : { ...location, country };
}

/** Name of a country in a language: `Deutschland`. */
export function getCountryName(country: string, language: string): string {
  return new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country;
}

/** Locale such as `en-US`; a language with a region is unchanged. */
export function toLocale({ country, language }: AnalysisLocation): string {
  return language.includes("-") ? language : `${language}-${country}`;
}
