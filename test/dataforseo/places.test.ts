import { expect, test } from "vitest";
import { toPlaceCodes } from "../../src/outside/sources/dataforseo/places.ts";

test("every country of which there is a number has its location", () => {
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const places = letters.flatMap((first) =>
    letters.flatMap((second) => {
      const country = first + second;
      try {
        return [[country, toPlaceCodes({ country, language: "en" }).location_code - 2000] as const];
      } catch {
        return [];
      }
    }),
  );
  // Unicode knows which country a number of ISO 3166-1 is.
  const named = places.map(([, number]) => new Intl.Locale(`und-${String(number).padStart(3, "0")}`).region);
  expect(named).toEqual(places.map(([country]) => country));
  expect(places).toHaveLength(247);
  expect(toPlaceCodes({ country: "US", language: "pt-BR" })).toEqual({ location_code: 2840, language_code: "pt" });
  expect(toPlaceCodes({ country: "CN", language: "zh" })).toEqual({ location_code: 2156, language_code: "zh-CN" });
});
