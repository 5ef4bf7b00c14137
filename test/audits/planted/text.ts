import type { seeded } from "../seeded-pages.ts";

export type Draw = ReturnType<typeof seeded>;

const SUBJECTS =
  "The kettle|A steel lid|The base of the kettle|Every filter|The heating plate|A full can|The inner wall|The long handle|Each seal|The switch".split(
    "|",
  );
const VERBS = "keeps|holds|warms|guards|fills|cools|cleans|carries|covers|protects".split("|");
const OBJECTS =
  "the water in the can|the tea for the table|the cups of the guests|the milk on the shelf|the air over the spout|the sand in the filter|the steam from the lid|the food in the oven".split(
    "|",
  );
const TAILS =
  "for most of the morning|with less noise than the stove|and stays quiet in the evening|in the corner of a small kitchen|as long as the lid is shut|on the days that are cold|by the time you are at the table|and that is good for the taste".split(
    "|",
  );

export const pick = <Item>(draw: Draw, items: readonly Item[]): Item => items[draw(items.length)] as Item;

/** A sentence of 11 to 18 words without figures, names, dates, definitions and references. */
export const sentence = (draw: Draw) =>
  `${pick(draw, SUBJECTS)} ${pick(draw, VERBS)} ${pick(draw, OBJECTS)} ${pick(draw, TAILS)}.`;

export const sentences = (draw: Draw, count: number) => Array.from({ length: count }, () => sentence(draw)).join(" ");

/** A sentence of some fifty words. */
export const longSentence = (draw: Draw) =>
  [0, 1, 2, 3]
    .map(() => sentence(draw).slice(0, -1))
    .join(" while ")
    .concat(".");

/** Filler of this many words. */
export const fillerWords = (draw: Draw, count: number) =>
  sentences(draw, Math.ceil(count / 10))
    .split(" ")
    .slice(0, count)
    .join(" ");
