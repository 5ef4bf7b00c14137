import { expect, test } from "vitest";
import { extractPerception, type PerceptionContext } from "../../core/perception/perception.ts";
import type { PerceptionReading } from "../../core/reading/capture.ts";
import type { PromptContext } from "../../core/prompts/brand-prompt.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { brand, catalogOf } from "../measurement/brands.ts";
import { chooseExtent } from "../support/proof.ts";

const catalog = catalogOf(brand("Acme"), "Bolt", "Civet");

function read(text: string, context: Partial<PerceptionContext> = {}): PerceptionReading {
  const capture = { text, citations: [], results: [] };
  const full = { prompt: "", ...context };
  return extractPerception(capture, readCapture(capture, catalog, full), full, catalog);
}

function points(text: string): string[] {
  return read(text).points.map(
    ({ brandId, polarity, start, end }) => `${polarity} ${brandId}: ${text.slice(start, end)}`,
  );
}

test.each([
  ["What is new in the market for desks? Give me the news.", ["mentioned", "mentioned", "recommended"]],
  ["Welche Nachrichten gibt es zu Tischen?", ["mentioned", "mentioned", "recommended"]],
  ["What is the best desk?", ["recommended", "recommended", "recommended"]],
])("a place in a list recommends nothing where the prompt asks for news: %s", (prompt, stances) => {
  const text = "1. **Acme** opens a plant\n2. **Bolt** has moved\n3. **Civet** – a great desk for the office";
  expect(read(text, { prompt }).stances.map(({ stance }) => stance)).toEqual(stances);
});

test.each<[title: string, text: string, stances: string[]]>([
  ["a pick", "If I had to choose for the office, I'd go with the Acme One.", ["winner"]],
  ["an announced pick", "For most people I would go with:\n\nAcme One — it is light and quiet.", ["winner"]],
  [
    "best overall, with a con",
    "- **Acme One** – best overall, but it is expensive.\n- **Bolt** – fine.",
    ["winner", "recommended"],
  ],
  ["items of a list", "1. Acme – a great allrounder\n2. Bolt – for the desk", ["recommended", "recommended"]],
  ["a con in the item", "- Acme: sharp and bright\n- Bolt: sharp, but the fan is loud", ["recommended", "caveated"]],
  [
    "a yardstick",
    "- Acme: the fan is quieter than that of the Bolt\n- Civet: fine",
    ["recommended", "mentioned", "recommended"],
  ],
  [
    "users of another",
    "- Acme: a good watch for Bolt users\n- Civet: fine",
    ["recommended", "mentioned", "recommended"],
  ],
  ["names in brackets", "You can tune the sound in the apps (Acme, Bolt).", ["mentioned", "mentioned"]],
  ["advice against", "I would avoid the Acme One.", ["discouraged"]],
  ["German", "Mein Favorit ist Acme, das ist die beste Wahl für dich.", ["winner"]],
  ["German, against", "Von Acme würde ich die Finger lassen, und es ist nicht zu empfehlen.", ["discouraged"]],
  ["French", "Pour la plupart des gens, Acme est le meilleur choix global et il est simple.", ["winner"]],
  ["Spanish", "La mejor opción en general es Acme, y es la que más me gusta.", ["winner"]],
  ["Japanese", "総合1位はAcmeです。とても使いやすいのでおすすめです。", ["winner"]],
])("stance: %s", (_, text, stances) => {
  expect(read(text).stances.map(({ stance }) => stance)).toEqual(stances);
});

test.each<[title: string, text: string, found: string[]]>([
  [
    "headings",
    "## Acme One\n\n**Pros:**\n- long battery life\n- bright screen\n\n**Cons:**\n- loud fan\n- only in black\n",
    ["pro Acme: long battery life", "pro Acme: bright screen", "con Acme: loud fan", "con Acme: only in black"],
  ],
  [
    "columns",
    "| Model | Why it's great | Things to watch |\n|---|---|---|\n| Acme | bright screen, light | loud fan |\n| Bolt | cheap to run | heavy |\n",
    ["pro Acme: bright screen", "pro Acme: light", "con Acme: loud fan", "pro Bolt: cheap to run", "con Bolt: heavy"],
  ],
  [
    "a column for each brand",
    "| | Acme | Bolt |\n|---|---|---|\n| Pros | bright screen | quiet fan |\n| Cons | loud fan | dim screen |\n",
    ["pro Acme: bright screen", "pro Bolt: quiet fan", "con Acme: loud fan", "con Bolt: dim screen"],
  ],
  [
    "columns that a capture ran together",
    "ModelStrengthsTrade-offsAcme OneExcellent zoom in daylight, refined sound.Price is at the upper end of your range.Bolt 7Strong battery life and clear calls.May lag in large games.",
    [
      "pro Acme: Excellent zoom in daylight",
      "pro Acme: refined sound",
      "con Acme: Price is at the upper end of your range",
      "pro Bolt: Strong battery life",
      "pro Bolt: clear calls",
      "con Bolt: May lag in large games",
    ],
  ],
  [
    "contrast",
    "- Acme: sharp pictures, but it is expensive\n- Bolt: fine",
    ["pro Acme: sharp pictures", "con Acme: it is expensive", "pro Bolt: fine"],
  ],
  ["negation", "- Acme: not loud\n- Bolt: not reliable", ["pro Acme: not loud", "con Bolt: not reliable"]],
  [
    "what is stated decides",
    "- Acme: the fast charger is unreliable\n- Bolt: fine",
    ["con Acme: the fast charger is unreliable", "pro Bolt: fine"],
  ],
  [
    "German",
    "## Acme\n\nVorteile:\n- leise und leicht\n\nNachteile:\n- der Preis ist hoch\n",
    ["pro Acme: leise und leicht", "con Acme: der Preis ist hoch"],
  ],
  [
    "French",
    "## Acme\n\nPoints forts :\n- une bonne autonomie\n\nPoints faibles :\n- un prix élevé pour le marché\n",
    ["pro Acme: une bonne autonomie", "con Acme: un prix élevé pour le marché"],
  ],
  [
    "Spanish",
    "## Acme\n\nVentajas:\n- la batería es larga\n\nDesventajas:\n- el precio es alto\n",
    ["pro Acme: la batería es larga", "con Acme: el precio es alto"],
  ],
  [
    "Japanese",
    "## Acme\n\nメリット：\n- とても軽いです\n\nデメリット：\n- 値段が高いです\n",
    ["pro Acme: とても軽いです", "con Acme: 値段が高いです"],
  ],
])("pros and cons: %s", (_, text, found) => {
  expect(points(text)).toEqual(found);
});

test("skips judging by words in a language without a lexicon and reports it", () => {
  const {
    language,
    unjudged,
    attributes,
    points: found,
  } = read("- Acme ist sehr laut und das ist nicht gut.\n- Bolt ist gut.", {
    attributes: ["laut"],
  });
  expect({ language, unjudged, attributes, found }).toEqual({
    language: "de",
    unjudged: "no_lexicon_for_language",
    attributes: [],
    found: [],
  });
});

test.each<[text: string, pairs: string[]]>([
  ["The Acme is quieter than the Bolt.", ["Acme > Bolt"]],
  ["Acme has a weaker zoom than Bolt/Civet.", ["Bolt > Acme", "Civet > Acme"]],
  ["Acme may not match Bolt in the dark.", ["Bolt > Acme"]],
  ["The app of Acme isn't as mature as Bolt.", ["Bolt > Acme"]],
  ["The screen of Acme lags behind Bolt.", ["Bolt > Acme"]],
  ["Acme beats Bolt on price.", ["Acme > Bolt"]],
  ["I would prefer Acme over Bolt.", ["Acme > Bolt"]],
  ["- Acme: less mature software compared to Bolt\n- Civet: fine", ["Bolt > Acme"]],
  ["- Acme: a good zoom, but Bolt still has the edge\n- Civet: fine", ["Bolt > Acme"]],
  ["Acme is on par with Bolt, and it is an alternative to Civet.", []],
  ["Acme is better than most rivals, and Bolt is for the desk.", []],
  ["Acme ist leiser als Bolt, und das ist gut.", ["Acme > Bolt"]],
  ["Acme ist nicht so gut wie Bolt.", ["Bolt > Acme"]],
  ["Acme est plus léger que Bolt et il est simple.", ["Acme > Bolt"]],
  ["Acme est moins rapide que Bolt, mais il est simple.", ["Bolt > Acme"]],
  ["Acme es mejor que Bolt para el trabajo.", ["Acme > Bolt"]],
  ["Acme no es tan rápido como Bolt.", ["Bolt > Acme"]],
  ["AcmeはBoltより静かで、とても使いやすいです。", ["Acme > Bolt"]],
  ["AcmeはBoltより音質が劣ると言われています。", ["Bolt > Acme"]],
])("comparisons: %s", (text, pairs) => {
  expect(read(text).comparisons.map(({ better, worse }) => `${better} > ${worse}`)).toEqual(pairs);
});

test.each<[text: string, aspects: string[]]>([
  ["Acme has a weaker zoom than Bolt/Civet.", ["Bolt > Acme: zoom", "Civet > Acme: zoom"]],
  ["The camera of Acme does not match Bolt.", ["Bolt > Acme: camera"]],
  ["Acme's camera does not match Bolt.", ["Bolt > Acme: camera"]],
  ["Acme is cheaper than Bolt, and this is good.", ["Acme > Bolt: cheaper"]],
  ["Acme's price is lower than that of Bolt.", ["Acme > Bolt: price"]],
  ["Acme has a higher price than Bolt.", ["Bolt > Acme: price"]],
  ["Acme beats Bolt on price.", ["Acme > Bolt: price"]],
  ["Acme is better than Bolt in terms of battery life, and it is simple.", ["Acme > Bolt: battery life"]],
  ["When it comes to price, Acme is better than Bolt.", ["Acme > Bolt: price"]],
  ["Bolt has fewer “extras” for you; Acme is more flexible.", ["Acme > Bolt: flexible"]],
  ["Acme is better than Bolt.", ["Acme > Bolt: null"]],
])("what a comparison is about: %s", (text, aspects) => {
  expect(read(text).comparisons.map(({ better, worse, aspect }) => `${better} > ${worse}: ${aspect}`)).toEqual(aspects);
});

test("attributes are scored by the clauses that speak of them, within -5 and 5", () => {
  const text = "- Acme: very expensive, but the battery life is excellent\n- Bolt: affordable\n";
  const scores = read(text, { attributes: ["price", "battery life"] }).attributes;
  expect(scores.map(({ brandId, attribute, score }) => [brandId, attribute, Math.sign(score)])).toEqual([
    ["Acme", "price", -1],
    ["Acme", "battery life", 1],
    ["Bolt", "price", 1],
  ]);
  expect(scores.every(({ score }) => Math.abs(score) <= 5)).toBe(true);
});

test("points are about their head noun, in the singular", () => {
  const { points: found } = read(
    "- Acme: long battery life, sharp cameras, lighter, strong camera system\n- Bolt is fine for the desk",
  );
  expect(found.slice(0, 4).map(({ head }) => head)).toEqual(["battery life", "camera", "light", "camera system"]);
});

test("reads from aided prompts, including look-alike prompts, whether the name is recognized", () => {
  const asked: PromptContext = {
    kind: "aided",
    brandId: "Acme",
    lookAlike: null,
    otherBrandId: null,
    attribute: null,
    asksProsCons: false,
  };
  expect(read("Yes, Acme is a maker of watches.", { asked }).awareness?.verdict).toBe("recognised");
  const lookAlike = { ...asked, lookAlike: "Acmora" };
  expect(read("I'm not familiar with Acmora.", { asked: lookAlike }).awareness?.verdict).toBe("not_recognised");
  expect(read("Yes, Acme is a maker of watches.").awareness).toBeNull();
});

// Attack: text built to make quadratic scans or backtracking expressions run for minutes.
const [CHARACTERS, MOST_MS] = chooseExtent([10_000, 10_000], [2500, 2000]);
test.each([
  "—",
  "Acme, ",
  "Acme; ",
  "Acme/",
  "(Acme",
  "good and ",
  "than Acme ",
  "aAcme Good. ",
  "if ",
  "Pros: ",
  "- Pros\n",
  "|Acme|a|\n",
  "\n",
  ". ",
  "Aa",
  " ",
])(
  `${CHARACTERS} characters of %j are read in a moment`,
  (piece) => {
    const text = piece.repeat(Math.ceil(CHARACTERS / piece.length));
    for (const hostile of [`Acme is the ${text}`, `- Acme: ${text}\n- Bolt`]) read(hostile, { attributes: ["price"] });
  },
  MOST_MS,
);

const asksToCompare = (brandId: string, otherBrandId: string): PromptContext => {
  return { kind: "comparison", brandId, otherBrandId, lookAlike: null, attribute: null, asksProsCons: false };
};

test.each<[text: string, verdict: string[]]>([
  [
    "The Acme is quieter than the Bolt. I would pick Bolt rather than Acme.",
    ["Acme > Bolt: quieter", "Bolt > Acme: null"],
  ],
  ["Acme beats Bolt. My pick is Bolt.", ["Bolt > Acme: null"]],
  ["Acme is fine. Bolt is fine. I would go with Civet.", []],
  ["Both are close, so it comes down to taste: Acme or Bolt.", ["Acme = Bolt"]],
  ["Both are close, but I would go with Bolt rather than Acme.", ["Bolt > Acme: null"]],
  ["Acme and Bolt: it is a toss-up.", ["Acme = Bolt"]],
  ["Acme and Bolt: they are not evenly matched.", []],
  ["Acme and Bolt: they are close competitors.", []],
  ["Acme und Bolt: beide sind etwa gleichwertig.", ["Acme = Bolt"]],
  ["Acme et Bolt, les deux se valent.", ["Acme = Bolt"]],
  ["AcmeとBoltは互角です。", ["Acme = Bolt"]],
  ["Acme and Bolt both are close to the station.", []],
  ["Acme and Bolt: both are close in price.", []],
])("the pick or the draw of an answer that compares two: %s", (text, verdict) => {
  const { comparisons } = read(text, { asked: asksToCompare("Acme", "Bolt") });
  const shown = comparisons.map((one) =>
    one.isDraw ? `${one.better} = ${one.worse}` : `${one.better} > ${one.worse}: ${one.aspect}`,
  );
  expect(shown).toEqual(verdict);
  // Only a prompt that compares two brands has a draw.
  expect(read(text).comparisons.filter(({ isDraw }) => isDraw)).toEqual([]);
});
