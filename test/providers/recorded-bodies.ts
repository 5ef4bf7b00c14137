import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ProviderAnswer, Question } from "../../src/outside/sources/provider.ts";
import { askProvider, settleAnswer, type Scene } from "./ask-provider.ts";
import type { Reply } from "./fake-provider.ts";

/** A recorded body in the data folder next to the repository. */
export interface RecordedBody {
  /** Recorded as it came, or reduced to its shape. */
  how: "recorded" | "reduced";
  /** The day, or the month, of the recording. */
  at: string;
  question?: Partial<Question>;
  /** For a file that holds only a body; 200 by default. */
  status?: number;
  /** Expected part of the answer, compared by `toMatchObject`. */
  answer?: object;
  failure?: object;
  /** Further files that follow it, request by request. */
  followers?: readonly string[];
  /** Further assertions on the answer. */
  holds?: (answer: ProviderAnswer) => void;
}

/** Folder of recorded bodies next to the repository. */
export const RECORDED_FOLDER = new URL("../../../shared/data/providers/", import.meta.url);
export const isRecordingMissing = !existsSync(RECORDED_FOLDER);

interface Exchange {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The replies in a file: one bare body, or replies with status and headers. */
export function recordedReplies(file: string, bareStatus = 200): Reply[] {
  const held: unknown = JSON.parse(readFileSync(new URL(file, RECORDED_FOLDER), "utf8"));
  if (!file.endsWith(".http.json")) return [{ status: bareStatus, body: held }];
  return ([held].flat() as Exchange[]).map(({ status, headers, body = "" }) => {
    const { "content-length": _length, "content-encoding": _encoding, ...kept } = headers ?? {};
    return { status, headers: kept, body };
  });
}

/** The bodies of the answers in a recording of several exchanges, in their order. */
export function cassetteBodies<Body = unknown>(file: string): Body[] {
  const { interactions } = parse(readFileSync(new URL(file, RECORDED_FOLDER), "utf8")) as {
    interactions: { response: { parsed_body: Body } }[];
  };
  return interactions.map(({ response }) => response.parsed_body);
}

/**
 * Tests that the recorded bodies of a provider are read, if the folder exists.
 * Every file of the provider's folder is in `bodies`, or in `unread` with the reason.
 */
export function testRecordedBodies(
  scene: Scene,
  folder: string,
  { bodies, unread = {} }: { bodies: Record<string, RecordedBody>; unread?: Record<string, string> },
): void {
  const { name, recordedOn } = scene.declared;
  const entries = Object.entries(bodies);
  const count = (how: RecordedBody["how"]) => entries.filter(([, body]) => body.how === how).length;
  const newest =
    entries
      .map(([, { at }]) => at)
      .toSorted()
      .at(-1) ?? "none";
  process.stdout.write(
    isRecordingMissing
      ? `skipped: recorded bodies of ${name} are not at ../shared/data/providers\n`
      : `${name}: ${count("recorded")} recorded and ${count("reduced")} reduced bodies are read, the newest of ${newest}\n`,
  );

  test(`declares for ${name} the date of the newest recorded body`, () => {
    expect(recordedOn).toBe(newest);
  });

  test.skipIf(isRecordingMissing)(`reads every recorded body of ${name}, or lists it as unread`, () => {
    const there = readdirSync(new URL(`${folder}/`, RECORDED_FOLDER)).filter((file) => file.endsWith(".json"));
    const listed = [...entries.flatMap(([file, { followers = [] }]) => [file, ...followers]), ...Object.keys(unread)];
    expect(there.toSorted()).toEqual([...new Set(listed)].filter((file) => !file.startsWith("../")).toSorted());
  });

  test.skipIf(isRecordingMissing).each(entries)(`reads the recorded body %s of ${name}`, async (file, body) => {
    const replies = [file, ...(body.followers ?? [])].flatMap((one) =>
      recordedReplies(`${folder}/${one}`, body.status),
    );
    const question = { ...scene.question, ...body.question };
    const { answer, failure, rawBody } = await settleAnswer(askProvider({ ...scene, question }, replies));
    expect({ answer, failure }).toMatchObject(expectedOf(body));
    if (answer) body.holds?.({ ...answer, rawBody });
  });
}

function expectedOf({ answer = {}, failure }: RecordedBody): object {
  if (!failure) return { answer, failure: undefined };
  return { failure: expect.objectContaining({ name: "ProviderError", ...failure }) as unknown };
}
