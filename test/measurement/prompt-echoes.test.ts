import { describe, expect, test } from "vitest";
import { findBrandsInPrompt, findMentions } from "../../core/reading/find-mentions.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { catalogOf } from "./brands.ts";

const BRANDS = ["Sony", "Bose", "Adidas", "ソニー", "ボーズ"];
const catalog = catalogOf(...BRANDS);

/** A prompt, an answer, and the names in it that are mentions, in their order. */
type Case = [title: string, prompt: string, answer: string, named: string[]];

function holds(cases: Case[]): void {
  test.each(cases)("%s", (_, prompt, answer, named) => {
    expect(findMentions(answer, catalog, prompt).map(({ start, end }) => answer.slice(start, end))).toEqual(named);
  });
}

// Fault: a sentence that rephrased the question made its brand present at rank 1.
describe("a brand that the prompt names is a mention beyond its echo only, in English", () => {
  const versus = "Which is better, Sony or Bose headphones?";
  const know = "Do you know the brand Sony?";
  const pros = "What are the pros and cons of Sony headphones?";
  holds([
    ["a question again", versus, "So, is Sony better than Bose? It depends on your ears.", []],
    ["a question, then the answer", versus, "Sony or Bose? Bose is softer.", ["Bose"]],
    ["a title", versus, "## Sony vs. Bose headphones\n\nBose has softer pads, Sony more bass.", ["Bose", "Sony"]],
    ["a first line without marks", versus, "Sony vs Bose: a detailed comparison\n\nBoth are fine.", []],
    ["what leads in", versus, "When it comes to Sony vs. Bose headphones, both are fine.", []],
    [
      "what leads in, then a statement",
      versus,
      "If you are choosing between Sony and Bose, Sony has more bass.",
      ["Sony"],
    ],
    ["whether", versus, "Whether Sony or Bose is better depends on what you need.", []],
    ["an announcement", pros, "Here are the pros and cons of Sony headphones:\n- Light\n- Dear", []],
    ["an announcement with courtesy", pros, "Sure! Here's a balanced look at Sony headphones.", []],
    ["you asked", know, "You asked whether I know Sony. It makes consoles.", []],
    ["a line with a colon", pros, "**Pros of Sony headphones:**\n- Light", []],
    [
      "three of them",
      "Sony, Bose or Adidas?",
      "If you are deciding between Sony, Bose and Adidas, take what fits.",
      [],
    ],
    ["a heading later", versus, "Both are fine.\n\n### Which is better, Sony or Bose?\nBose.", ["Bose"]],
    ["near: a statement", "Is Sony better than Bose?", "Yes, Sony is better than Bose.", ["Sony", "Bose"]],
    ["near: a definition", know, "Sony is a Japanese company.", ["Sony"]],
    ["near: a title of its own", versus, "## Sony WH-1000XM5 and its noise cancelling\nLight.", ["Sony"]],
    ["near: an item", versus, "1. Sony\n2. Bose", ["Sony", "Bose"]],
    ["near: a bold item", versus, "- **Sony**: more bass\n- **Bose**: softer", ["Sony", "Bose"]],
    ["near: a row", versus, "| | Sony | Bose |\n|---|---|---|\n| Bass | more | less |", ["Sony", "Bose"]],
    ["near: a heading for one of both", versus, "### Sony\nMore bass.\n### Bose\nSofter.", ["Sony", "Bose"]],
    ["near: an offer", know, "It does. Would you like prices of the newest Sony consoles?", ["Sony"]],
    ["near: the topic of a statement", know, "As for Sony, it makes consoles.", ["Sony"]],
    ["near: a brand that the prompt does not name", know, "Sony or Bose? Bose.", ["Sony", "Bose", "Bose"]],
    ["near: a reason", versus, "Whether you run or not, Sony fits.", ["Sony"]],
    [
      "near: the prompt names none",
      "Which headphones are better?",
      "Sony or Bose? Which headphones are better?",
      ["Sony", "Bose"],
    ],
  ]);
});

describe("in German", () => {
  const versus = "Was ist besser, Sony oder Bose?";
  const pros = "Was sind die Vor- und Nachteile von Sony Kopfhörern?";
  holds([
    ["a question again", versus, "Ist Sony also besser als Bose? Das hängt von dir ab.", []],
    ["ob", versus, "Ob Sony oder Bose besser ist, hängt davon ab, was du brauchst.", []],
    ["what leads in", versus, "Wenn es um Sony oder Bose geht, hat Bose die weicheren Polster.", ["Bose"]],
    ["an announcement", pros, "Hier sind die Vor- und Nachteile von Sony Kopfhörern:\n- leicht", []],
    ["a title", versus, "# Sony vs. Bose im Vergleich\nBeide sind gut.", []],
    ["the choice between", versus, "Die Wahl zwischen Sony und Bose kommt auf dich an.", []],
    ["near: a statement", versus, "Sony ist besser als Bose.", ["Sony", "Bose"]],
    ["near: a topic", versus, "Was Sony angeht, stimmt der Preis.", ["Sony"]],
    ["near: an item", versus, "1. Bose\n2. Sony", ["Bose", "Sony"]],
  ]);
});

describe("in French", () => {
  const versus = "Sony ou Bose, lequel est le meilleur ?";
  const pros = "Quels sont les avantages et les inconvénients de Sony ?";
  holds([
    ["a question again", versus, "Alors, Sony ou Bose ? Cela dépend de vous.", []],
    ["an announcement", pros, "Voici les avantages et les inconvénients de Sony :\n- léger", []],
    ["what leads in", versus, "Si vous hésitez entre Sony et Bose, Bose est plus doux.", ["Bose"]],
    ["the choice between", versus, "Le choix entre Sony et Bose dépend de vos besoins.", []],
    ["a title", versus, "## Sony ou Bose : comparatif\nLes deux vont.", []],
    ["near: a statement", versus, "Sony est meilleur que Bose.", ["Sony", "Bose"]],
    ["near: a definition", pros, "Sony est une entreprise japonaise.", ["Sony"]],
    ["near: a topic", pros, "Concernant Sony, le son est clair.", ["Sony"]],
  ]);
});

describe("in Spanish", () => {
  const versus = "¿Qué es mejor, Sony o Bose?";
  const pros = "¿Cuáles son las ventajas y desventajas de Sony?";
  holds([
    ["a question again", versus, "¿Sony o Bose? Depende de ti.", []],
    ["an announcement", pros, "Aquí tienes las ventajas y desventajas de Sony:\n- ligero", []],
    ["what leads in", versus, "Si dudas entre Sony y Bose, Bose es más suave.", ["Bose"]],
    ["the choice between", versus, "La elección entre Sony y Bose depende de tus necesidades.", []],
    ["a title", versus, "## Sony o Bose: comparativa\nLos dos valen.", []],
    ["near: a statement", versus, "Sony es mejor que Bose.", ["Sony", "Bose"]],
    ["near: a definition", pros, "Sony es una empresa japonesa.", ["Sony"]],
    ["near: a topic", pros, "En cuanto a Sony, el sonido es claro.", ["Sony"]],
  ]);
});

describe("in Japanese", () => {
  const versus = "ソニーとボーズ、どちらが良いですか？";
  const pros = "ソニーのメリットとデメリットは何ですか？";
  holds([
    ["a question again", versus, "ソニーとボーズのどちらが良いのでしょうか。用途次第です。", []],
    ["which of both", versus, "ソニーとボーズのどちらが良いかは、用途によります。", []],
    ["a comparison announced", versus, "ソニーとボーズを比較してみましょう。", []],
    ["an announcement", pros, "ソニーのメリットとデメリットは以下の通りです。\n- 軽い", []],
    ["a title", versus, "## ソニーとボーズの違い\nボーズは柔らかいです。", ["ボーズ"]],
    ["near: a statement", versus, "ソニーはボーズより音質が良いです。", ["ソニー", "ボーズ"]],
    ["near: a topic", pros, "ソニーについては、価格が高いです。", ["ソニー"]],
    ["near: a definition", pros, "ソニーは日本の企業です。", ["ソニー"]],
  ]);
});

test("an echo gives no rank", () => {
  const text = "Is Sony better than Bose? Bose has softer pads. Sony has more bass.";
  const { brandRanks } = readCapture({ text, citations: [], results: [] }, catalog, { prompt: "Sony or Bose?" });
  expect(brandRanks.map(({ brand_id, rank, mentions }) => [brand_id, rank, mentions])).toEqual([
    ["Bose", 1, 1],
    ["Sony", 2, 1],
  ]);
});

test("the brands that a prompt names are found as in answers", () => {
  expect(findBrandsInPrompt("SONY's or Adidas shoes, not Boseman", catalog)).toEqual(new Set([0, 2]));
  expect(findBrandsInPrompt("ソニーは良い？", catalog)).toEqual(new Set([3]));
  expect(findBrandsInPrompt("Which headphones?", catalog)).toEqual(new Set());
});
