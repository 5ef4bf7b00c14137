import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "measure-"));
  const lines = [
    { keyword: "best headphones", source: "ASSISTANT_A", text: "1. Sony\n2. Bose", collect: "2025-01" },
    { keyword: "best headphones", source: "ASSISTANT_A", text: "1. Bose\n2. Sony", collect: "2025-02" },
  ].map((line) => JSON.stringify(line));
  await writeFile(join(folder, "answers.jsonl"), `${lines.join("\n")}\n`);
  await writeFile(join(folder, "broken.jsonl"), `${lines[0]}\n{oops\n`);
  await writeFile(join(folder, "brands.json"), JSON.stringify([{ name: "Sony" }, { name: "Bose" }]));
  await writeFile(join(folder, "wrong.json"), JSON.stringify([{ name: "Sony", colour: "red" }]));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command in the folder of the test's files, as `npx brand-visibility measure` does. */
async function measure(...args: string[]): Promise<Outcome> {
  const command = join(process.cwd(), "bin/brand-visibility.ts");
  const tsx = join(process.cwd(), "node_modules/tsx/dist/cli.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsx, command, "measure", ...args], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

test("prints a table of brands, in total and by collect with the previous one", async () => {
  const { code, stdout, stderr } = await measure("answers.jsonl", "--brands", "brands.json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(
    [
      "n = 2 answers, 2 of which name or link to a brand",
      "",
      "brand  visibility  presence  top 3  avg rank  mentions  keywords  share of voice",
      "Sony         81.5      100%   100%      1.50         2         1             50%",
      "Bose         81.5      100%   100%      1.50         2         1             50%",
      "",
      "collect 2025-01: n = 1 answers, 1 of which name or link to a brand",
      "",
      "brand  visibility  presence  top 3  avg rank  mentions  keywords  share of voice",
      "Sony        100.0      100%   100%      1.00         1         1             61%",
      "Bose         63.1      100%   100%      2.00         1         1             39%",
      "",
      "collect 2025-02: n = 1 answers, 1 of which name or link to a brand",
      "",
      "brand  visibility  presence  top 3  avg rank  mentions  keywords  share of voice  visibility collect 2025-01",
      "Sony         63.1      100%   100%      2.00         1         1             39%                       100.0",
      "Bose        100.0      100%   100%      1.00         1         1             61%                        63.1",
      "",
    ].join("\n"),
  );
});

test("broken lines are named and the others measured", async () => {
  const { code, stdout, stderr } = await measure("broken.jsonl", "--brands", "brands.json", "--json");
  expect({ code, stderr }).toEqual({ code: 1, stderr: "line 2 skipped: is not JSON\n" });
  expect(JSON.parse(stdout)).toMatchObject({
    all: { total: 1, informative: 1, left_out: 0, brands: [{ brand: "Sony" }, { brand: "Bose" }] },
  });
});

test.each([
  [["answers.jsonl"], "Pass the file of brands: --brands brands.json"],
  [["--brands", "brands.json"], "Pass one file of answers, or - for standard input."],
  [
    ["nowhere.jsonl", "--brands", "brands.json"],
    "Cannot read the file of answers: nowhere.jsonl. Check the path and its permissions.",
  ],
  [
    ["answers.jsonl", "--brands", "answers.jsonl"],
    'The file of brands is not JSON: answers.jsonl. It must be an array such as [{"name": "Acme"}].',
  ],
  [["answers.jsonl", "--brands", "wrong.json"], "The file of brands is not valid:"],
  [["answers.jsonl", "--brands", "brands.json", "--top", "few"], "--top takes a whole number"],
  [["answers.jsonl", "--colour"], "Unknown option '--colour'"],
])("%j: a mistake says how to mend it", async (args, message) => {
  const { code, stdout, stderr } = await measure(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).toContain("--help");
});

test("help", async () => {
  const { code, stdout } = await measure("--help");
  expect(code).toBe(0);
  expect(stdout).toContain("--brands");
});
