import { expect, test } from "vitest";
import { guessColumns } from "../../src/console/new-analysis/guess-columns.ts";
import { readKeywords } from "../../src/console/new-analysis/read-keywords.ts";
import { readRows } from "../../src/console/new-analysis/read-rows.ts";

const PERSONAS = [{ id: "01a20a5f-790e-73ba-ad73-2d3cf697a4e3", name: "Anna" }];
const read = (text: string) => readKeywords(text, guessColumns(text), PERSONAS);

test("a list has one keyword per line, optionally after its topic and a semicolon; commas stay", () => {
  expect(read("best phone\r\n\r\n  cheap phone, good too \nbest phone\n")).toEqual({
    thematics: [
      {
        name: "Keywords",
        topics: [{ name: "All", keywords: [{ text: "best phone" }, { text: "cheap phone, good too" }] }],
      },
    ],
    count: 2,
    topics: 1,
    duplicateCount: 1,
    faults: [],
  });
  expect(read("Price; cheap phone\nCamera; best camera\nPrice; used phone").thematics).toEqual([
    {
      name: "Keywords",
      topics: [
        { name: "Price", keywords: [{ text: "cheap phone" }, { text: "used phone" }] },
        { name: "Camera", keywords: [{ text: "best camera" }] },
      ],
    },
  ]);
});

test("detects columns by name with any separator", () => {
  const head = { hasHead: true, kinds: ["thematic", "topic", "keyword", "search_volume", ""] };
  const names = ["Theme", "TOPIC", "Search term", "Avg. monthly searches", "CPC"];
  for (const [separator, between] of [
    ["comma", ","],
    ["semicolon", ";"],
    ["tab", "\t"],
  ] as const) {
    const inside = between === "\t" ? "," : between;
    const text = `\uFEFF${names.join(between)}\r\nHome${between}Price${between}"a ""b""${inside} c"${between}"1,000"${between}2\r\n`;
    expect([separator, guessColumns(text)]).toEqual([separator, { separator, ...head }]);
    expect(read(text).thematics).toEqual([
      { name: "Home", topics: [{ name: "Price", keywords: [{ text: `a "b"${inside} c`, search_volume: 1000 }] }] },
    ]);
  }
  expect(guessColumns('"a, b","c"\n"d","e"').separator).toBe("comma");
  expect(guessColumns("keyword\nbest phone")).toEqual({ separator: "none", hasHead: true, kinds: ["keyword"] });
  expect(guessColumns("")).toEqual({ separator: "none", hasHead: false, kinds: ["keyword"] });
});

test("reports faults with their line, and counts lines within quoted values", () => {
  const text = [
    "keyword,type,funnel stage,persona,volume",
    '"two',
    'lines",,,,',
    ",Generic,,,",
    "a,Other,Top,Bob,many",
    "b,brand,tofu,anna,12",
  ].join("\n");
  const { faults, thematics } = read(text);
  expect(faults).toEqual([
    "Line 2: It has a line break or a control character within a value.",
    "Line 4: It has no prompt.",
    "Line 5: The type must be Generic or Brand.",
    "Line 5: The funnel stage must be ToFu, MoFu or BoFu.",
    "Line 5: There is no persona of this name.",
    "Line 5: The searches a month must be a whole number.",
  ]);
  expect(thematics[0]?.topics[0]?.keywords).toEqual([
    { text: "b", type: "Brand", funnel_stage: "ToFu", persona_id: PERSONAS[0]?.id, search_volume: 12 },
  ]);
  expect(readRows('a "b" c;d\n"e", f;g\n"open;h', "semicolon")).toEqual([
    { line: 1, cells: ['a "b" c', "d"] },
    { line: 2, cells: ['"e", f', "g"] },
    { line: 3, cells: ['"open', "h"] },
  ]);
});

test("rejects missing keywords, too many, and a table without keyword column, with a message", () => {
  expect(read(" \n").faults).toEqual(["Enter at least one prompt, one per line."]);
  const many = Array.from({ length: 5002 }, (_, at) => `phone ${at}`).join("\n");
  expect(read(many).faults).toEqual(["There are 5,002 prompts: leave out 2. An analysis takes up to 5,000."]);
  const columns = { separator: "semicolon", hasHead: false, kinds: ["topic", ""] } as const;
  expect(readKeywords("a;b", { ...columns, kinds: [...columns.kinds] }, []).faults).toEqual([
    "Choose the column with the prompts.",
  ]);
});

const lines = (count: number, line = "") => Array.from({ length: count }, () => line).join("\n");

test("a text of more than 20,000 lines is not read", () => {
  // Attack: a file of 2 MB with one letter per line or none blocked other pages for a second per
  // step.
  const fault = "There are more than 20,000 lines. An analysis takes up to 5,000 prompts.";
  expect(read(lines(20_000, "a"))).toMatchObject({ count: 1, duplicateCount: 19_999, faults: [] });
  expect(read(lines(20_001, "a"))).toMatchObject({ count: 0, faults: [fault] });
  expect(read(lines(1_000_000)).faults).toEqual([fault]);
  expect(readRows(lines(20_001, "a;b"), "semicolon")).toHaveLength(20_000);
});
