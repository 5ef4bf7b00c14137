import { readFileSync } from "node:fs";
import type { Server } from "@modelcontextprotocol/server";
import {
  skillEntry,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  type Skill,
} from "@modelcontextprotocol/server/ext/skills";
import { z } from "zod";
import { invalidParams } from "./feature-errors.ts";

// Skills over MCP (SEP-2640). The SDK attaches them only to its high-level server.

/** Folder below docs/skills: which calls answer which kind of question. */
const NAME = "answer-brand-visibility-questions";
const TEXT = readFileSync(new URL(import.meta.resolve(`#root/docs/skills/${NAME}/SKILL.md`)), "utf8");

export const SKILL_PAGE = {
  listing: {
    uri: `skill://${NAME}/SKILL.md`,
    name: NAME,
    title: "Answer brand visibility questions",
    description: "Skill: which tools answer which kind of question.",
    mimeType: "text/markdown",
  },
  text: TEXT,
};

export const SKILL_CAPABILITIES = { extensions: { [SKILLS_EXTENSION_ID]: {} } };

let entry: Promise<Skill> | undefined;

/** Entry with the digest of the file, as clients verify it. */
function getEntry(): Promise<Skill> {
  return (entry ??= skillEntry(NAME, { "SKILL.md": TEXT }));
}

export function installSkills(server: Server, cache: { ttlMs: number; cacheScope: "public" }): void {
  const listParams = z.looseObject({ cursor: z.string().optional() });
  server.setRequestHandler(SKILLS_LIST_METHOD, { params: listParams }, async () => ({
    skills: [await getEntry()],
    ...cache,
  }));
  server.setRequestHandler(SKILLS_GET_METHOD, { params: z.looseObject({ uri: z.string() }) }, async ({ uri }) => {
    const skill = await getEntry();
    if (uri !== skill.uri) throw invalidParams("Unknown skill. skills/list names the skills.");
    return { skill, ...cache };
  });
}
