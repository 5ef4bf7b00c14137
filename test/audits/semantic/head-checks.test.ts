import { describe, expect, test } from "vitest";
import { SEMANTIC_CHECKS } from "../../../core/audits/semantic/semantic-checks.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const meta = (name: string, content: string) => `<meta name="${name}" property="" content="${content}">`;
const EN =
  "It is the best of the kettles that you can buy for a small kitchen and it is made in the north of the country. ";
const DE =
  "Das ist der beste von den Kesseln, die man für eine kleine Küche kaufen kann, und er ist auch nicht zu teuer für das Haus. ";
const PT =
  "É a melhor das chaleiras que se pode comprar para uma cozinha pequena e não é cara para o que faz com a água em casa. ";
const JA = "電気ケトルは三分でお湯が沸きます。使い方はとても簡単で、小さな台所にも置けます。";

const CASES: Readonly<Record<string, CheckCases>> = {
  title_present: [
    ["with a title", "<title>Kettles</title>", ["pass", "The page has a title."]],
    ["without one", "<h1>Kettles</h1>", ["fail", "The page has no title element."]],
    ["with an empty one", "\n<title> </title>", ["fail", "The title element is empty.", "2: "]],
    ["with a title in a drawing alone", "<svg><title>Icon</title></svg>", ["fail", "The page has no title element."]],
  ],
  title_length: [
    ["of a fitting length", "<title>Kettles compared</title>", ["pass", "The title is 16 characters wide."]],
    ["that is short", "<title>Shop</title>", ["warn", "The title is 4 characters wide.", "1: Shop"]],
    [
      "that is long",
      `<title>${"kettle ".repeat(11)}</title>`,
      ["warn", "The title is 76 characters wide; results cut it.", `1: ${"kettle ".repeat(11).trim()}`],
    ],
    ["of few characters that are wide", "<title>電気ケトル</title>", ["pass", "The title is 10 characters wide."]],
    ["without a title", "<p>x", ["skipped", "The page has no title."]],
  ],
  title_single: [
    ["with one", "<title>Kettles</title><svg><title>i</title></svg>", ["pass", "The page has one title element."]],
    ["with two", "<title>A</title>\n<title>B</title>", ["warn", "The page has 2 title elements.", "1: A", "2: B"]],
    ["without a title", "", ["skipped", "The page has no title."]],
  ],
  description_present: [
    ["with one", meta("Description", "Kettles"), ["pass", "The page has a meta description."]],
    ["without one", meta("og:description", "Kettles"), ["fail", "The page has no meta description."]],
    ["with an empty one", meta("description", " "), ["fail", "The meta description is empty.", "1: "]],
    [
      "with two",
      meta("description", "A") + meta("description", "B"),
      ["warn", "The page has 2 meta descriptions.", "1: A", "1: B"],
    ],
  ],
  description_length: [
    [
      "of a fitting length",
      meta("description", "a".repeat(60)),
      ["pass", "The meta description is 60 characters wide."],
    ],
    [
      "that is short",
      meta("description", "Hi"),
      ["warn", "The meta description is 2 characters wide; it says little.", "1: Hi"],
    ],
    [
      "that is long",
      meta("description", "ab ".repeat(60)),
      ["warn", "The meta description is 179 characters wide; results cut it.", `1: ${"ab ".repeat(60).trim()}`],
    ],
    [
      "of thirty wide characters",
      meta("description", "電".repeat(30)),
      ["pass", "The meta description is 60 characters wide."],
    ],
    ["without a description", "", ["skipped", "The page has no meta description."]],
  ],
  language_declared: [
    ["with a language", '<html lang="en">', ["pass", "The page declares its language."]],
    ["with a region and script", '<html lang="zh-Hant-TW">', ["pass", "The page declares its language."]],
    ["without one", "<html>", ["fail", "The html element has no lang attribute."]],
    ["with an empty one", '<html lang="">', ["fail", "The html element has no lang attribute."]],
    ["with a name", '<html lang="english">', ["fail", "The lang attribute is no valid BCP 47 tag.", "-: english"]],
    ["with an underscore", '<html lang="en_US">', ["fail", "The lang attribute is no valid BCP 47 tag.", "-: en_US"]],
    [
      "with a language that is none",
      '<html lang="xx">',
      ["fail", "The lang attribute is no valid BCP 47 tag.", "-: xx"],
    ],
  ],
  language_matches: [
    ["in English", `<html lang=en-GB><p>${EN.repeat(2)}`, ["pass", "The text is English, as declared."]],
    ["in German", `<html lang=de><p>${DE.repeat(2)}`, ["pass", "The text is German, as declared."]],
    ["in Japanese", `<html lang=ja><p>${JA.repeat(2)}`, ["pass", "The text is Japanese, as declared."]],
    [
      "in German that is declared English",
      `<html lang=en><p>${DE.repeat(2)}`,
      ["fail", "The text is German; the page declares another language.", '-: lang="en"'],
    ],
    [
      "in Japanese that is declared English",
      `<html lang=en><p>${JA.repeat(2)}`,
      ["fail", "The text is Japanese; the page declares another language.", '-: lang="en"'],
    ],
    [
      "in Portuguese, which is near Spanish",
      `<html lang=pt-BR><p>${PT.repeat(2)}`,
      ["pass", "The text is Portuguese, as declared."],
    ],
    [
      "in a language that is not known",
      `<html lang=pl><p>${"To jest najlepszy czajnik dla małej kuchni i nie jest drogi. ".repeat(5)}`,
      ["skipped", "The text is too short to detect its language, or its language is not supported."],
    ],
    [
      "in English with code in it",
      `<html lang=en><p>${EN.repeat(2)}<pre>${"der die das und ist nicht ".repeat(50)}</pre>`,
      ["pass", "The text is English, as declared."],
    ],
    ["without a language", `<p>${EN}`, ["skipped", "The page declares no language."]],
  ],
  open_graph: [
    [
      "with all",
      meta("og:title", "A") + meta("og:description", "B") + '<meta property="og:type" content="article">',
      ["pass", "OpenGraph names title, description and type."],
    ],
    ["with a title", meta("og:title", "A"), ["warn", "OpenGraph lacks og:description, og:type."]],
    ["with empty ones", meta("og:title", ""), ["fail", "OpenGraph lacks og:title, og:description, og:type."]],
  ],
  open_graph_image: [
    ["with an image", meta("og:image", "https://a.test/k.png"), ["pass", "OpenGraph names an image."]],
    ["with a path", meta("og:image", "/k.png"), ["warn", "og:image is not an absolute address.", "1: /k.png"]],
    ["with its width alone", meta("og:image:width", "100"), ["fail", "OpenGraph names no image."]],
  ],
  viewport: [
    ["with one", meta("viewport", "initial-scale=1, width = device-width"), ["pass", "The page declares a viewport."]],
    [
      "with a fixed width",
      meta("viewport", "width=1024"),
      ["warn", "The viewport is not as wide as the device.", "1: width=1024"],
    ],
    ["without one", "", ["fail", "The page has no viewport meta element."]],
  ],
};

for (const [id, cases] of Object.entries(CASES))
  describe(`the check ${id}`, () => {
    test.for(cases)("a page %s", ([, html, found]) => {
      expect(findingLines(runCheckOnPage(SEMANTIC_CHECKS, id, html))).toEqual(found);
    });
  });
