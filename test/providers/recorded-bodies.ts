import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ProviderAnswer, Question } from "../../src/outside/sources/provider.ts";
import { asking, outcomeOf, type Scene } from "./ask-provider.ts";
import type { Reply } from "./playing.ts";

/** A body of the folder of recorded ones beside the repository. */
export interface Recorded {
  /** Recorded as it came, or reduced to its shape. */
  how: "recorded" | "reduced";
  /** The day, or the month, of the recording. */
  at: string;
  question?: Partial<Question>;
  /** Of a file that holds the body alone; 200 unless told. */
  status?: number;
  /** What stands in the answer; compared by `toMatchObject`. */
  answer?: object;
  failure?: object;
  /** Further files that follow it, request by request. */
  followers?: readonly string[];
  /** What else must hold of the answer. */
  holds?: (answer: ProviderAnswer) => void;
}

/** Where recorded bodies lie beside the repository. */
export const RECORDED = new URL("../../../shared/data/providers/", import.meta.url);
export const noRecorded = !existsSync(RECORDED);

interface Exchange {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The replies that a file holds: the body alone, or one or several with their status and headers. */
export function recordedReplies(file: string, bareStatus = 200): Reply[] {
  const held: unknown = JSON.parse(readFileSync(new URL(file, RECORDED), "utf8"));
  if (!file.endsWith(".http.json")) return [{ status: bareStatus, body: held }];
  return ([held].flat() as Exchange[]).map(({ status, headers, body = "" }) => {
    const { "content-length": _length, "content-encoding": _encoding, ...kept } = headers ?? {};
    return { status, headers: kept, body };
  });
}

/** The bodies of the answers in a recording of several exchanges, in their order. */
export function cassetteBodies<Body = unknown>(file: string): Body[] {
  const { interactions } = parse(readFileSync(new URL(file, RECORDED), "utf8")) as {
    interactions: { response: { parsed_body: Body } }[];
  };
  return interactions.map(({ response }) => response.parsed_body);
}

/**
 * Reads the recorded bodies of a provider, where the folder is there: `bodies` by file, and `unread` with why a file is none of them. Every
 * file of the provider's folder stands in one of the two.
 */
export function recordedBodies(
  scene: Scene,
  folder: string,
  { bodies, unread = {} }: { bodies: Record<string, Recorded>; unread?: Record<string, string> },
): void {
  const { name, recorded } = scene.declared;
  const entries = Object.entries(bodies);
  const count = (how: Recorded["how"]) => entries.filter(([, body]) => body.how === how).length;
  const newest =
    entries
      .map(([, { at }]) => at)
      .toSorted()
      .at(-1) ?? "none";
  process.stdout.write(
    noRecorded
      ? `skipped: recorded bodies of ${name} are not at ../shared/data/providers\n`
      : `${name}: ${count("recorded")} recorded and ${count("reduced")} reduced bodies are read, the newest of ${newest}\n`,
  );

  test(`${name} says when the newest body was recorded that it is tested with`, () => {
    expect(recorded).toBe(newest);
  });

  test.skipIf(noRecorded)(`every recorded body of ${name} is read, or said not to be`, () => {
    const there = readdirSync(new URL(`${folder}/`, RECORDED)).filter((file) => file.endsWith(".json"));
    const listed = [...entries.flatMap(([file, { followers = [] }]) => [file, ...followers]), ...Object.keys(unread)];
    expect(there.toSorted()).toEqual([...new Set(listed)].filter((file) => !file.startsWith("../")).toSorted());
  });

  test.skipIf(noRecorded).each(entries)(`${name}: the recorded body %s is read`, async (file, body) => {
    const replies = [file, ...(body.followers ?? [])].flatMap((one) =>
      recordedReplies(`${folder}/${one}`, body.status),
    );
    const question = { ...scene.question, ...body.question };
    const { answer, failure, rawBody } = await outcomeOf(asking({ ...scene, question }, replies));
    expect({ answer, failure }).toMatchObject(expectedOf(body));
    if (answer) body.holds?.({ ...answer, rawBody });
  });
}

function expectedOf({ answer = {}, failure }: Recorded): object {
  if (!failure) return { answer, failure: undefined };
  return { failure: expect.objectContaining({ name: "ProviderError", ...failure }) as unknown };
}
