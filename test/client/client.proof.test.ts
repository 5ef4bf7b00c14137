import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { openApiText } from "../../scripts/reference.ts";
import { EMAIL, MAIN_JOB_ENV } from "../main-job/main-job.ts";
import { PARTNER_TOKEN, startPartner } from "../partner/partner-process.ts";
import { world } from "../support/world.ts";

// A client that is generated from openapi.json, by the tools that customers use.

const HERE = import.meta.dirname;
const GENERATED = join(HERE, "generated");
const PROGRAM = join(GENERATED, "js/program/main.js");
const run = promisify(execFile);
const TIMEOUT_MS = 180_000;

/**
 * Generates types of a document and compiles the program with them. Throws the compiler's output.
 */
async function compile(document: string): Promise<void> {
  await mkdir(GENERATED, { recursive: true });
  await writeFile(join(GENERATED, "openapi.json"), document);
  await tool("openapi-typescript", "generated/openapi.json", "--output", "generated/schema.d.ts");
  await tool("tsc", "-p", "tsconfig.json");
}

function tool(name: string, ...given: string[]) {
  return run(join(HERE, "node_modules/.bin", name), given, { cwd: HERE }).catch((error: { stdout?: string }) => {
    throw new Error(`${name}: ${error.stdout}`);
  });
}

const isInstalled = existsSync(join(HERE, "node_modules/.bin/openapi-typescript"));
if (!isInstalled) console.info("Skipped: the generated client. Run `npm ci --prefix test/client` to test it.");

beforeAll(() => rm(GENERATED, { recursive: true, force: true }));

test.skipIf(!isInstalled)(
  "a generated client compiles strictly, does the main job and sends a brief to the partner",
  async () => {
    await compile(openApiText());
    await using partner = await startPartner();
    await using w = await world({ env: { ...MAIN_JOB_ENV, PARTNER_BASE_URL: partner.address } });
    const { apiKey } = await w.signIn(EMAIL);
    const program = await import(/* @vite-ignore */ pathToFileURL(PROGRAM).href);
    const report = await program.run({ baseUrl: w.config.baseUrl, apiKey, partnerToken: PARTNER_TOKEN });
    expect(report).toEqual({
      taken: expect.stringMatching(/brand/),
      brands: expect.arrayContaining(["Kestrova"]),
      keywords: ["best travel espresso machine"],
      sent: { partnerBriefId: expect.any(String), again: "ALREADY_SENT" },
    });
    expect((await partner.state()).briefs).toMatchObject([{ id: report.sent.partnerBriefId, submitted: true }]);
  },
  TIMEOUT_MS,
);

test.skipIf(!isInstalled)(
  "the program would not compile with a document that named a field, a code, an error or a path otherwise",
  async () => {
    const changed = openApiText()
      .replaceAll('"quote_id"', '"quote"')
      .replaceAll('"partner_brief_id"', '"partner_id"')
      .replaceAll('"const": "CONFLICT"', '"const": "TAKEN"')
      .replaceAll('"ConflictError"', '"TakenError"')
      .replaceAll("/ConflictError", "/TakenError")
      .replaceAll("/v1/auth/token", "/v1/auth/tokens");
    const complaints = await compile(changed).then(String, String);
    for (const complaint of ["'quote_id'", "'partner_brief_id'", "no overlap", "'ConflictError'", '"/v1/auth/token"']) {
      expect(complaints).toContain(complaint);
    }
    expect(await readFile(join(GENERATED, "openapi.json"), "utf8")).toBe(changed);
  },
  TIMEOUT_MS,
);
